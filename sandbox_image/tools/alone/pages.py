"""A page with everything it needs inside; what is not touched stays letter by letter."""

from __future__ import annotations

import re
from contextlib import suppress
from html import escape

from alone import fonts, libraries
from alone.markup import Element, Finder
from alone.places import Files, Missing, Place, is_inside
from alone.scripts import Modules, below, classic, loaded, prelude, script_address
from alone.sprites import Sprites
from alone.styles import style

SCRIPTS = ("", "text/javascript", "application/javascript", "text/ecmascript")
ICONS = {"icon", "apple-touch-icon", "mask-icon", "manifest"}
HINTS = {"preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch"}
# The attributes that name what is drawn or heard, by element.
SOURCES = {
    "img": ("src",),
    "source": ("src",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "input": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "image": ("href", "xlink:href"),
    "feimage": ("href", "xlink:href"),
}
PAGES = (".html", ".htm", ".xhtml")
TEXTS = (*PAGES, ".js", ".mjs", ".json", ".csv", ".tsv", ".txt", ".md", ".svg", ".geojson")
MOST_TEXTS, MOST_TEXT_BYTES, MOST_DEPTH = 200, 1 << 20, 2
CANDIDATE = re.compile(
    r"\s*(?P<url>data:\S+|[^\s,]\S*[^\s,]|[^\s,])(?P<size>\s+[\d.]+[wx])?\s*(?:,|$)"
)
# Only these may come before what stands first in the page.
START = re.compile(
    r"(?:\s+|<!--.*?-->|<!doctype[^>]*>|<html[^>]*>|<head[^>]*>)*", re.DOTALL | re.IGNORECASE
)


def standalone(place: Place, files: Files, depth: int = 0) -> str:
    """The page's text. What could not be put in is in `files.missing`; Missing without a page."""
    text = files.text(place)
    return PageMaker(text, place, files, depth).made()


class PageMaker:
    """Makes one page; each method gives what stands instead of an element."""

    def __init__(self, text: str, place: Place, files: Files, depth: int) -> None:
        self.text, self.place, self.files, self.depth = text, place, files, depth
        self.elements = Finder(text).elements
        self.modules = Modules(files)
        self.sprites = Sprites(files)
        self.letters = "".join(sorted(set(text).union(*map(set, self.texts()))))
        self.code: list[str] = []

    def texts(self) -> list[str]:
        """What the page may load and show."""
        near = [target for target in below(self.place) if target.suffix in TEXTS][:MOST_TEXTS]
        paths = [target.root / target.name for target in near]
        return [
            path.read_text("utf-8", "replace")
            for path in paths
            if not path.is_symlink() and path.stat().st_size <= MOST_TEXT_BYTES
        ]

    def made(self) -> str:
        for element in self.elements:
            if element.name == "script" and element["type"] == "importmap":
                self.modules.take(element.content)
        parts, at = [], 0
        for element in self.elements:
            if (instead := self.instead(element)) is not None:
                parts += [self.text[at : element.start], instead]
                at = element.after
        parts.append(self.text[at:])
        self.look_into_modules()
        found = loaded("\n".join(self.code), self.place, self.files)
        # Before anything else runs; and the encoding must be said in the first 1024 bytes.
        first = '<meta charset="utf-8">' + prelude(found) + self.modules.map()
        page = "".join(parts)
        cut = START.match(page).end()
        return page[:cut] + first + page[cut:] + self.sprites.drawn()

    def look_into_modules(self) -> None:
        """Modules were read for the map; they too load files."""
        for target in [place for place in self.files.used if place.root == self.place.root]:
            if target.suffix in (".js", ".mjs"):
                path = target.root / target.name
                self.code.append(path.read_text("utf-8", "replace"))

    def instead(self, element: Element) -> str | None:
        """What stands instead of an element; None for one that stays."""
        name = element.name
        if name == "script":
            return self.script(element)
        if name == "style":
            css = style(element.content, self.place, self.files, self.letters)
            return None if css == element.content else f"{element.tag()}{css}</style>"
        if name == "link":
            return self.link(element)
        if name == "meta" and element["http-equiv"].lower() == "content-security-policy":
            return ""
        changes = self.changes(element)
        return element.tag(**changes) if changes else None

    def script(self, element: Element) -> str | None:
        kind = element["type"].lower().strip()
        if kind == "importmap":
            return ""
        if kind == "module":
            return self.module(element)
        if kind not in SCRIPTS:
            return None
        address = element["src"]
        if not address:
            self.code.append(element.content)
            code = self.modules.linked(element.content, self.place, classic=True)
            return None if code == element.content else f"{element.tag()}{code}</script>"
        if is_inside(address):
            return None
        try:
            library = libraries.located(address)
            code = self.files.text(library or self.place.beside(address))
        except Missing as error:
            self.files.lacks(address, error)
            return None
        if not library:
            code = self.modules.linked(code, self.place, classic=True)
        plain = {"src": None, "integrity": None, "crossorigin": None}
        if "defer" in element.attributes or "async" in element.attributes:
            # An inline script would not wait for the page.
            return element.tag(**{**plain, "src": script_address(code)}) + "</script>"
        return f"{element.tag(**plain)}{classic(code)}</script>"

    def module(self, element: Element) -> str | None:
        address = element["src"]
        if not address:
            self.code.append(element.content)
            code = self.modules.linked(element.content, self.place)
        else:
            try:
                start = "" if address.startswith((".", "/", "http:", "https:")) else "./"
                code = f'import "{self.modules.name(start + address, self.place)}";'
            except Missing as error:
                self.files.lacks(address, error)
                return None
        tag = element.tag(src=None, integrity=None, crossorigin=None)
        return f"{tag}{classic(code)}</script>"

    def link(self, element: Element) -> str | None:
        relations, address = set(element["rel"].lower().split()), element["href"]
        if relations & HINTS:
            return ""
        if is_inside(address):
            return None
        try:
            if "stylesheet" in relations and "alternate" not in relations:
                return self.sheet(element, address)
            if relations & ICONS or "apple-touch-icon-precomposed" in relations:
                return element.tag(href=self.files.data(self.place.beside(address)))
        except Missing as error:
            self.files.lacks(address, error)
        return None

    def sheet(self, element: Element, address: str) -> str:
        if fonts.is_list(address):
            css = fonts.faces(address, self.letters)
        else:
            place = libraries.located(address) or self.place.beside(address)
            css = style(self.files.text(place), place, self.files, self.letters)
        media = element["media"]
        css = re.sub(r"</(?=style)", r"<\\/", css, flags=re.IGNORECASE)
        # Scripts swap in sheets that were only for print while they loaded.
        late = media == "print" and "onload" in element.attributes
        start = f'<style media="{escape(media)}">' if media and not late else "<style>"
        return f"{start}{css}</style>"

    def changes(self, element: Element) -> dict[str, str | None]:
        """The attributes of any other element that must be others."""
        changed: dict[str, str | None] = {}
        for name in SOURCES.get(element.name, ()):
            if element[name]:
                changed |= self.source(name, element[name])
        for name in ("srcset", "imagesrcset"):
            if element[name]:
                changed[name] = self.candidates(element[name])
        for name, value in element.attributes.items():
            if name == "style" and value and "url(" in value:
                changed[name] = style(value, self.place, self.files, self.letters)
            elif name.startswith("on") and value:
                self.code.append(value)
            elif name.startswith("data-") and value and not is_inside(value):
                changed |= self.later(name, value)
        if element.name == "use":
            changed |= self.symbol(element)
        elif element.name == "iframe" and element["src"]:
            changed |= self.frame(element["src"])
        elif element.name == "a" and element["href"]:
            changed |= self.anchor(element)
        return changed

    def source(self, name: str, address: str) -> dict[str, str | None]:
        if is_inside(address):
            return {}
        try:
            return {name: self.files.data(self.place.beside(address))}
        except Missing as error:
            self.files.lacks(address, error)
            return {}

    def later(self, name: str, value: str) -> dict[str, str | None]:
        """A file that a script will show, if the attribute names one."""
        with suppress(Missing):
            target = self.place.beside(value)
            if target.media_type.startswith(("image/", "audio/", "video/")):
                return {name: self.files.data(target)}
        return {}

    def candidates(self, value: str) -> str:
        found = []
        for candidate in CANDIDATE.finditer(value):
            address = self.source("url", candidate["url"]).get("url") or candidate["url"]
            found.append(address + (candidate["size"] or ""))
        return ", ".join(found)

    def symbol(self, element: Element) -> dict[str, str | None]:
        name = "href" if element["href"] else "xlink:href"
        address, mark, part = element[name].partition("#")
        if not address or not mark:
            return {}
        try:
            return {name: self.sprites.reference(self.place.beside(address), part)}
        except Missing as error:
            self.files.lacks(element[name], error)
            return {}

    def frame(self, address: str) -> dict[str, str | None]:
        if is_inside(address):
            return {}
        try:
            target = self.place.beside(address)
            if target.suffix not in PAGES:
                return {"src": self.files.data(target)}
            if self.depth >= MOST_DEPTH:
                raise Missing("pages show each other too deeply")
            return {"src": None, "srcdoc": standalone(target, self.files, self.depth + 1)}
        except Missing as error:
            self.files.lacks(address, error)
            return {}

    def anchor(self, element: Element) -> dict[str, str | None]:
        """A link to a file that lies beside becomes the file; one to a page is lost."""
        address = element["href"]
        if is_inside(address) or re.match(r"[a-z][\w+.-]*:|//", address, re.IGNORECASE):
            return {}
        try:
            target = self.place.beside(address)
            if target == self.place:
                return {"href": f"#{address.partition('#')[2]}"}
            if target.suffix in PAGES:
                raise Missing("it is another page")
            name = element["download"] or target.name.rpartition("/")[2]
            return {"href": self.files.data(target), "download": name}
        except Missing as error:
            self.files.lacks(address, error)
            return {}
