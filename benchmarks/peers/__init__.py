"""The programs that run in the peers' virtualenv; each answers a line of JSON with a round."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

Sampler = Callable[..., Sequence[float]]


def serve(opened: Callable[[], AbstractContextManager[Sampler]]) -> None:
    """Answer every line of standard input with what the sampler gives for its fields."""
    # What a peer prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with opened() as samples:
        for line in sys.stdin:
            print(json.dumps(list(samples(**json.loads(line)))), file=answers, flush=True)
