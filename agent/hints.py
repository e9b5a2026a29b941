"""What is only for show while a run goes on: it may be lost, and is never numbered or kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Hint:
    """The end of what the model is typing right now, superseded by `model.spoke`.

    `thinking` says that it is the model's reasoning.
    """

    text: str
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """What holds the model up, and the seconds until it is asked again.

    `why` is one of "busy" (429, 503, 529, overloaded), "error" (other 5xx) and "connection".
    """

    why: Literal["busy", "error", "connection"]
    seconds: float


@dataclass(frozen=True, slots=True)
class Rendering:
    """How far the running command has come by what it prints: 0..1, or None where nobody knows.

    `note` is a short piece of what it printed, such as "frame 120 of 450".
    """

    fraction: float | None
    note: str


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A whole picture, or the sound so far, of something that is still being made.

    `path` is a label below the workspace; the bytes are in the store under `digest`.
    """

    path: str
    digest: str
    size: int
    media: Literal["image", "audio"]
