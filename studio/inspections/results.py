"""What an inspection told, which is a stranger's word: each field is bounded, or refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from studio.inspections.models import Role, Verdict

BYTES = 256 << 10
# The finding of who had no time, or no memory, to find anything.
UNCHECKED = "unchecked"
MOST_FACTS, MOST_FINDINGS, MOST_VALUES, MOST_ITEMS = 60, 60, 20, 50
TEXT_CHARS, WORD_CHARS, PEAKS = 500, 60, 1000
READ_CHARS = 20_000
LARGEST = 2**31 - 1
# How many bytes a preview may have, and the ending that says what it is.
LIMITS: Mapping[Role, int] = {
    Role.POSTER: 300 << 10,
    Role.WIDE: 300 << 10,
    Role.STRIP: 1 << 20,
    Role.PEAKS: 100 << 10,
    Role.SOUND: 8 << 20,
}
ENDINGS: Mapping[Role, str] = {
    Role.POSTER: "jpg",
    Role.WIDE: "jpg",
    Role.STRIP: "jpg",
    Role.PEAKS: "json",
    Role.SOUND: "mp3",
}


class Refused(ValueError):
    """What was told can't be believed; the message is for the log."""


def clean(text: Any) -> Any:
    """A text in one line of what can be printed, of at most 500 characters."""
    if not isinstance(text, str):
        return text
    plain = "".join(char if char.isprintable() else " " for char in text[: 2 * TEXT_CHARS])
    return " ".join(plain.split())[:TEXT_CHARS]


def readable(text: Any) -> Any:
    """At most 20,000 characters of it, with a space for whatever can't be printed."""
    if not isinstance(text, str):
        return text
    return "".join(char if char.isprintable() else " " for char in text[:READ_CHARS])


Text = Annotated[str, BeforeValidator(clean)]
Word = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Number = Annotated[float, Field(allow_inf_nan=False, ge=-1e15, le=1e15)]
Whole = Annotated[int, Field(ge=-(10**15), le=10**15)]
Simple = bool | Whole | Number | Text | None
Side = Annotated[int, Field(ge=1, le=LARGEST)]


class Told(BaseModel):
    """The base of what is read from JSON: nothing is taken for something else."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Finding(Told):
    level: Literal["fail", "warn"]
    code: Word
    text: Text
    values: Annotated[dict[Word, Simple], Field(max_length=MOST_VALUES)] = {}


class Drawn(Told):
    """A file that was made to show the inspected one."""

    role: Role = Field(strict=False)
    file: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,40}(\.[a-z0-9]{1,5})?$")]
    width: Side | None = None
    height: Side | None = None
    frames: Annotated[int, Field(ge=1, le=100)] | None = None


Fact = Simple | Annotated[list[Simple], Field(max_length=MOST_ITEMS)]
Facts = Annotated[dict[Text, Fact], Field(max_length=MOST_FACTS)]


class Report(Told):
    """All that `inspect` says of a file; see docs/inspection.md."""

    media_type: Annotated[str, StringConstraints(pattern=r"^[\w.+-]{1,60}/[\w.+-]{1,39}$")] | None
    facts: Facts = {}
    findings: Annotated[list[Finding], Field(max_length=MOST_FINDINGS)] = []
    width: Side | None = None
    height: Side | None = None
    seconds: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    blur: (
        Annotated[
            str,
            StringConstraints(
                pattern=r"^(data:image/jpeg;base64,[A-Za-z0-9+/]+={0,2})?$", max_length=1500
            ),
        ]
        | None
    ) = None
    previews: Annotated[list[Drawn], Field(max_length=20)] = []
    text: Annotated[str, BeforeValidator(readable)] = ""

    @property
    def verdict(self) -> Verdict:
        levels = {finding.level for finding in self.findings}
        if "fail" in levels:
            return Verdict.FAILED
        if any(finding.code == UNCHECKED for finding in self.findings):
            return Verdict.UNKNOWN
        return Verdict.WARNED if levels else Verdict.PASSED

    def fields(self) -> dict[str, Any]:
        """The fields of an `Inspection`."""
        kept = {"facts", "findings", "width", "height", "seconds"}
        return {
            **self.model_dump(mode="json", include=kept),
            "media_type": self.media_type or "",
            "blur": self.blur or "",
            "verdict": self.verdict,
        }


def report(said: bytes) -> Report:
    """What `inspect` printed.

    Raises:
        Refused: it is no report.
    """
    if len(said) > BYTES:
        raise Refused(f"It has over {BYTES >> 10} KB.")
    try:
        return Report.model_validate_json(said)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise Refused(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}") from error


class _Peaks(Told):
    peaks: Annotated[
        list[
            Annotated[list[Annotated[float, Field(ge=-1, le=1)]], Field(min_length=2, max_length=2)]
        ],
        Field(max_length=PEAKS),
    ]
    seconds: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


def preview(role: Role, data: bytes) -> bytes:
    """The bytes to keep of a preview.

    Raises:
        Refused: they are not what that role is for.
    """
    if len(data) > LIMITS[role]:
        raise Refused(f"a {role} has over {LIMITS[role]} bytes")
    match role:
        case Role.POSTER | Role.WIDE | Role.STRIP if _is_jpeg(data):
            return data
        case Role.SOUND if _is_mp3(data):
            return data
        case Role.PEAKS:
            try:
                peaks = _Peaks.model_validate_json(data)
            except ValidationError as error:
                raise Refused("the peaks are not what they should be") from error
            # Written anew: nothing is in it but numbers.
            return json.dumps(peaks.model_dump(mode="json"), separators=(",", ":")).encode()
    raise Refused(f"a {role} is something else")


def _is_jpeg(data: bytes) -> bool:
    return data[:3] == b"\xff\xd8\xff" and data[-2:] == b"\xff\xd9"


def _is_mp3(data: bytes) -> bool:
    return data[:3] == b"ID3" or (len(data) > 1 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0)


def distinct(previews: Iterable[Drawn]) -> list[Drawn]:
    """The first of each role."""
    return list({item.role: item for item in reversed(list(previews))}.values())
