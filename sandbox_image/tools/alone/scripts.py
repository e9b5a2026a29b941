"""Scripts: modules that import others, and the files that scripts load while they run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin

from alone import libraries
from alone.places import Files, Missing, Place, data_address

PRELUDE = Path(__file__).with_name("prelude.js").read_text("utf-8")
MOST_MODULES, MOST_NAMES = 300, 4000
QUOTED = r"""(?P<quote>["'])(?P<name>[^"'\n]+)(?P=quote)"""
STATIC = re.compile(
    r"""(?P<before>(?:^|[;}\n]|\*/)\s*(?:import\s*|(?:import|export)\b[^;"'()=]*?\bfrom\s*))"""
    + QUOTED
)
DYNAMIC = re.compile(r"(?P<before>\bimport\s*\(\s*)" + QUOTED)
LITERAL = re.compile(r""""((?:[^"\\\n]|\\.)+)"|'((?:[^'\\\n]|\\.)+)'|`([^`]+)`""")
OWN = "~/"


def script_address(code: str) -> str:
    return data_address(code.encode(), "text/javascript")


def classic(code: str) -> str:
    """Code as it may stand in a script element."""
    return re.sub(r"<(?=/script|!--)", r"\\x3c", code, flags=re.IGNORECASE)


@dataclass
class Modules:
    """The modules of a page, each under a name of its own in an import map."""

    files: Files
    names: dict[str, str] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)

    def linked(self, code: str, place: Place, *, classic: bool = False) -> str:
        """Code in which each import is by its name in the map; a classic script has few."""

        def renamed(found: re.Match[str]) -> str:
            try:
                name = self.name(found["name"], place)
            except Missing as error:
                self.files.lacks(found["name"], error)
                return found[0]
            return f"{found['before']}{found['quote']}{name}{found['quote']}"

        code = DYNAMIC.sub(renamed, code)
        if classic:
            return code
        here = json.dumps(place.name)
        code = code.replace("import.meta.url", f"new URL({here}, document.baseURI).href")
        return STATIC.sub(renamed, code)

    def name(self, specifier: str, place: Place) -> str:
        """The name in the map of what a module imports; raises Missing."""
        address = self.mapped(specifier)
        if address.startswith("data:"):
            return specifier
        if address.startswith(("http:", "https:", "//")):
            library, _ = libraries.package(address)
            libraries.located(address)
            if library not in self.names:
                self.add(library, lambda: script_address(libraries.module(library, self.files)))
            return library
        if not address.startswith((".", "/")):
            raise Missing("the page does not say where it is")
        target = (Place(place.root, "") if specifier in self.given else place).beside(address)
        name = OWN + target.name
        if name not in self.names:
            self.add(name, lambda: self.module(target))
        return name

    def module(self, place: Place) -> str:
        if place.suffix == ".json":
            return self.files.data(place)
        return script_address(self.linked(self.files.text(place), place))

    def add(self, name: str, address: Callable[[], str]) -> None:
        if len(self.names) >= MOST_MODULES:
            raise Missing("there are too many modules")
        # There before it is read: modules may import each other.
        self.names[name] = ""
        try:
            self.names[name] = address()
        except Missing:
            del self.names[name]
            raise

    def mapped(self, specifier: str) -> str:
        """A specifier as the page's own import map translates it."""
        if specifier in self.given:
            return self.given[specifier]
        prefixes = [p for p in self.given if p.endswith("/") and specifier.startswith(p)]
        if prefixes:
            prefix = max(prefixes, key=len)
            return urljoin(self.given[prefix], specifier.removeprefix(prefix))
        return specifier

    def take(self, text: str) -> None:
        """Learns the page's own import map."""
        try:
            imports = json.loads(text).get("imports", {})
        except (ValueError, AttributeError):
            return
        self.given |= {k: v for k, v in imports.items() if isinstance(v, str)}

    def map(self) -> str:
        """The import map's element, if the page has modules."""
        if not self.names:
            return ""
        return f'<script type="importmap">{json.dumps({"imports": self.names})}</script>'


def loaded(code: str, place: Place, files: Files) -> dict[str, str]:
    """The files below the page's folder that scripts name, as addresses that hold them.

    A name that is put together (`frames/${n}.png`, "frames/" + n) means all files like it.
    """
    named = [next(filter(None, found)) for found in LITERAL.findall(code)]
    exact = {name.split("?")[0].removeprefix("./") for name in named}
    patterns = [
        re.compile(".+".join(map(re.escape, re.split(r"\$\{[^}]*\}", name.removeprefix("./")))))
        for name in named
        if "${" in name and re.search(r"[\w/]", re.sub(r"\$\{[^}]*\}", "", name))
    ]
    folders = tuple(name for name in exact if name.endswith("/") and len(name) > 1)
    found = {}
    for target in below(place):
        # A page beside is another page, and the page itself needs no copy.
        if target == place or target.suffix in (".html", ".htm"):
            continue
        wanted = target.name in exact or (folders and target.name.startswith(folders))
        if wanted or any(pattern.fullmatch(target.name) for pattern in patterns):
            try:
                found[target.name] = files.data(target)
            except Missing as error:
                files.lacks(target.name, error)
    return found


def below(place: Place) -> list[Place]:
    """The files of the page's folder, without those that are hidden."""
    found = []
    for path in place.root.rglob("*"):
        name = path.relative_to(place.root).as_posix()
        if not any(part.startswith(".") for part in name.split("/")) and path.is_file():
            found.append(Place(place.root, name))
        if len(found) >= MOST_NAMES:
            break
    return sorted(found, key=lambda found: found.name)


def prelude(found: dict[str, str]) -> str:
    """The script's element that answers from these files."""
    if not found:
        return ""
    return f"<script>{PRELUDE.replace('FILES', classic(json.dumps(found)), 1)}</script>"
