"""A run in memory, and what a test wants to know of it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent import Agent, DirectoryStore, Limits
from agent.events import Event, RunEnded, RunPaused
from agent.hints import Hint
from agent.models import Reply
from agent.testing import MemorySandbox, ScriptedModel


class Run:
    """A finished run: its events, its model, its sandbox and its store."""

    def __init__(
        self,
        store: DirectoryStore,
        replies: Sequence[Reply | Exception],
        *,
        prompt: str = "Make a file.",
        limits: Limits | None = None,
        **given: Any,
    ) -> None:
        self.store = store
        self.model = ScriptedModel(replies)
        self.sandbox = MemorySandbox()
        agent = Agent(self.model, self.sandbox, store, limits)
        items = list(agent.run(prompt, **given))
        self.events = [item for item in items if isinstance(item, Event)]
        self.hints = [item for item in items if isinstance(item, Hint)]

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    @property
    def end(self) -> RunEnded | RunPaused:
        last = self.events[-1]
        assert isinstance(last, RunEnded | RunPaused)
        return last

    def all(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def content(self, path: str) -> bytes:
        """The bytes of the newest artifact of that path, from the store."""
        from agent.events import ArtifactSaved

        saved = [event for event in self.all(ArtifactSaved) if event.path == path]
        return b"".join(self.store.open(saved[-1].digest))


@pytest.fixture
def store(tmp_path: Path) -> DirectoryStore:
    return DirectoryStore(tmp_path / "blobs")


@pytest.fixture
def play(store: DirectoryStore) -> Callable[..., Run]:
    """Play a script of replies in memory."""

    def play(*replies: Reply | Exception, **given: Any) -> Run:
        return Run(store, replies, **given)

    return play
