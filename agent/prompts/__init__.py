"""What the model is told of its work: the general prompt, and a guide for each kind of work.

A guide is a Markdown file. It begins with the words by which a request for its kind is known:

    ---
    words: video, film, animat(?:ed|ion), 视频, 动画
    ---
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

GENERAL = "general"
GUIDES = 2
CHARS = 40_000
ASKED_CHARS = 20_000
FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
# A Chinese word is part of a longer run of characters; a Latin one stands by itself.
LATIN = re.compile(r"[a-z]", re.IGNORECASE)
WHOLE = r"(?<![a-z])(?:{})(?:s|es)?(?![a-z])"
PLACES = frozenset(
    {
        "user",
        "network",
        "eyes",
        "memory",
        "workspace",
        "tmp",
        "cores",
        "processes",
        "turns",
        "minutes",
        "command_seconds",
        "output_chars",
    }
)


class BrokenPrompt(ValueError):
    """A file of prompts cannot be used; the message names it and says what to mend."""


@dataclass(frozen=True, slots=True)
class Guide:
    """How to do one kind of work well, and the words by which a request for it is known."""

    name: str
    words: re.Pattern[str]
    text: str

    def fits(self, asked: str) -> int:
        """How many of its words are in what a person asked for."""
        return len({word[0].lower() for word in self.words.finditer(asked)})


class Prompts:
    """The prompts of this package, and those of `folder`, which replace ours of the same name.

    Raises:
        BrokenPrompt: the folder or a file in it cannot be used.
    """

    def __init__(self, folder: Path | None = None) -> None:
        texts = {**_texts(Path(__file__).parent), **(_texts(folder) if folder else {})}
        self._general = _general(texts.pop(GENERAL))
        self._guides = [_guide(path, text) for path, text in texts.values()]

    def guides(self, asked: Sequence[str]) -> list[Guide]:
        """The guides, at most two, for what is `asked`: the newest request first.

        An earlier request counts as far as newer ones leave room.
        """
        chosen: list[Guide] = []
        for text in asked:
            fit = {guide.name: guide.fits(text[:ASKED_CHARS]) for guide in self._guides}
            best = sorted(self._guides, key=lambda guide: -fit[guide.name])
            chosen += [guide for guide in best if fit[guide.name] and guide not in chosen]
        return chosen[:GUIDES]

    def told(self, asked: Sequence[str], **filled: str) -> str:
        """The system prompt: the general prompt with its places `filled`, then the guides."""
        guides = [guide.text for guide in self.guides(asked)]
        return "\n\n".join([self._general.substitute(filled), *guides])


@cache
def built_in() -> Prompts:
    """Those of this package alone."""
    return Prompts()


def _general(told: tuple[Path, str]) -> Template:
    path, text = told
    template = Template(text)
    if not template.is_valid():
        raise BrokenPrompt(f"{path} has a $ that stands for nothing. Write $$ for the sign itself.")
    if unknown := set(template.get_identifiers()) - PLACES:
        known = ", ".join(sorted(PLACES))
        raise BrokenPrompt(
            f"{path} has ${min(unknown)}, which nothing fills in. There are: {known}."
        )
    return template


def _guide(path: Path, text: str) -> Guide:
    front = FRONT.match(text)
    key, _, listed = front[1].partition(":") if front else ("", "", "")
    words = [word.strip() for word in listed.split(",") if word.strip()]
    if front is None or key.strip() != "words" or not words:
        raise BrokenPrompt(
            f"{path} does not begin with the words by which its requests are known: "
            "a line ---, a line such as `words: video, film, 视频`, a line ---."
        )
    return Guide(path.stem, _any_of(path, words), text[front.end() :].strip())


def _any_of(path: Path, words: Sequence[str]) -> re.Pattern[str]:
    latin = "|".join(word for word in words if LATIN.match(word))
    others = [word for word in words if not LATIN.match(word)]
    together = "|".join([WHOLE.format(latin), *others] if latin else others)
    try:
        for word in (*words, together):
            pattern = re.compile(f"(?:{word})", re.IGNORECASE)
    except re.error as error:
        raise BrokenPrompt(f"{path}: {word!r} is no regular expression: {error}.") from error
    return pattern


def _texts(folder: Path) -> dict[str, tuple[Path, str]]:
    """The Markdown files of a folder, by name."""
    if not folder.is_dir():
        raise BrokenPrompt(f"There is no folder {folder}.")
    return {path.stem: (path, _text(path)) for path in sorted(folder.glob("*.md"))}


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(CHARS + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenPrompt(f"{path} cannot be read as UTF-8 text: {error}.") from error
    if len(text) > CHARS:
        raise BrokenPrompt(f"{path} has over {CHARS:,} characters. Keep what really helps.")
    return text
