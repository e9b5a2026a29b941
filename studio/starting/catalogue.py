"""Where people can start: requests with blanks, which the built-in recipes can carry out."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, override

from studio.projects.requests import BadRequest

HERE = Path(__file__).parent
LANGUAGES = {"en": "en", "zh": "zh-hans"}
"""Of the lists of points, and as Django calls them."""
LEAP_YEAR = 2000
LINE = 60


@dataclass(frozen=True)
class Field:
    """A blank of a request: of `choices` (value → words), a `text`, a `number` or a `date`.

    `reads` are the parameters of the recipe in which what was chosen arrives.
    """

    name: str
    language: str
    label: str
    reads: tuple[str, ...]
    choices: Mapping[str, str]
    value: str
    kind: str
    least: int = 0
    most: int = 0

    @property
    def usual(self) -> str:
        """What stands in the request at first."""
        return self.words(self.value)

    @property
    def initial(self) -> str:
        """What its control has at first: of a date the next such day."""
        if self.kind != "date":
            return self.value
        today = timezone.localdate()
        year = today.year + (self.value < f"{today:%m-%d}")
        return f"{year}-{self.value}"

    @property
    def long(self) -> bool:
        """Whether it takes lines of its own."""
        return self.kind == "text" and self.most > LINE

    def words(self, value: str) -> str:
        """What stands in the request for a value.

        Raises:
            BadRequest: nothing of this kind was given.
        """
        value = " ".join(value.replace("\0", "").split())
        if self.kind == "choice":
            words = self.choices.get(value, "")
        elif self.kind == "number":
            given = int(value) if re.fullmatch(r"[0-9]{1,9}", value) else 0
            words = str(given) if self.least <= given <= self.most else ""
        elif self.kind == "date":
            words = _day(value, self.language)
        else:
            words = value if len(value) <= self.most else ""
        if not words:
            raise BadRequest(
                gettext("“%(label)s” can’t be used like this. Fill it in again.")
                % {"label": self.label}
            )
        return words


@dataclass(frozen=True)
class Point:
    """A request to start from; with a `table`, one that needs data, and an example of it."""

    language: str
    name: str
    kind: str
    title: str
    request: str
    fields: Mapping[str, Field]
    table: str = ""

    @property
    def key(self) -> str:
        return f"{self.language}/{self.name}"

    @property
    def html_language(self) -> str:
        return LANGUAGES[self.language]

    @property
    def parts(self) -> Iterator[tuple[str, Field | None]]:
        """The request as texts, each with the field that follows it."""
        for piece in self.request.split("{"):
            name, brace, text = piece.partition("}")
            if brace:
                yield "", self.fields[name]
            yield text if brace else name, None

    def filled(self, values: Mapping[str, str]) -> str:
        """The request with these values, and with the usual ones where there are none.

        Raises:
            BadRequest: one of them can't be used.
        """
        words = {
            name: field.words(values.get(name, field.value)) for name, field in self.fields.items()
        }
        return self.request.format(**words)

    def read_table(self) -> bytes:
        return (HERE / "tables" / self.table).read_bytes() if self.table else b""

    @property
    def digest(self) -> str:
        """Another one when something else would be made of it."""
        asked = self.filled({}).encode()
        return hashlib.sha256(asked + b"\0" + self.read_table()).hexdigest()


@cache
def points() -> tuple[Point, ...]:
    """All of them, language by language, in the order in which they are shown."""
    found = []
    for language in LANGUAGES:
        text = (HERE / "points" / f"{language}.toml").read_text(encoding="utf-8")
        for about in tomllib.loads(text)["points"]:
            fields = {name: _field(name, language, of) for name, of in about.pop("fields").items()}
            found.append(Point(language=language, fields=fields, **about))
    return tuple(found)


def point(language: str, name: str) -> Point | None:
    return next((each for each in points() if (each.language, each.name) == (language, name)), None)


def of_language(code: str | None) -> list[Point]:
    """Those for who reads this language, as Django names it."""
    wanted = "zh" if (code or "").startswith("zh") else "en"
    return [each for each in points() if each.language == wanted]


def _field(name: str, language: str, about: dict) -> Field:
    about = dict(about)
    choices = about.pop("choices", {})
    kind = next((each for each in ("text", "number", "date") if each in about), "choice")
    if not isinstance(choices, dict):
        choices = {words: words for words in choices}
    return Field(
        name=name,
        language=language,
        label=about.pop("label"),
        reads=tuple(about.pop("reads")),
        choices=choices,
        value=next(iter(choices)) if choices else str(about.pop(kind)),
        kind=kind,
        **about,
    )


def _day(value: str, language: str) -> str:
    """A day such as `2027-04-17`, or each year's `04-17`, in words without a year."""
    try:
        day = date.fromisoformat(value if len(value) > 5 else f"{LEAP_YEAR}-{value}")
    except ValueError:
        return ""
    with override(LANGUAGES[language]):
        return date_format(day, "n月j日" if language == "zh" else "j F")
