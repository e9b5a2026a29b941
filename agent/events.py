"""What happens in a run: frozen facts in the past tense, in the order they happened.

Whoever keeps them (the studio's journal, the command line) numbers them 1..n per run.
What may be lost (`agent.hints`) gets no number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Literal

from pydantic import TypeAdapter, ValidationError

from agent.hints import Glimpse, Hint, Rendering, Waiting


class Reason(StrEnum):
    """Why a run ended."""

    SUBMITTED = "submitted"
    STOPPED = "stopped"
    NO_RESULT = "no_result"
    TURN_LIMIT = "turn_limit"
    TIME_LIMIT = "time_limit"
    TOKEN_LIMIT = "token_limit"
    COST_LIMIT = "cost_limit"
    DAY_LIMIT = "day_limit"
    REPEATING = "repeating"
    MODEL_UNAVAILABLE = "model_unavailable"
    SANDBOX_UNAVAILABLE = "sandbox_unavailable"
    STORAGE_FULL = "storage_full"
    INTERRUPTED = "interrupted"
    CRASHED = "crashed"


# What a run pauses for, to ask whether it should go on; for all else it ends.
PAUSES = frozenset(
    {
        Reason.TURN_LIMIT,
        Reason.TIME_LIMIT,
        Reason.TOKEN_LIMIT,
        Reason.COST_LIMIT,
        Reason.DAY_LIMIT,
        Reason.REPEATING,
    }
)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them, zero where it did not say; `cached` are among `input`.

    `cost` is in the currency of the model's prices, zero where it has none.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        return self.input + self.output

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.cost + other.cost,
        )


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
    """`system` is the system prompt that the model is given."""

    kind: ClassVar[str] = "run.started"
    prompt: str
    model: str
    inputs: tuple[str, ...] = ()
    system: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxReady(Event):
    kind: ClassVar[str] = "sandbox.ready"
    sandbox: str
    image: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpoke(Event):
    """A turn of the model; `cut` says that it ended at the most it may write in one.

    The last call of one that was cut is not run.
    """

    kind: ClassVar[str] = "model.spoke"
    turn: int
    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    cut: bool = False
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class UserSteered(Event):
    """The user said something while the run went on; the model is told at its next turn."""

    kind: ClassVar[str] = "user.steered"
    text: str


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
class ArtifactInspected(Event):
    """Somebody looked into a saved file; the only event that may come after the run has ended.

    `verdict` is `passed`, `warned` (a person should look), `failed` (broken for whoever opens it)
    or `unknown` (it could not be inspected).
    """

    kind: ClassVar[str] = "artifact.inspected"
    path: str
    digest: str
    verdict: Literal["passed", "warned", "failed", "unknown"]


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
class ContextCompacted(Event):
    """The conversation had outgrown the model's window.

    Of `masked` older results only a word is left in it; `summary` stands for all that was said
    before it, if it is not empty. Sizes are estimates in tokens.
    """

    kind: ClassVar[str] = "context.compacted"
    masked: int
    summary: str = ""
    tokens_before: int
    tokens_after: int
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPaused(Event):
    """The last event for now: a limit is reached, and a person is asked whether to go on.

    `message` says which limit; turns, usage and seconds are those of the whole run so far.
    """

    kind: ClassVar[str] = "run.paused"
    reason: Reason
    message: str
    turns: int = 0
    usage: Usage = field(default_factory=Usage)
    resources: Resources = field(default_factory=Resources)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResumed(Event):
    """Somebody said to go on with a paused run; a new sandbox follows, with the old workspace."""

    kind: ClassVar[str] = "run.resumed"
    model: str


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


Shown = Event | Hint | Waiting | Rendering | Glimpse

KINDS: Mapping[str, type[Event]] = {
    item.kind: item
    for item in list(globals().values())
    if isinstance(item, type) and issubclass(item, Event) and item is not Event
}


def from_data(kind: str, data: Mapping[str, Any]) -> Event:
    """The event whose `data()` went through JSON; unknown fields are left out, others checked.

    Raises:
        ValueError: there is no such kind, or a field is missing or not what it should be.
    """
    if kind not in KINDS:
        raise ValueError(f"There is no event {kind[:80]!r}.")
    try:
        return _reader(kind).validate_python(data)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, wrong["loc"])) or "it"
        found = repr(wrong["input"])[:80]
        raise ValueError(f"This is no {kind}: {where}: {wrong['msg']}: {found}.") from error


@cache
def _reader(kind: str) -> TypeAdapter[Event]:
    return TypeAdapter(KINDS[kind])
