"""One run through the dialect of every server; and what the documentation says of them."""

import itertools
import json
from pathlib import Path

import pytest

from agent import Agent, OpenAIModel
from agent.events import Event, ModelSpoke, Reason, RunEnded, Usage
from agent.models import Reply
from agent.store import DirectoryStore
from agent.testing import MemorySandbox, call
from agent.testing.dialects import SERVERS, scripted

DOCUMENT = Path(__file__).parents[3] / "docs/models.md"
PAGE = "<p>A “<function=x>” & 'more'\n\tof it</p>\n"
SCRIPT = [
    Reply(
        "I make both files.",
        "Two commands at once.",
        (
            call("execute_bash", command="echo hi > output/a.txt"),
            call("execute_bash", command="echo 你好 > output/b.txt", timeout=5),
        ),
        Usage(100, 10, 40),
    ),
    Reply(
        reasoning="Now the page, and a look.",
        calls=(
            call(
                "str_replace_editor",
                command="create",
                path="/workspace/output/c.html",
                file_text=PAGE,
            ),
            call("execute_bash", command="cat output/b.txt"),
        ),
        usage=Usage(200, 20, 100),
    ),
    Reply("I am about to submit."),
    Reply(calls=(call("submit", summary="Three files."),), usage=Usage(300, 30)),
]


def told(event):
    """What every server has to lead to: ids, times and tokens are its own."""
    data = event.data()
    for name in ("id", "call", "seconds", "usage", "extra", "reasoning", "model", "sandbox"):
        data.pop(name, None)
    if isinstance(event, ModelSpoke):
        data["calls"] = [(one.name, json.loads(one.arguments)) for one in event.calls]
    return (event.kind, data)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return run_through("openai", tmp_path_factory.mktemp("store"))[0]


def run_through(name, folder):
    with scripted(SERVERS[name], SCRIPT) as endpoint:
        model = OpenAIModel("m", api_key="k", base_url=endpoint.base_url)
        run = list(Agent(model, MemorySandbox(), DirectoryStore(folder)).run("Three files."))
    events = [item for item in run if isinstance(item, Event)]
    return events, endpoint.requests


@pytest.mark.parametrize("name", SERVERS)
def test_a_run_is_the_same_through_every_dialect(name, expected, tmp_path):
    events, requests = run_through(name, tmp_path)

    assert [told(event) for event in events] == [told(event) for event in expected]
    assert isinstance(events[-1], RunEnded)
    assert events[-1].reason is Reason.SUBMITTED
    spoke = [event for event in events if isinstance(event, ModelSpoke)]
    server = SERVERS[name]
    if server.thinks:
        assert [event.reasoning for event in spoke] == [reply.reasoning for reply in SCRIPT]
    if server.counts:
        assert [event.usage.tokens for event in spoke] == [reply.usage.tokens for reply in SCRIPT]
    refused = len(requests) - len(SCRIPT)
    assert refused <= 6
    answered = requests[-len(SCRIPT) + 1 :]
    for earlier, later in itertools.pairwise(answered):
        assert later["messages"][: len(earlier["messages"])] == earlier["messages"]
        assert later.get("tools") == earlier.get("tools")


@pytest.mark.parametrize("server", SERVERS.values(), ids=SERVERS)
def test_each_server_is_in_the_documentation(server):
    text = DOCUMENT.read_text(encoding="utf-8")
    assert f"\n| {server.title} |" in text
    section = text.partition(f"\n### {server.title}\n")[2].partition("\n#")[0]
    assert "export STUDIO_MODEL=" in section
    assert "export OPENAI_BASE_URL=http" in section or server.title == "OpenAI"


def test_the_documentation_has_no_server_that_is_not_tested():
    text = DOCUMENT.read_text(encoding="utf-8")
    sections = text.partition("## How to connect it")[2].partition("\n## ")[0]
    described = [line[4:] for line in sections.splitlines() if line.startswith("### ")]
    assert sorted(described) == sorted(server.title for server in SERVERS.values())
