"""The conversation as the model is told it, kept within its window.

What has been told stays the same bytes from request to request, so that providers find it in
their caches. Only when the window is nearly full is it made shorter, by much at once, so that
this is rare: results and arguments of all but the last turns are put aside; where that is not
enough, a summary by the model takes the place of everything between the request and these turns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.calls import Steps
from agent.conversation import SUMMARISE, summed, words
from agent.errors import ContextOverflow, ModelUnavailable
from agent.events import ContextCompacted, Usage
from agent.models import Message, Reply
from agent.shortening import cut, cut_to, masked, told_briefly
from agent.tokens import counted, most

RESERVE = 8_000  # tokens for the answer, less in small windows
FULL = 0.8
KEPT_TURNS = 3
# A provider's count is believed when it is somewhere near what the text can have.
BYTES_PER_TOKEN, TOKENS_PER_BYTE = 20, 4
CHARS_PER_TOKEN = 4
SMALLEST = 1_000
# How endpoints say how much they take; none of it is anybody's standard.
WINDOWS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:context|window|n_ctx|max_model_len)\D{0,40}?(\d[\d,]{2,9})",
        r"(?:maximum|limit|at most|up to)\D{0,40}?(\d[\d,]{2,9})",
        r"(?:>|exceeds?)\D{0,20}?(\d[\d,]{2,9})",
        r"\[\s*\d+\s*,\s*(\d{3,9})\s*\]",
    )
]

Tell = Callable[[Sequence[Message]], Steps[Reply]]


class Context:
    """The messages of a run; those it begins with, and what the user says, are never lost."""

    def __init__(
        self,
        opening: Sequence[Message],
        window: int,
        tools: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.messages = list(opening)
        self._opening = len(opening)
        self._window = window
        self._tools = len(json.dumps(tools)) // CHARS_PER_TOKEN
        # The first `_measured` messages and the tools have `_size` tokens, the others `_new` at
        # most. `_sums` is what the first 0, 1, 2 … messages have as we count.
        self._measured, self._size = 0, self._tools
        self._sums = [self._tools]
        self._new = sum(map(most, opening))
        self._most = self._tools * CHARS_PER_TOKEN + self._new
        self._scale = 1.0
        self._overflowed = False

    def add(self, *messages: Message) -> None:
        """Take in what was said; results that fill more than half of the window are cut."""
        at_most = sum(map(most, messages))
        if self._size + self._new + at_most > self._limit:
            self._tokens()
            if at_most > (share := self._unscaled(self._room // 2)):
                messages = tuple(cut(messages, share))
                at_most = sum(map(most, messages))
        self.messages += messages
        self._grow(at_most)

    def remark(self, text: str) -> None:
        """Add a word to the last message, which has not been told yet."""
        last = self.messages[-1]
        self.messages[-1] = replace(last, text=f"{last.text}\n\n{text}")
        self._grow(len(text.encode()) + 2)

    def measured(self, usage: Usage) -> None:
        """Learn from what the provider counted for all messages so far."""
        self._overflowed = False
        if self._most / BYTES_PER_TOKEN <= usage.input <= self._most * TOKENS_PER_BYTE:
            self._known(usage.input)

    def overflowed(self, refusal: ContextOverflow) -> None:
        """Learn that the endpoint takes less than was thought.

        Raises:
            ModelUnavailable: it said so twice in a row.
        """
        size = self._tokens()
        if self._overflowed:
            raise ModelUnavailable(
                f"The conversation was made shorter, to about {size:,} tokens, and is still too "
                f"long for the model. Set the model's window to what it takes. ({refusal})"
            ) from None
        self._overflowed = True
        self._window = min(self._window, _named(str(refusal), size) or size * 3 // 4)
        self._known(max(size, self._window))

    def make_room(self, tell: Tell) -> Steps[None]:
        """Make the conversation shorter if it nearly fills the window; `tell` asks the model.

        Raises:
            ModelUnavailable: nothing can be left out, or what `tell` raises.
        """
        if self._size + self._new <= self._limit or self._tokens() <= self._limit:
            return
        before, usage, summary = self._tokens(), Usage(), ""
        opening, older, latest = self._parts()
        if not latest:
            if self._overflowed:
                raise self._hopeless(before)
            return  # The endpoint will say whether it takes the request alone.
        short = [masked(message) for message in older]
        put_aside = sum(
            was is not now and was.role == "tool" for was, now in zip(older, short, strict=True)
        )
        if older and self._scaled([*opening, *short, *latest]) > self._limit - self._room * 2 // 3:
            source = self.messages
            if before + self._reserve > self._window:
                source = [*opening, *short, *latest]
            summary, usage = yield from self._summarised(source, tell)
            summary = self._bounded(summary or told_briefly(older))
            short, put_aside = summed(summary, words(older)), 0
        left = self._unscaled(self._room) - sum(map(counted, short))
        if sum(map(counted, latest)) > left:
            latest = cut([masked(m) if m.calls else m for m in latest], left)
        self._restart([*opening, *short, *latest])
        if (after := self._tokens()) > self._window:
            raise self._hopeless(after)
        yield ContextCompacted(
            masked=put_aside,
            summary=summary,
            tokens_before=before,
            tokens_after=after,
            usage=usage,
        )

    @property
    def _reserve(self) -> int:
        return min(self._window // 8, RESERVE)

    @property
    def _limit(self) -> int:
        """The tokens at which there is too little room for more."""
        return int((self._window - self._reserve) * FULL)

    @property
    def _room(self) -> int:
        """The tokens for all but what is never lost: after a long request half of the rest."""
        opening = round(self._sums[self._opening] * self._scale)
        return max(0, self._limit - opening, (self._window - self._reserve - opening) // 2)

    def _parts(self) -> tuple[list[Message], list[Message], list[Message]]:
        """What is never lost, what may be, and the last turns as far as they are not too long."""
        opening, rest = self.messages[: self._opening], self.messages[self._opening :]
        starts = [place for place, message in enumerate(rest) if message.role == "assistant"]
        kept = starts[-1:] or [len(rest)]
        for start in reversed(starts[-KEPT_TURNS:-1]):
            if self._overflowed or self._scaled(rest[start:]) > self._room // 4:
                break
            kept = [start]
        return opening, rest[: kept[0]], rest[kept[0] :]

    def _summarised(self, messages: Sequence[Message], tell: Tell) -> Steps[tuple[str, Usage]]:
        """The model's own summary, if it writes one."""
        if self._scaled(messages) + self._reserve > self._window:
            return "", Usage()
        try:
            reply = yield from tell([*messages, Message("user", SUMMARISE)])
        except ContextOverflow:
            return "", Usage()
        return reply.text.strip(), reply.usage

    def _bounded(self, summary: str) -> str:
        return cut_to(Message("assistant", summary), self._unscaled(self._room // 6)).text

    def _hopeless(self, tokens: int) -> ModelUnavailable:
        return ModelUnavailable(
            f"The request alone takes about {tokens:,} tokens, and the model's window has "
            f"{self._window:,}. Give long texts as files, or set or connect a larger window."
        )

    def _grow(self, at_most: int) -> None:
        self._new += at_most
        self._most += at_most

    def _known(self, size: int) -> None:
        """Take in the provider's word for what all messages so far have."""
        self._measured, self._size, self._new = len(self.messages), size, 0

    def _restart(self, messages: list[Message]) -> None:
        self.messages, self._sums = messages, [self._tools]
        self._measured, self._size = 0, round(self._tools * self._scale)
        self._new = sum(map(most, messages))
        self._most = self._tools * CHARS_PER_TOKEN + self._new

    def _tokens(self) -> int:
        """Tokens of the next request, as the provider may count them; learns at what rate."""
        for message in self.messages[len(self._sums) - 1 :]:
            self._sums.append(self._sums[-1] + counted(message))
        if self._measured:
            self._scale = min(4.0, max(0.5, self._size / self._sums[self._measured]))
        self._new = round((self._sums[-1] - self._sums[self._measured]) * self._scale)
        return self._size + self._new

    def _scaled(self, messages: Sequence[Message]) -> int:
        """Tokens of a request with these messages, as the provider may count them."""
        return round((self._tools + sum(map(counted, messages))) * self._scale)

    def _unscaled(self, tokens: int) -> int:
        return int(tokens / self._scale)


def _named(refusal: str, size: int) -> int:
    """The window that an endpoint names when it refuses so many tokens; 0 if it names none."""
    for pattern in WINDOWS:
        for found in pattern.findall(refusal):
            # A code of an error is a number, too.
            if (tokens := int(found.replace(",", ""))) >= max(SMALLEST, size // 20):
                return tokens
    return 0
