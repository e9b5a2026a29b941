"""Sandboxes that know what `inspect` says, and do what one expects of bad files."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent.errors import SandboxUnavailable
from agent.sandbox import Exited, Printed
from agent.testing import MemorySandbox
from studio.inspections import inspector

POSTER = b"\xff\xd8\xff poster \xff\xd9"
GOOD = {"media_type": "image/png", "kind": "image", "facts": {"size": "4x4"}, "findings": []}

Says = Callable[["Bench", str, list[str]], dict[str, Any] | bytes]


class Bench(MemorySandbox):
    """`says` gets the file's path and all words of the command.

    It answers with a report, with bytes in the place of one, or by raising.
    """

    def __init__(self, says: Says) -> None:
        super().__init__()
        self.says = says
        self.inspected: list[str] = []
        self.closed = False
        self.reached = False

    def __exit__(self, *exc: object) -> None:
        self.closed = True

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        if "/usr/local/bin/inspect" not in command:
            self.files.clear()
            yield Exited(0)
            return
        told, _, report = command.partition(" > ")
        words = shlex.split(told)
        path = words[2].removeprefix("/workspace/output/")
        self.inspected.append(path)
        yield None
        try:
            said = self.says(self, path, words)
        except TimeoutError:
            yield Exited(124, timed_out=True)
        except MemoryError:
            yield Exited(137, reached=("memory",))
        else:
            data = said if isinstance(said, bytes) else json.dumps(said).encode()
            self.files[report] = data
            yield Exited(0, reached=("memory",) if self.reached else ())


def inspect_all() -> None:
    """Take turns until nothing waits, or somebody fails to see to that."""
    for _ in range(20):
        inspector.take_turn()


@pytest.fixture
def benches(monkeypatch: pytest.MonkeyPatch) -> Callable[[Says], list[Bench]]:
    """Makes the inspector use such sandboxes; returns those that it took."""

    def use(says: Says) -> list[Bench]:
        taken: list[Bench] = []

        def bench() -> Bench:
            if len(taken) > 30:
                raise SandboxUnavailable("There is no end of it.")
            taken.append(Bench(says))
            return taken[-1]

        monkeypatch.setattr(inspector, "bench", bench)
        return taken

    return use
