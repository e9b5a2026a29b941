"""Runs a request the whole way: the real loop, tools and sandbox, and the files on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from agent import Agent, DockerSandbox, Exchange, Input, RecipeModel
from agent.events import ArtifactRemoved, ArtifactSaved, Event, Reason, RunEnded
from agent.store import DirectoryStore

RunRecipe = Callable[..., tuple[list[Event], Path]]


@pytest.fixture
def run_recipe(tmp_path: Path) -> RunRecipe:
    """`run_recipe(prompt, inputs=(), history=())`: the events, and a folder with the files.

    `inputs` are paths, `history` earlier `Exchange`s. The run must end submitted.
    """
    store = DirectoryStore(tmp_path / "store")

    def run(
        prompt: str, inputs: Sequence[Path] = (), history: Sequence[Exchange] = ()
    ) -> tuple[list[Event], Path]:
        agent = Agent(RecipeModel(), DockerSandbox(), store=store)
        given = [Input.from_path(path) for path in inputs]
        events = [e for e in agent.run(prompt, given, history) if isinstance(e, Event)]
        ended = events[-1]
        assert isinstance(ended, RunEnded)
        assert ended.reason is Reason.SUBMITTED, ended
        folder = tmp_path / f"output-{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        for event in events:
            if isinstance(event, ArtifactSaved):
                target = folder / event.path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(b"".join(store.open(event.digest)))
            elif isinstance(event, ArtifactRemoved):
                (folder / event.path).unlink()
        return events, folder

    return run
