"""What a model is to the loop, and the messages that pass between them."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from agent.events import ToolCall, Usage
from agent.hints import Waiting

# Of a model that nothing is known of; one with less says so when it is asked for more.
WINDOW = 128_000


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation.

    `assistant` messages may carry `calls`; every call is answered by one `tool` message whose
    `call` is the call's id. Their `reasoning` and `extra` (fields as the endpoint gave them) are
    sent back to endpoints that demand it. `images` are PNG or JPEG bytes shown beside the text.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    call: str = ""
    images: tuple[bytes, ...] = ()
    reasoning: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of text or reasoning as it is typed; an empty one is a heart beat."""

    text: str = ""
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's finished turn.

    `cut` says that it ended at the most that the model may write in one turn: a call in it may
    be incomplete.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    extra: Mapping[str, Any] = field(default_factory=dict)
    cut: bool = False

    def message(self) -> Message:
        """It as part of the conversation."""
        return Message(
            "assistant",
            self.text,
            calls=self.calls,
            reasoning=self.reasoning,
            extra=self.extra,
        )


class Model(Protocol):
    """Answers a conversation. One object may serve many runs at once: it keeps no state of them."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def window(self) -> int:
        """How many tokens a request and its answer may have together."""
        ...

    @property
    def sees(self) -> bool:
        """Whether pictures are for it; otherwise it is told of them in words."""
        ...

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Waiting | Reply, None, None]:
        """Yield `Delta`s, at least two a second (empty while waiting), and one `Reply`, last.

        While an endpoint that is busy or away is left in peace, `Waiting`s take their place.

        `tools` are OpenAI function schemas. Closing the generator ends the request at once.

        Raises:
            ContextOverflow: the endpoint says that the request is longer than its window.
            ModelUnavailable: no answer can be had; the message holds no secret.
        """
        ...
