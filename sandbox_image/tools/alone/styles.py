"""Style sheets: what they import and refer to."""

from __future__ import annotations

import re

from alone import fonts, libraries
from alone.places import Files, Missing, Place, is_inside

MOST_DEPTH = 8
COMMENT = r"/\*.*?\*/"
QUOTED = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
ADDRESS = rf"url\(\s*(?P<url>{QUOTED}|[^)\"'\s]*)\s*\)"
IMPORT = re.compile(
    rf"@import\s+(?:{ADDRESS}|(?P<plain>{QUOTED}))(?P<how>[^;]*);", re.DOTALL | re.IGNORECASE
)
PART = re.compile(rf"{COMMENT}|{ADDRESS}|{QUOTED}", re.DOTALL | re.IGNORECASE)
ADDRESSED = re.compile(ADDRESS, re.DOTALL | re.IGNORECASE)
FACE = re.compile(r"@font-face\s*\{[^}]*\}", re.IGNORECASE)
FORMS = re.compile(
    rf"(?P<start>[{{;\s]src\s*:)(?P<forms>(?:{QUOTED}|url\([^)]*\)|[^;}}])*)", re.IGNORECASE
)
FORM = re.compile(rf"(?:{QUOTED}|\([^)]*\)|[^,])+")
LAYER = re.compile(r"layer(?:\((?P<name>[^)]*)\))?(?=\s|$)")
SUPPORTS = re.compile(r"supports\((?P<test>(?:[^()]|\([^()]*\))*)\)")


def style(css: str, place: Place, files: Files, letters: str, depth: int = 0) -> str:
    """A style sheet that refers to nothing but itself. `letters` are those the page may show."""

    def imported(found: re.Match[str]) -> str:
        address = bare(found["url"] or found["plain"] or "")
        try:
            if depth >= MOST_DEPTH:
                raise Missing("style sheets import each other too deeply")
            if fonts.is_list(address):
                return fonts.faces(address, letters)
            sheet = libraries.located(address) or place.beside(address)
            inner = style(files.text(sheet), sheet, files, letters, depth + 1)
        except Missing as error:
            files.lacks(address, error)
            return ""
        return under(inner, found["how"].strip())

    def referred(found: re.Match[str]) -> str:
        if found["url"] is None or is_inside(address := bare(found["url"])):
            return found[0]
        try:
            target = libraries.located(address) or place.beside(address)
            return f'url("{files.data(target)}")'
        except Missing as error:
            files.lacks(address, error)
            return found[0]

    def faces(found: re.Match[str]) -> str:
        """Of the forms that a font comes in the first that is there."""
        forms = FORM.findall(found["forms"])
        lacking = []
        for form in forms:
            address = ADDRESSED.search(form)
            if address is None or is_inside(target := bare(address["url"])):
                return f"{found['start']}{form.strip()}"
            try:
                data = files.data(libraries.located(target) or place.beside(target))
            except Missing as error:
                lacking.append((target, error))
                continue
            return found["start"] + form.strip().replace(address[0], f'url("{data}")')
        for target, error in lacking:
            files.lacks(target, error)
        return found[0]

    css = IMPORT.sub(imported, css)
    css = FACE.sub(lambda face: FORMS.sub(faces, face[0]), css)
    return PART.sub(referred, css)


def bare(value: str) -> str:
    """The address in `url(…)`, without quotes and escapes."""
    if value[:1] in ('"', "'"):
        value = value[1:-1]
    return re.sub(r"\\([^0-9a-fA-F\n])", r"\1", value).strip()


def under(css: str, how: str) -> str:
    """Imported rules under the conditions of their import."""
    if found := LAYER.match(how):
        css, how = f"@layer {found['name'] or ''} {{{css}}}", how[found.end() :].strip()
    if found := SUPPORTS.match(how):
        test = found["test"] if found["test"].startswith(("(", "not")) else f"({found['test']})"
        css, how = f"@supports {test} {{{css}}}", how[found.end() :].strip()
    return f"@media {how} {{{css}}}" if how else css
