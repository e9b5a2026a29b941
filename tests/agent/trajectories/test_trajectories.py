"""A run written in each format, read back, and played again."""

import json
from pathlib import Path

import pytest

from agent import Agent, Exchange, Input
from agent.conversation import NOT_RUN, NUDGE
from agent.events import (
    ArtifactSaved,
    Event,
    ModelSpoke,
    Reason,
    RunEnded,
    RunPaused,
    RunStarted,
    ToolCall,
    ToolFinished,
    Usage,
)
from agent.models import Reply
from agent.testing import MemorySandbox, bash, call, submit
from agent.trajectories import (
    NotATrajectory,
    Recorded,
    chat,
    lines,
    read,
    read_text,
    replies_of,
    steps,
)

FORMATS = pytest.mark.parametrize("form", [lines, chat, steps], ids=["lines", "chat", "steps"])
SCRIPT = [
    Reply("我先看看。", "First look.", bash("cat input/a\u2028.csv").calls, Usage(10, 5, 2)),
    Reply("Hm, let me think."),
    Reply(
        calls=(
            call("execute_bash", "b", command="echo one > output/1.txt; false"),
            call(
                "str_replace_editor", "a", command="create", path="output/2.txt", file_text="二\n"
            ),
            ToolCall("c", "execute_bash", '{"command": "half'),
            ToolCall("d", "no_such_tool", ""),
        )
    ),
    submit("Here they are.\n\nFiles given: none"),
]


@pytest.fixture
def timed(play):
    inputs = [Input("a\u2028.csv", lambda: [b"1,2\n"])]
    run = play(*SCRIPT, prompt="做两个文件。\nFiles given:", inputs=inputs)
    assert run.end.reason is Reason.SUBMITTED
    return [
        (f"2026-11-21T09:00:{number:02}.000+00:00", event)
        for number, event in enumerate(run.events)
    ]


def written(form, events) -> str:
    return "".join(form.write(events))


def replayed(events, store) -> list[Event]:
    started = events[0][1]
    inputs = [Input(name, lambda: [b"1,2\n"]) for name in started.inputs]
    agent = Agent(Recorded(events), MemorySandbox(), store)
    return [item for item in agent.run(started.prompt, inputs) if isinstance(item, Event)]


def calls_of(events):
    """Each turn's calls: the arguments as JSON, where they are that."""
    return [
        [(call.id, call.name, _parsed(call.arguments)) for call in event.calls]
        for event in events
        if isinstance(event, ModelSpoke)
    ]


def _parsed(text: str):
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def told(events):
    return [(e.call, e.output, e.exit_code) for e in events if isinstance(e, ToolFinished)]


def files(events):
    return [(e.path, e.digest) for e in events if isinstance(e, ArtifactSaved)]


@FORMATS
def test_what_is_written_and_read_back_plays_as_it_did(form, timed, store):
    back = read_text(written(form, timed))
    was, now = [event for _, event in timed], replayed(back, store)

    assert calls_of(event for _, event in back) == calls_of(was) == calls_of(now)
    assert told(now) == told(was)
    assert files(now) == files(was) != []
    assert now[-1].reason is Reason.SUBMITTED
    assert now[-1].summary == was[-1].summary
    assert [e.text for e in now if isinstance(e, ModelSpoke)] == [reply.text for reply in SCRIPT]


@FORMATS
def test_request_inputs_results_and_prompt_are_read_back(form, timed):
    started, was = read_text(written(form, timed))[0][1], timed[0][1]
    assert (started.prompt, started.inputs, started.system) == (was.prompt, was.inputs, was.system)
    assert "# Your computer" in started.system
    outputs = [(call, output) for call, output, _ in told(e for _, e in timed)]
    back = told(event for _, event in read_text(written(form, timed)))
    assert sorted((call, output) for call, output, _ in back) == sorted(outputs)


@pytest.mark.parametrize("form", [lines, steps], ids=["lines", "steps"])
def test_times_usage_and_the_end_are_kept(form, timed):
    back = read_text(written(form, timed))
    assert back[0][0] == timed[0][0]
    assert back[-1] == timed[-1]
    assert next(e for _, e in back if isinstance(e, ModelSpoke)).usage == Usage(10, 5, 2)


def test_lines_lose_nothing(timed):
    assert read_text(written(lines, timed)) == timed


def test_a_chat_is_what_an_endpoint_takes(timed):
    whole = json.loads(written(chat, timed))
    assert [tool["function"]["name"] for tool in whole["tools"]] == [
        "execute_bash",
        "str_replace_editor",
        "submit",
    ]
    messages = whole["messages"]
    assert [message["role"] for message in messages] == [
        *("system", "user", "assistant", "tool", "assistant", "user", "assistant"),
        *("tool", "tool", "tool", "tool", "assistant", "tool"),
    ]
    assert messages[0]["content"] == timed[0][1].system
    assert messages[1]["content"].endswith("Files given:\n- /workspace/input/a\u2028.csv")
    assert messages[2]["reasoning_content"] == "First look."
    assert messages[5]["content"] == NUDGE
    assert [message["tool_call_id"] for message in messages[7:11]] == ["b", "a", "c", "d"]
    assert messages[6]["tool_calls"][2]["function"]["arguments"] == '{"command": "half'


