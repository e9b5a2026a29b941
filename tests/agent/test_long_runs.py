"""Runs that say more than their model can read at once, and what they cost."""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from agent import Agent, DirectoryStore, Limits
from agent.conversation import opening, system_prompt
from agent.errors import ContextOverflow
from agent.events import ContextCompacted, Event, ModelSpoke, Reason, RunPaused, ToolCall, Usage
from agent.models import WINDOW, Message, Model, Reply
from agent.models.dialect import Dialect
from agent.models.openai import OpenAIModel
from agent.sandbox.confinement import Confinement
from agent.testing import MemorySandbox, ScriptedEndpoint, ScriptedModel, bash, submit
from agent.tokens import counted

RECORDINGS = Path(__file__).parents[1] / "recordings"
OUTPUTS = 64
FIRST, LAST = "echo first > output/first.txt", "echo last > output/last.txt"


def tokens(messages: Sequence[Message]) -> int:
    return sum(map(counted, messages))


class WindowedModel(ScriptedModel):
    """A scripted model that counts what it is told, and refuses what is over `hard` tokens."""

    def __init__(self, replies: Sequence[Reply], *, window: int, hard: int) -> None:
        super().__init__(replies, window=window)
        self.hard = hard
        self.refused = 0
        self.tools: Sequence[Mapping[str, Any]] = ()

    def reply(self, messages, tools):
        self.tools = tools
        size = tokens(messages) + counted(Message("system", json.dumps(tools)))
        if size > self.hard:
            self.refused += 1
            raise ContextOverflow(f"maximum context length is {self.hard} tokens, got {size}")
        if messages[-1].text.startswith("[This conversation nearly fills"):
            self.asked.append(list(messages))
            yield Reply("A summary: the files are being read.", usage=Usage(size, 10))
            return
        for piece in super().reply(messages, tools):
            yield (
                Reply(piece.text, calls=piece.calls, usage=Usage(size, 50))
                if isinstance(piece, Reply)
                else piece
            )


def long_session() -> tuple[list[Reply], MemorySandbox]:
    """A script that reads 128K tokens of files, and the computer that has them."""
    sandbox = MemorySandbox()
    for number in range(OUTPUTS):
        lines = [f"{number:02} {line:03} all is as it should be" for line in range(200)]
        sandbox.files[f"/workspace/{number}.txt"] = "\n".join(lines).encode()
    reads = [bash(f"cat {number}.txt") for number in range(OUTPUTS)]
    return [bash(FIRST), *reads, bash(LAST), submit("Read.")], sandbox


def run(model: Model, sandbox: MemorySandbox, store: DirectoryStore) -> list[Event]:
    agent = Agent(model, sandbox, store)
    return [item for item in agent.run("Read the files.") if isinstance(item, Event)]


