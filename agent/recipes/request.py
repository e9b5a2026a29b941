"""A request as recipes see it: what the text says, and what earlier requests said before it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from agent.recipes import looks, reading
from agent.recipes.looks import Shape, Size
from agent.recipes.reading import Day, Lang

__all__ = ["Day", "Lang", "Request", "Shape", "Size"]

T = TypeVar("T")

ASKS_ANEW = (
    r"\b(?:make|create|compose|write|design|draw|build|generate|produce|prepare|give me|i need"
    r"|i want|i'd like|i would like)\s+(?:me |us )?(?:an?|another|some|three|two)\b"
    r"|(?:做|写|创作|画|设计|生成|制作|谱|作|来|弄|录|要)(?:一下)?(?:一|个|首|张|份|段|部)"
)
POINTS_BACK = (
    r"\b(?:it|this|that|same|again|instead|version)\b"
    r"|这|那|它|同样|刚才|上面|一样|改成|换成|改为|再"
)
ASKS_VARIATION = r"\b(?:another|different|again|variation)\b|换一|再来|另一|再做|重新"


@dataclass(frozen=True)
class Request:
    """One request of a project, with the follow-up chain that it continues.

    `texts` are the requests of the project, oldest first, the newest last (at least one);
    `inputs` are the names in `/workspace/input`. What a property reads comes from the newest text
    of the chain that says it: "make it blue" changes the colour and keeps the title.
    """

    texts: tuple[str, ...]
    inputs: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The newest request."""
        return self.texts[-1]

    @property
    def chain(self) -> tuple[str, ...]:
        """The texts from the one that asked for the thing at hand to the newest."""
        for index in range(len(self.texts) - 1, 0, -1):
            text = self.texts[index]
            if reading.find(ASKS_ANEW, text) and not reading.find(POINTS_BACK, text):
                return self.texts[index:]
        return self.texts

    def earlier(self) -> Request | None:
        """The request before this one of the same chain."""
        return Request(self.texts[:-1], self.inputs) if len(self.chain) > 1 else None

    def latest(self, read: Callable[[str], T | None]) -> T | None:
        """What `read` finds in the newest text of the chain in which it finds something.

        None, "" and () mean nothing; 0 and False are values.
        """
        for text in reversed(self.chain):
            found = read(text)
            if found is not None and found != "" and found != ():
                return found
        return None

    @property
    def seed(self) -> int:
        """The same for a thing and its follow-ups; another for "another" and other requests."""
        again = sum(bool(reading.find(ASKS_VARIATION, text)) for text in self.chain[1:])
        words = " ".join(self.chain[0].lower().split())
        return int.from_bytes(hashlib.sha256(f"{words}{again or ''}".encode()).digest()[:4], "big")

    @property
    def speaks(self) -> Lang:
        """The language of the newest request: the one to answer in."""
        return reading.lang_of(self.text)

    @property
    def lang(self) -> Lang:
        """The language of the result: asked for, or that of the first request."""
        return self.latest(reading.lang_asked) or reading.lang_of(self.chain[0])

    @property
    def title(self) -> str:
        """As given by words or in quotation marks; "" when there is none."""
        return self.latest(reading.title) or ""

    @property
    def quotes(self) -> tuple[str, ...]:
        """Everything in quotation marks."""
        return self.latest(reading.quotes) or ()

    @property
    def names(self) -> tuple[str, ...]:
        """The people it is for."""
        return self.latest(reading.names) or ()

    @property
    def days(self) -> tuple[Day, ...]:
        """The dates it names."""
        return self.latest(reading.days) or ()

    @property
    def times(self) -> tuple[tuple[int, int], ...]:
        """The times of day it names, (hour, minute)."""
        return self.latest(reading.times) or ()

    @property
    def numbers(self) -> tuple[float, ...]:
        """Every number in digits of the newest text that has one."""
        return self.latest(reading.numbers) or ()

    @property
    def seconds(self) -> float | None:
        """How long it should last."""
        return self.latest(reading.seconds)

    @property
    def size(self) -> Size | None:
        """The size asked for, lying or standing as its own text says."""
        return self.latest(looks.size)

    @property
    def shape(self) -> Shape | None:
        """The shape asked for in words."""
        return self.latest(looks.shape)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours asked for, "#rrggbb"."""
        return self.latest(looks.colours) or ()

    @property
    def moods(self) -> tuple[str, ...]:
        """Moods, keys of `looks.MOODS`."""
        return self.latest(looks.moods) or ()

    def input(self, *extensions: str) -> str:
        """The first input with one of these extensions ("csv"); "" when there is none."""
        endings = tuple(f".{extension}" for extension in extensions)
        return next((name for name in self.inputs if name.lower().endswith(endings)), "")