def test_earlier_requests_are_part_of_a_chat(timed):
    text = "".join(chat.write(timed, [Exchange("A cat.", "Done.", ("cat.svg",))]))
    messages = json.loads(text)["messages"]
    assert [message["content"] for message in messages[1:3]] == [
        "A cat.",
        "Done.\n\n/workspace/output/cat.svg",
    ]
    assert read_text(text)[0][1].prompt == timed[0][1].prompt


@FORMATS
def test_a_call_that_was_not_answered_is_answered_so(form):
    spoke = ModelSpoke(turn=1, calls=(call("execute_bash", "x", command="sleep 9"),))
    events = [("", RunStarted(prompt="Go", model="m")), ("", spoke)]
    text = written(form, events)
    assert (NOT_RUN in text) == (form is not lines)
    assert calls_of(event for _, event in read_text(text)) == calls_of([spoke])


@pytest.mark.parametrize("form", [chat, steps], ids=["chat", "steps"])
def test_a_run_that_never_began_is_still_a_whole_file(form):
    assert json.loads(written(form, []))


def test_a_pause_is_read_back_as_one():
    paused = RunPaused(reason=Reason.TURN_LIMIT, message="All turns.", turns=3)
    events = [("", RunStarted(prompt="Go", model="m")), ("t", paused)]
    assert read_text(written(steps, events))[-1] == ("t", paused)


def test_steps_have_the_shape_of_the_reference(timed):
    whole = json.loads(written(steps, timed))
    assert list(whole) == ["problem_statement", "steps", "metadata"]
    assert whole["metadata"]["total_steps"] == len(whole["steps"]) == 7
    assert [step["metadata"]["step"] for step in whole["steps"]] == list(range(1, 8))
    for step in whole["steps"]:
        assert list(step) == ["thought", "reasoning_content", "action", "observation", "metadata"]
        assert set(step["action"]) == {"function", "parameters"}
        assert isinstance(step["observation"], str)
    first, silent, *_, last = whole["steps"]
    assert first["action"]["parameters"] == {"command": "cat input/a\u2028.csv"}
    assert first["thought"] == "我先看看。"
    assert silent["action"] == {"function": "", "parameters": {}}
    assert last["action"]["function"] == "submit"


def test_a_file_of_the_reference_is_read():
    step = {"thought": "t", "reasoning_content": "r", "observation": "Exit code: 0"}
    action = {"function": "execute_bash", "parameters": {"command": "ls"}}
    known = {"step": 1, "exec_time": 1.25}
    silent = {**step, "action": {"function": "", "parameters": {}}, "metadata": {"step": 2}}
    whole = {
        "problem_statement": "List.",
        "steps": [{**step, "action": action, "metadata": known}, silent],
        "metadata": {"total_steps": 2},
    }
    events = [event for _, event in read_text(json.dumps(whole, indent=2))]
    assert events == [
        RunStarted(prompt="List.", model=""),
        ModelSpoke(
            turn=1, text="t", reasoning="r", calls=(call("execute_bash", "call_1", command="ls"),),
            seconds=1.25,
        ),
        ToolFinished(call="call_1", output="Exit code: 0"),
        ModelSpoke(turn=2, text="t", reasoning="r"),
    ]  # fmt: skip


def test_messages_one_a_line_and_other_peoples_habits_are_read():
    said = [
        {"role": "developer", "content": [{"type": "text", "text": "Be "}, {"text": "good."}]},
        {"role": "user", "content": "Hi", "name": "bob"},
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "List."},
        {"role": "assistant", "content": None, "tool_calls": [
            {"function": {"name": "execute_bash", "arguments": {"command": "ls"}}}]},
        {"role": "tool", "tool_call_id": "call_1_1", "content": "a.txt", "exit_code": 0},
    ]  # fmt: skip
    text = "\ufeff\n" + "\r\n".join(json.dumps(message) for message in said)
    started, spoke, finished = (event for _, event in read_text(text.removeprefix("\ufeff")))
    assert (started.system, started.prompt) == ("Be good.", "List.")
    assert spoke.calls == (call("execute_bash", "call_1_1", command="ls"),)
    assert finished == ToolFinished(call="call_1_1", output="a.txt", exit_code=0)


