"""What happens in a run: frozen facts in the past tense, in the order they happened.

Whoever keeps them (the studio's journal, the command line) numbers them 1..n per run.
What may be lost is a `Hint` and gets no number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, ClassVar


class Reason(StrEnum):
    """Why a run ended."""

    SUBMITTED = "submitted"
    STOPPED = "stopped"
    NO_RESULT = "no_result"
    TURN_LIMIT = "turn_limit"
    TIME_LIMIT = "time_limit"
    MODEL_UNAVAILABLE = "model_unavailable"
    SANDBOX_UNAVAILABLE = "sandbox_unavailable"
    STORAGE_FULL = "storage_full"
    INTERRUPTED = "interrupted"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model turn as the provider counted them; zero where it did not say."""

    input: int = 0
    output: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Resources:
    """What a sandbox used: CPU seconds of all its processes, the most bytes of memory at once, the
    bytes in its workspace, and those that went into it and came out.
    """

    cpu_seconds: float = 0.0
    peak_memory: int = 0
    disk: int = 0
    bytes_in: int = 0
    bytes_out: int = 0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish: `arguments` is the JSON text as the model wrote it, unchecked."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The base of all events; `kind` is its name on the wire and in the database."""

    kind: ClassVar[str]

    def data(self) -> dict[str, Any]:
        """Its fields as JSON-ready values, without the kind."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(Event):
    kind: ClassVar[str] = "run.started"
    prompt: str
    model: str
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxReady(Event):
    kind: ClassVar[str] = "sandbox.ready"
    sandbox: str
    image: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpoke(Event):
    kind: ClassVar[str] = "model.spoke"
    turn: int
    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted(Event):
    kind: ClassVar[str] = "tool.started"
    call: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPrinted(Event):
    """A piece of a command's output."""

    kind: ClassVar[str] = "tool.printed"
    call: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinished(Event):
    """`output` is what the model is told; `exit_code` is None for tools that are not commands."""

    kind: ClassVar[str] = "tool.finished"
    call: str
    output: str
    failed: bool = False
    exit_code: int | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactSaved(Event):
    """A file of the output folder settled; its `size` bytes are in the store under `digest`."""

    kind: ClassVar[str] = "artifact.saved"
    path: str
    digest: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactSkipped(Event):
    """A file of the output folder could not be kept; `why` is a sentence for people."""

    kind: ClassVar[str] = "artifact.skipped"
    path: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactRemoved(Event):
    """A file that had been saved is no longer in the output folder."""

    kind: ClassVar[str] = "artifact.removed"
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceSaved(Event):
    """The workspace as the run left it: a gzipped tar in the store under `digest`."""

    kind: ClassVar[str] = "workspace.saved"
    digest: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded(Event):
    """The last event. `message` says the cause to a person; `summary` is the model's own word."""

    kind: ClassVar[str] = "run.ended"
    reason: Reason
    message: str
    summary: str = ""
    turns: int = 0
    usage: Usage = field(default_factory=Usage)
    resources: Resources = field(default_factory=Resources)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Hint:
    """Text the model is typing right now: only for show, superseded by `model.spoke`."""

    text: str
