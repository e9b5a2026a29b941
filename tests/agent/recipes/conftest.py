"""Runs a request the whole way: the real loop, tools and sandbox, and the files on the host."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent import Agent, DockerSandbox, Exchange, Input, RecipeModel
from agent.events import ArtifactRemoved, ArtifactSaved, Event, Reason, RunEnded
from agent.models import Message, Reply
from agent.store import DirectoryStore

RunRecipe = Callable[..., tuple[list[Event], Path]]


def handed(*requests: str) -> dict[str, str]:
    """What the model writes for the last of a project's requests: texts by their paths."""
    messages = [Message("system", "")]
    for request in requests:
        messages += [Message("user", request), Message("assistant", "Done.")]
    *_, reply = RecipeModel().reply(messages[:-1], [])
    assert isinstance(reply, Reply)
    asked = [json.loads(call.arguments) for call in reply.calls]
    return {a["path"]: a["file_text"] for a in asked}


def written(*requests: str) -> dict[str, Any]:
    """The parameters that the model writes for the last of a project's requests."""
    return dict(json.loads(handed(*requests)["/workspace/recipe.json"]))


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
