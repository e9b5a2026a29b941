"""Real runs of a capable model, replayed call by call through our tools in our image.

Each `.jsonl` begins with what the run was given, then has its messages as they were;
`expected.json` tells of the files that it left.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import Agent, DirectoryStore, DockerSandbox, Input, Limits
from agent.events import ArtifactRemoved, ArtifactSaved, Event, Reason, ToolCall, ToolFinished
from agent.models import Reply
from agent.sandbox import Exited, Printed
from agent.testing import ScriptedModel

HERE = Path(__file__).parent
EXPECTED = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
NAMES = ["birthday-video", "calm-piano", "policy-count", "poster", "snake"]
TIMED_OUT = 124
PROBE = "ffprobe -v quiet -of json -show_streams -show_format"

pytestmark = [pytest.mark.engine, pytest.mark.slow]


class Recording:
    """One recorded run: its request, its inputs, its turns and how each call had ended."""

    def __init__(self, name: str) -> None:
        lines = (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        meta, *messages = map(json.loads, lines)
        self.inputs = meta["meta"]["inputs"]
        self.prompt = next(m["content"] for m in messages if m["role"] == "user")
        self.ended = {m["tool_call_id"]: m for m in messages if m["role"] == "tool"}
        self.replies = [self._reply(m) for m in messages if m.get("tool_calls")]

    def _reply(self, message: dict) -> Reply:
        calls = [
            ToolCall(call["id"], call["function"]["name"], self._arguments(call))
            for call in message["tool_calls"]
        ]
        return Reply(message.get("content") or "", calls=tuple(calls))

    def _arguments(self, call: dict) -> str:
        """As recorded; what had run into its timeout is given a tenth of the time to do so."""
        arguments = json.loads(call["function"]["arguments"])
        if self.ended[call["id"]]["exit_code"] == TIMED_OUT:
            arguments["timeout"] /= 10
        if call["function"]["name"] == "submit":
            arguments.setdefault("summary", "Submitted without a word.")
        return json.dumps(arguments)


def given(name: str) -> Input:
    path = HERE / "inputs" / name
    if path.exists():
        return Input.from_path(path)
    return Input(name, lambda: [gzip.decompress(path.with_name(f"{name}.gz").read_bytes())])


def play(recording: Recording, store: DirectoryStore) -> Iterator[Event]:
    agent = Agent(ScriptedModel(recording.replies), DockerSandbox(), store, Limits(seconds=3600))
    for item in agent.run(recording.prompt, [given(name) for name in recording.inputs]):
        if isinstance(item, Event):
            yield item


def facts(path: Path) -> dict:
    """What ffprobe and file say of it, in a sandbox."""
    with DockerSandbox() as sandbox:
        sandbox.write("/workspace/it" + path.suffix, [path.read_bytes()])
        return {
            "type": said(sandbox, f"file -b --mime-type it{path.suffix}").strip(),
            "probe": json.loads(said(sandbox, f"{PROBE} it{path.suffix}")),
        }


def said(sandbox: DockerSandbox, command: str) -> str:
    items = list(sandbox.run(command, 30))
    assert isinstance(items[-1], Exited)
    return b"".join(item.data for item in items if isinstance(item, Printed)).decode()


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_run_ends_as_it_did(name, tmp_path):
    recording, store = Recording(name), DirectoryStore(tmp_path)
    events = list(play(recording, store))

    ends = {
        event.call: (event.exit_code, event.output[-2000:])
        for event in events
        if isinstance(event, ToolFinished)
    }
    for call, was in recording.ended.items():
        code, output = ends[call]
        assert (code or 0) == was["exit_code"], f"{call} ended otherwise:\n{output}"
        passed = [line for line in was["content"].splitlines() if "PASS" in line]
        assert [line for line in output.splitlines() if "PASS" in line] == passed[-len(passed) :]
    assert events[-1].reason is Reason.SUBMITTED

    left: dict[str, str] = {}
    for event in events:
        if isinstance(event, ArtifactSaved):
            left[event.path] = event.digest
        elif isinstance(event, ArtifactRemoved):
            del left[event.path]
    assert set(left) == {file["path"] for file in EXPECTED[name]}
    for file in EXPECTED[name]:
        compare(file, store.path(left[file["path"]]), tmp_path)


def compare(file: dict, blob: Path, folder: Path) -> None:
    """The same kind of file: type, codecs, pixel sizes and formats, rates, duration."""
    copy = folder / ("copy" + Path(file["path"]).suffix)
    copy.write_bytes(blob.read_bytes())
    found = facts(copy)
    assert kind(found["type"]) == kind(file["type"])
    streams = found["probe"].get("streams", [])
    for number, wanted in enumerate(file.get("streams", [])):
        assert {key: streams[number][key] for key in wanted} == wanted
    if "seconds" in file:
        seconds = float(found["probe"]["format"]["duration"])
        assert seconds == pytest.approx(file["seconds"], abs=0.2)


def kind(media_type: str) -> str:
    """A media type without the spellings that `file` changes from version to version."""
    return media_type.replace("x-", "").replace("script.python", "plain")
