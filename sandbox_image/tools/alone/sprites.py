"""SVG files of which a page shows parts: browsers take `<use>` only from the page itself."""

from __future__ import annotations

import re

from lxml import etree

from alone.places import Files, Missing, Place

STYLE = "position:absolute;width:0;height:0;overflow:hidden"


class Sprites:
    """The files that were referred to, each drawn once, its names made unique."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._drawn: dict[Place, str] = {}

    def reference(self, place: Place, part: str) -> str:
        """The address of a part in the page; raises Missing."""
        if place not in self._drawn:
            self._drawn[place] = self._read(place, f"s{len(self._drawn) + 1}-")
        number = list(self._drawn).index(place) + 1
        return f"#s{number}-{part}"

    def _read(self, place: Place, prefix: str) -> str:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
        try:
            root = etree.fromstring(self._files.read(place), parser)
        except etree.XMLSyntaxError as error:
            raise Missing(f"it is not well-formed: {error}") from None
        for element in root.iter():
            if not isinstance(element.tag, str):
                continue
            for name, value in element.attrib.items():
                if name == "id":
                    element.set(name, prefix + value)
                elif name.rpartition("}")[2] == "href" and value.startswith("#"):
                    element.set(name, f"#{prefix}{value[1:]}")
                elif "url(#" in value:
                    element.set(name, re.sub(r"url\(#", f"url(#{prefix}", value))
        root.set("style", STYLE)
        root.set("aria-hidden", "true")
        return etree.tostring(root, encoding="unicode", with_tail=False)

    def drawn(self) -> str:
        return "".join(self._drawn.values())
