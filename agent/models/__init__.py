"""What a model is to the loop, and the messages that pass between them."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from agent.events import ToolCall, Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation.

    `assistant` messages may carry `calls`; every call is answered by one `tool` message whose
    `call` is the call's id. `images` are PNG or JPEG bytes shown beside the text.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    call: str = ""
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of text as it is typed; an empty one is a heart beat."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's finished turn."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)


class Model(Protocol):
    """Answers a conversation. One object may serve many runs at once: it keeps no state of them."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Reply, None, None]:
        """Yield `Delta`s, at least two a second (empty while waiting), and one `Reply`, last.

        `tools` are OpenAI function schemas. Closing the generator ends the request at once.

        Raises:
            ModelUnavailable: no answer can be had; the message holds no secret.
        """
        ...
