"""Real runs of a capable model, replayed call by call through our tools in our image.

Each `.jsonl` begins with what the run was given, then has its messages as they were;
`expected.json` tells of the files that it left.
"""

import gzip
import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from agent import Agent, DirectoryStore, DockerSandbox, Input, Limits
from agent.events import (
    ArtifactRemoved,
    ArtifactSaved,
    Event,
    ModelSpoke,
    Reason,
    RunStarted,
    ToolCall,
    ToolFinished,
)
from agent.sandbox import Exited, Printed
from agent.trajectories import Recorded, chat, read

HERE = Path(__file__).parent
EXPECTED = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
NAMES = ["birthday-video", "calm-piano", "policy-count", "poster", "snake"]
TIMED_OUT = 124
PROBE = "ffprobe -v quiet -of json -show_streams -show_format"

ARGUMENTS = {
    tool["function"]["name"]: tool["function"]["parameters"]["properties"].keys()
    for tool in chat.tools(Limits())
}
# How many calls each made. Tokyo's map needs a package registry, so it is read and not replayed.
CALLS = {
    "birthday-video": 13,
    "calm-piano": 9,
    "policy-count": 8,
    "poster": 9,
    "snake": 6,
    "tokyo-map": 21,
}


class Recording:
    """One recorded run: its request, its inputs, its turns and how each call had ended."""

    def __init__(self, name: str) -> None:
        events = [event for _, event in read(HERE / f"{name}.jsonl")]
        self.started = next(event for event in events if isinstance(event, RunStarted))
        self.ended = {event.call: event for event in events if isinstance(event, ToolFinished)}
        self.events = [("", self._hurried(event)) for event in events]

    def _hurried(self, event: Event) -> Event:
        """As recorded; what had run into its timeout is given less time to do so."""
        if not isinstance(event, ModelSpoke):
            return event
        return replace(event, calls=tuple(map(self._hurried_call, event.calls)))

    def _hurried_call(self, call: ToolCall) -> ToolCall:
        if self.ended[call.id].exit_code != TIMED_OUT:
            return call
        arguments = json.loads(call.arguments)
        # It ran for minutes, and left nothing.
        arguments["timeout"] /= 50
        return replace(call, arguments=json.dumps(arguments))


def given(name: str) -> Input:
    path = HERE / "inputs" / name
    if path.exists():
        return Input.from_path(path)
    return Input(name, lambda: [gzip.decompress(path.with_name(f"{name}.gz").read_bytes())])


def play(recording: Recording, store: DirectoryStore) -> Iterator[Event]:
    agent = Agent(Recorded(recording.events), DockerSandbox(), store, Limits(seconds=3600))
    started = recording.started
    for item in agent.run(started.prompt, [given(name) for name in started.inputs]):
        if isinstance(item, Event):
            yield item


def facts(sandbox: DockerSandbox, path: str) -> dict:
    """What ffprobe and file say of it."""
    name = shlex.quote(path)
    return {
        "type": said(sandbox, f"file -b --mime-type {name}").strip(),
        "probe": json.loads(said(sandbox, f"{PROBE} {name}")),
    }


def said(sandbox: DockerSandbox, command: str) -> str:
    items = list(sandbox.run(command, 120))
    assert isinstance(items[-1], Exited)
    return b"".join(item.data for item in items if isinstance(item, Printed)).decode()


@pytest.mark.parametrize("name", CALLS)
def test_a_recorded_run_is_read_call_by_call(name):
    recording = Recording(name)
    calls = [c for _, e in recording.events if isinstance(e, ModelSpoke) for c in e.calls]
    assert len(calls) == CALLS[name]
    assert list(recording.ended) == [call.id for call in calls]
    assert calls[-1].name == "submit"
    for call in calls:
        assert json.loads(call.arguments).keys() <= ARGUMENTS[call.name]


@pytest.mark.engine
@pytest.mark.slow
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
        assert (code or 0) == was.exit_code, f"{call} ended otherwise:\n{output}"
        passed = [line for line in was.output.splitlines() if "PASS" in line]
        assert [line for line in output.splitlines() if "PASS" in line] == passed[-len(passed) :]
    assert events[-1].reason is Reason.SUBMITTED

    left: dict[str, str] = {}
    for event in events:
        if isinstance(event, ArtifactSaved):
            left[event.path] = event.digest
        elif isinstance(event, ArtifactRemoved):
            del left[event.path]
    assert set(left) == {file["path"] for file in EXPECTED[name]}
    with DockerSandbox() as sandbox:
        for path, digest in left.items():
            sandbox.write(f"/workspace/output/{path}", store.open(digest))
        for file in EXPECTED[name]:
            compare(file, facts(sandbox, f"output/{file['path']}"))
        assert said(sandbox, "check output/*").count("\n  ok\n") == len(left)


def compare(file: dict, found: dict) -> None:
    """The same kind of file: type, codecs, pixel sizes and formats, rates, duration."""
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
