"""The elements of a page where they stand in its text, so that the rest can stay as it is."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser

RAW = ("script", "style")


@dataclass
class Element:
    """A start tag from `start` to `end`, and of scripts and styles what is in them."""

    name: str
    attributes: dict[str, str | None]
    start: int
    end: int
    closes: bool
    content: str = ""
    after: int = 0

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name) or ""

    def tag(self, **changes: str | None) -> str:
        """The start tag with other attributes; None takes one away."""
        attributes = {**self.attributes}
        for name, value in changes.items():
            # `class_`, `xlink__href`
            name = name.rstrip("_").replace("__", ":")
            attributes.pop(name, None)
            if value is not None:
                attributes[name] = value
        words = [self.name]
        for name, value in attributes.items():
            words.append(name if value is None else f'{name}="{escape(value)}"')
        return f"<{' '.join(words)}{' /' * self.closes}>"


class Finder(HTMLParser):
    """Finds all elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.elements: list[Element] = []
        self._text = text
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._open: Element | None = None
        self.feed(text)
        self.close()
        if self._open:
            self._end(len(text), len(text))

    def _at(self) -> int:
        line, offset = self.getpos()
        return self._lines[line - 1] + offset

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start, text = self._at(), self.get_starttag_text() or ""
        closes = text.endswith("/>")
        # Of two attributes of one name the first one counts.
        element = Element(tag, dict(reversed(attrs)), start, start + len(text), closes)
        element.attributes = {name: element.attributes[name] for name, _ in attrs}
        element.after = element.end
        self.elements.append(element)
        if tag in RAW and not closes:
            self._open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag == self._open.name:
            at = self._at()
            end = self._text.find(">", at) + 1
            self._end(at, end or len(self._text))

    def _end(self, at: int, after: int) -> None:
        assert self._open
        self._open.content, self._open.after = self._text[self._open.end : at], after
        self._open = None
