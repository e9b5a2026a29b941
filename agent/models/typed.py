"""What of a model's text is for people while it is typed: no thoughts, no markup of calls."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

from agent.models.textcalls import OPENING, OPENINGS

THINK, THOUGHT = "<think>", "</think>"
# Some templates open the thought for the model, so that only its end is in the text.
LONE = re.compile(r"(?:\A|\n)[ \t]*</think>[ \t]*(?=\n|\Z)")
BEGUN = re.compile(r"[<\[]")
LONGEST = max(map(len, OPENINGS))


class Typed:
    """Takes in text piece by piece and tells what of it can be shown."""

    def __init__(self) -> None:
        self._text = io.StringIO()
        self._waiting = ""
        self._state = "start"  # "thinking", "thought", "text", and "held" once a call begins

    def __bool__(self) -> bool:
        return bool(self._text.tell())

    def take(self, piece: str) -> tuple[str, str]:
        """Take in a piece; the text and the reasoning that are new to show."""
        if not piece:
            return "", ""
        self._text.write(piece)
        if self._state == "held":
            return "", ""
        self._waiting += piece
        thought = self._think()
        if self._state == "thought":
            self._waiting = self._waiting.lstrip()
            self._state = "text" if self._waiting else "thought"
        shown = self._show() if self._state == "text" else ""
        return whole(shown), whole(thought)

    def _think(self) -> str:
        if self._state == "start":
            self._waiting = self._waiting.lstrip()
            if self._waiting.startswith(THINK):
                self._state, self._waiting = "thinking", self._waiting[len(THINK) :]
            elif not THINK.startswith(self._waiting):
                self._state = "text"
        if self._state != "thinking":
            return ""
        thought, end, rest = self._waiting.partition(THOUGHT)
        if end:
            self._state, self._waiting = "thought", rest
            return thought
        keep = _unfinished(thought, (THOUGHT,))
        self._waiting = thought[len(thought) - keep :]
        return thought[: len(thought) - keep]

    def _show(self) -> str:
        text = self._waiting
        if found := OPENING.search(text):
            self._state, self._waiting = "held", ""
            return text[: found.start()]
        keep = _unfinished(text, OPENINGS)
        self._waiting = text[len(text) - keep :]
        return text[: len(text) - keep]

    def finished(self) -> tuple[str, str]:
        """The whole text and the reasoning that was in it."""
        text = whole(self._text.getvalue())
        if text.lstrip().startswith(THINK):
            thought, _, rest = text.lstrip()[len(THINK) :].partition(THOUGHT)
            return rest.strip(), thought.strip()
        if lone := LONE.search(text):
            return text[lone.end() :].strip(), text[: lone.start()].strip()
        return text, ""


def parted(content: object) -> tuple[str, str]:
    """The text and the reasoning of a `content`, which may be a list of parts.

    Raises:
        ValueError: it is neither.
    """
    if content is None or isinstance(content, str):
        return content or "", ""
    if not isinstance(content, list):
        raise ValueError("content is text or a list of parts")
    text: list[Any] = []
    thought: list[Any] = []
    for part in content:
        if isinstance(part, str):
            text.append(part)
        elif isinstance(part, Mapping):
            text.append(part.get("text"))
            inner = part.get("thinking")
            inner = inner if isinstance(inner, list) else [inner]
            thought += [one.get("text") if isinstance(one, Mapping) else one for one in inner]
    return _joined(text), _joined(thought)


def _joined(values: list[Any]) -> str:
    return "".join(value for value in values if isinstance(value, str))


def _unfinished(text: str, marks: tuple[str, ...]) -> int:
    """How many characters at the end may be the beginning of a mark, or of a surrogate pair."""
    tail = text[-LONGEST:]
    for begun in BEGUN.finditer(tail):
        if any(mark.startswith(tail[begun.start() :]) for mark in marks):
            return len(tail) - begun.start()
    return int("\ud800" <= text[-1:] <= "\udbff")


def whole(text: str) -> str:
    """Text that can be encoded: halves of surrogate pairs joined, lonely ones replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