def requests(model: ScriptedModel) -> list[bytes]:
    """The messages of each request as they go over the wire, without the closing bracket."""
    dialect = Dialect("m", sees=False)
    bodies = [dialect.request(messages, ())["messages"] for messages in model.asked]
    return [json.dumps(body, ensure_ascii=False).encode()[:-1] for body in bodies]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The long session in a window of 32K: its model, its computer and its events."""
    replies, sandbox = long_session()
    model = WindowedModel(replies, window=32_768, hard=32_768)
    store = DirectoryStore(tmp_path_factory.mktemp("blobs"))
    return model, sandbox, run(model, sandbox, store)


def test_128k_tokens_of_output_go_through_a_window_of_32k(played):
    model, sandbox, events = played
    assert events[-1].reason is Reason.SUBMITTED
    assert model.refused == 0
    outputs = [f"/workspace/{number}.txt" for number in range(OUTPUTS)]
    told = tokens([Message("tool", sandbox.files[path].decode()) for path in outputs])
    assert told > 128_000
    newest = sandbox.files["/workspace/63.txt"].decode()
    for messages in model.asked:
        assert [message.role for message in messages[:2]] == ["system", "user"]
        assert messages[1].text == "Read the files."
        wishes = [wish.id for message in messages for wish in message.calls]
        assert wishes == [message.call for message in messages if message.role == "tool"]
    assert any(message.text == newest for message in model.asked[-1])

    compactions = [event for event in events if isinstance(event, ContextCompacted)]
    # Each frees two fifths of the window, so that many or fewer are needed.
    assert 5 <= len(compactions) <= told / (0.4 * 32_768)
    spent = events[-1].usage
    spoken = [event.usage for event in events if isinstance(event, ModelSpoke)]
    assert spent == sum([*spoken, *(event.usage for event in compactions)], Usage())


def test_between_compactions_each_request_begins_with_the_bytes_of_the_one_before(played):
    model, _, events = played
    changed = sum(not after.startswith(before) for before, after in pairwise(requests(model)))
    compactions = [event for event in events if isinstance(event, ContextCompacted)]
    summaries = [event for event in compactions if event.summary]
    assert len(requests(model)) == events[-1].turns + len(summaries)
    assert changed == len(compactions)


def test_an_endpoint_with_less_room_than_was_thought_is_understood(store):
    replies, sandbox = long_session()
    model = WindowedModel(replies, window=WINDOW, hard=32_768)
    events = run(model, sandbox, store)

    assert events[-1].reason is Reason.SUBMITTED
    assert model.refused == 1


@pytest.mark.slow
def test_a_server_that_takes_32k_tokens_is_never_asked_more_than_once_too_much(store):
    replies, sandbox = long_session()
    sizes: list[int] = []

    def answers():
        waiting = iter(replies)
        while True:
            body = server.requests[-1]
            sizes.append(counted(Message("user", json.dumps(body, ensure_ascii=False))))
            if sizes[-1] > 32_768:
                problem = "This model's maximum context length is 32768 tokens."
                yield 400, {"error": {"message": problem, "code": "context_length_exceeded"}}
            elif "write the summary" in body["messages"][-1]["content"]:
                yield Reply("A summary: the files are being read.", usage=Usage(sizes[-1], 10))
            else:
                yield replace(next(waiting), usage=Usage(sizes[-1], 50))

    with ScriptedEndpoint(answers()) as server:
        model = OpenAIModel("m", api_key="k", base_url=server.base_url, window=64_000)
        events = run(model, sandbox, store)

    assert events[-1].reason is Reason.SUBMITTED
    assert sum(size > 32_768 for size in sizes) == 1
    bodies = [json.dumps(body["messages"])[:-1] for body in server.requests]
    changed = sum(not after.startswith(before) for before, after in pairwise(bodies))
    assert changed == sum(isinstance(event, ContextCompacted) for event in events)


def test_an_endpoint_that_refuses_everything_is_told_of(store):
    model = WindowedModel([bash(FIRST)], window=32_768, hard=100)
    events = run(model, MemorySandbox(), store)
    assert events[-1].reason is Reason.MODEL_UNAVAILABLE
    assert "Give long texts as files" in events[-1].message
    assert model.refused == 1


def test_a_paused_run_goes_on_from_its_summary(store):
    replies, sandbox = long_session()
    model = WindowedModel(replies, window=16_000, hard=16_000)
    agent = Agent(model, sandbox, store, Limits(turns=40))
    earlier = [item for item in agent.run("Read the files.") if isinstance(item, Event)]
    assert isinstance(earlier[-1], RunPaused)
    summaries = [e.summary for e in earlier if isinstance(e, ContextCompacted) and e.summary]

    model.asked.clear()
    more = list(Agent(model, sandbox, store).run("Read the files.", earlier=earlier))
    assert more[-1].reason is Reason.SUBMITTED
    first = model.asked[0]
    assert [message.text for message in first[1:3]] == ["Read the files.", summaries[-1]]
    assert tokens(first) < 16_000


# What a prompt is spared


@pytest.mark.parametrize("line", ["a" * 10**6, "0.125, " * 142_857])
def test_of_a_line_of_a_megabyte_a_hundredth_goes_into_the_prompt(line, store):
    sandbox = MemorySandbox()
    sandbox.files["/workspace/line"] = line.encode()
    model = ScriptedModel([bash("cat line"), submit("Read.")])
    assert list(Agent(model, sandbox, store).run("Read it."))
    answer = model.asked[-1][-1]
    assert len(answer.text) <= len(line) / 100
    assert counted(answer) <= counted(Message("tool", line)) / 100


def recorded() -> tuple[str, list[Message]]:
    """The recorded run over a long manual: its request, and what model and tools said."""
    lines = (RECORDINGS / "policy-count.jsonl").read_text(encoding="utf-8").splitlines()
    _, request, *said = map(json.loads, lines)
    messages = []
    for message in said:
        calls = [
            ToolCall(wish["id"], wish["function"]["name"], wish["function"]["arguments"])
            for wish in message.get("tool_calls") or []
        ]
        answered = message.get("tool_call_id", "")
        text = message["content"] or ""
        messages.append(Message(message["role"], text, calls=tuple(calls), call=answered))
    return request["content"], messages


def prompts(start: Sequence[Message], said: Sequence[Message]) -> list[int]:
    """The tokens of each request of a run."""
    turns = [place for place, message in enumerate(said) if message.role == "assistant"]
    return [tokens([*start, *said[:place]]) for place in turns]


def test_a_long_document_as_a_file_takes_an_eighth_of_the_prompt_tokens():
    request, said = recorded()
    manual = gzip.decompress((RECORDINGS / "inputs/policy.txt.gz").read_bytes()).decode()
    system = system_prompt(Limits(), Confinement(), sees=False)
    given = opening(system, request, ["policy.txt"], ())
    pasted = opening(system, f"{request}\n\n{manual}", (), ())

    # All requests of the run, against as many with the document in the prompt.
    assert sum(prompts(given, said)) * 8 <= sum(prompts(pasted, said))
    # All that the model reads in the run, each thing once, against the document alone.
    assert max(prompts(given, said)) * 4 <= tokens([Message("user", manual)])
