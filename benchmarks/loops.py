"""Our loop against the scripted endpoint, as a worker runs it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from agent import Agent, DirectoryStore, Limits
from agent.events import Reason, RunEnded
from agent.inputs import Input
from agent.models.openai import OpenAIModel
from benchmarks import boxes
from benchmarks.server import MODEL, SUBMIT, Call, Endpoint, Record


def run(
    endpoint: Endpoint,
    calls: Sequence[Call],
    prompt: str = "Do nothing.",
    inputs: Sequence[Input] = (),
) -> Record:
    """A run in which the model says `calls` and then submits; what the endpoint saw of it."""
    with prepared(endpoint, calls) as agent:
        finish(agent, prompt, inputs)
    return endpoint.record()


@contextlib.contextmanager
def prepared(
    endpoint: Endpoint, calls: Sequence[Call], warm: boxes.Warm | None = None
) -> Iterator[Agent]:
    """An agent whose model will say `calls` and then submit, with a store of its own."""
    endpoint.script([*calls, SUBMIT])
    model = OpenAIModel(MODEL, api_key="none", base_url=endpoint.url)
    with tempfile.TemporaryDirectory() as folder:
        store = DirectoryStore(Path(folder))
        yield Agent(model, boxes.new(warm), store, Limits(turns=len(calls) + 1))


def finish(agent: Agent, prompt: str, inputs: Sequence[Input] = ()) -> None:
    """Run it to its end, which must be that the model submits."""
    *_, end = agent.run(prompt, inputs)
    assert isinstance(end, RunEnded)
    assert end.reason is Reason.SUBMITTED, end