STARTED = '{"kind": "run.started", "prompt": "x", "model": "m"}'
ASKED = '{"role": "user", "content": "x"}'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: this is no JSON"),
        ("hello", "line 1: this is no JSON"),
        ("[1, 2]", "line 1: the file is no JSON object"),
        ('{"a": 1}', "line 1: this is no trajectory. Known are JSON Lines of events"),
        ('{\n "messages": [\n  {,\n]}', "line 3: this is no JSON"),
        (f"{STARTED}\n\n{{oops", "line 3: this is no JSON"),
        (f"{STARTED}\n[]", "line 2: it is no JSON object"),
        (f'{STARTED}\n{{"kind": "run.flew"}}', "line 2: There is no event 'run.flew'"),
        (f'{STARTED}\n{{"kind": 7}}', "line 2: There is no event '7'"),
        (f'{STARTED}\n{{"kind": "model.spoke"}}', "line 2: This is no model.spoke: turn: Field"),
        (f'{STARTED}\n{{"kind": "model.spoke", "turn": 1, "text": 5}}', "line 2: This is no model"),
        (f'{ASKED}\n{{"role": "robot"}}', "line 2: a message has one of the roles assistant"),
        (f'{ASKED}\n{{"role": "user", "content": 5}}', "line 2: the content is no text"),
        (f'{ASKED}\n{{"role": "assistant", "tool_calls": 5}}', "line 2: tool_calls is no list"),
        (f'{ASKED}\n{{"role": "assistant", "tool_calls": [5]}}', "a call is no JSON object"),
        (f'{ASKED}\n{{"role": "assistant", "tool_calls": [{{"function": {{}}}}]}}', "calls.0.name"),
        (f'{ASKED}\n{{"role": "tool", "content": "x"}}', "line 2: This is no tool.finished: call"),
        ('{"role": "assistant", "content": "x"}', "There is no request"),
        ('{"meta": 5}\n' + ASKED, "line 1: meta is no JSON object"),
        ('{"messages": [5]}', "message 1: the message is no JSON object"),
        ('{"problem_statement": "x", "steps": 5}', "steps: it is no list"),
        ('{"problem_statement": 5, "steps": []}', "problem_statement: This is no run.started"),
        ('{"problem_statement": "x", "steps": [5]}', "step 1: it is no JSON object"),
        ('{"problem_statement": "x", "steps": [{"action": 5}]}', "action is no JSON object"),
        ('{"problem_statement": "x", "steps": [{"thought": 5}]}', "step 1: This is no model.spoke"),
        ('{"problem_statement": "x", "steps": [], "metadata": {"reason": []}}', "metadata: This"),
        ('{"kind": ' + "[" * 100_000, "nested too deeply"),
        ('{"kind": ' + "9" * 5000 + "}", "line 1: "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text, told):
    with pytest.raises(NotATrajectory) as caught:
        read_text(text)
    assert told in str(caught.value)


def test_a_file_that_is_no_text_or_too_long_is_refused(tmp_path: Path, monkeypatch):
    path = tmp_path / "run.jsonl"
    path.write_bytes(f"{STARTED}\n".encode() + b"\xff")
    with pytest.raises(NotATrajectory, match="line 2: this is no UTF-8 text"):
        read(path)
    path.write_bytes(b"\xef\xbb\xbf" + STARTED.encode())
    assert read(path)[0][1].prompt == "x"
    monkeypatch.setattr("agent.trajectories.reading.BYTES", 10)
    with pytest.raises(NotATrajectory, match="no trajectory is that long"):
        read(path)


def test_a_recording_that_breaks_off_ends_without_a_result(store):
    events = [("", RunStarted(prompt="Go", model="m"))]
    end = replayed(events, store)[-1]
    assert isinstance(end, RunEnded)
    assert end.reason is Reason.NO_RESULT


def test_replies_hold_all_that_was_said():
    spoke = ModelSpoke(turn=1, text="t", reasoning="r", extra={"x": 1}, usage=Usage(1, 2))
    assert replies_of([("", spoke)]) == [Reply("t", "r", (), Usage(1, 2), {"x": 1})]


@FORMATS
def test_a_model_that_began_without_a_call_changes_no_request(form, play):
    run = play(Reply("Hm."), submit("42"), prompt="Six times seven?")
    started = read_text(written(form, [("", event) for event in run.events]))[0][1]
    assert started.prompt == "Six times seven?"


def test_arguments_that_the_loop_takes_are_unpacked_in_steps():
    wish = ToolCall("x", "execute_bash", '{"command": "echo a\nb"}')
    events = [("", RunStarted(prompt="x", model="m")), ("", ModelSpoke(turn=1, calls=(wish,)))]
    (step,) = json.loads(written(steps, events))["steps"]
    assert step["action"]["parameters"] == {"command": "echo a\nb"}


@FORMATS
def test_what_the_user_said_meanwhile_is_read_back_where_it_was_said(form, play):
    said = iter([["First"], ["In blue", "Big"], []])
    run = play(bash("true"), Reply("Hm."), submit("Done."), said=lambda: next(said, []))
    timed = [("", event) for event in run.events]
    kinds = ("model.spoke", "user.steered")
    was = [(e.kind, getattr(e, "text", "")) for _, e in timed if e.kind in kinds]
    back = read_text(written(form, timed))
    assert [(e.kind, getattr(e, "text", "")) for _, e in back if e.kind in kinds] == was
    assert [kind for kind, _ in was].count("user.steered") == 3
