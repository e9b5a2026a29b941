"""Counts the tokens of requests as LiteLLM does, with a vocabulary that it brings along."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence

import litellm

from benchmarks.peers import Sampler, serve


@contextlib.contextmanager
def opened() -> Iterator[Sampler]:
    """The tokens of each body."""

    def samples(bodies: Sequence[str]) -> Sequence[float]:
        return [_tokens(**json.loads(body)) for body in bodies]

    yield samples


def _tokens(messages: object, tools: object = None, **_: object) -> float:
    return float(litellm.token_counter(model="gpt-4o", messages=messages, tools=tools))


if __name__ == "__main__":
    serve(opened)
