"""The loop with a scripted model and a sandbox in memory: what a run tells and how it ends."""

import json
import threading

import pytest

from agent import Agent, DirectoryStore, Exchange, Input, Limits, ModelUnavailable, Stop
from agent.events import (
    ArtifactRemoved,
    ArtifactSaved,
    Event,
    ModelSpoke,
    Reason,
    RunEnded,
    RunPaused,
    ToolCall,
    ToolFinished,
    ToolPrinted,
    ToolStarted,
    Usage,
    WorkspaceSaved,
)
from agent.models import Reply
from agent.testing import MemorySandbox, ScriptedModel, bash, call, submit

HELLO = "echo hello > output/hello.txt"


def test_a_run_tells_what_happened_in_order(play):
    run = play(bash(HELLO), submit("Here it is."))

    assert run.kinds == [
        "run.started",
        "sandbox.ready",
        "model.spoke",
        "tool.started",
        "artifact.saved",
        "tool.finished",
        "model.spoke",
        "tool.started",
        "tool.finished",
        "workspace.saved",
        "run.ended",
    ]
    assert run.end.reason is Reason.SUBMITTED
    assert run.end.summary == "Here it is."
    assert run.content("hello.txt") == b"hello\n"


def test_bytes_are_in_the_store_before_the_event_that_names_them(store):
    agent = Agent(ScriptedModel([bash(HELLO), submit()]), MemorySandbox(), store)
    for item in agent.run("x"):
        if isinstance(item, ArtifactSaved | WorkspaceSaved):
            assert store.path(item.digest).is_file()


def test_output_is_told_as_it_is_printed_and_to_the_model_at_the_end(play):
    run = play(bash("echo one; echo two; false"), submit("done"))

    assert "".join(event.text for event in run.all(ToolPrinted)) == "one\ntwo\n"
    finished = run.all(ToolFinished)[0]
    assert finished.exit_code == 1
    assert finished.failed
    assert finished.output == "one\ntwo\n[exit code 1]"
    assert run.model.asked[1][-1].text == finished.output


def test_every_call_is_answered_once_in_order_and_submit_runs_last(play):
    calls = (
        call("submit", "a", summary="Done."),
        call("execute_bash", "b", command=HELLO),
        call("execute_bash", "c", command="echo c"),
    )
    run = play(Reply(calls=calls))

    assert [event.call for event in run.all(ToolStarted)] == ["b", "c", "a"]
    assert [event.call for event in run.all(ToolFinished)] == ["b", "c", "a"]
    assert run.end.reason is Reason.SUBMITTED


def test_parallel_calls_are_answered_in_the_order_they_were_made(play):
    calls = (call("execute_bash", "x", command="echo 1"), call("execute_bash", "y", command="true"))
    run = play(Reply(calls=calls), submit("ok"))

    assert [message.call for message in run.model.asked[1][-2:]] == ["x", "y"]


@pytest.mark.parametrize("ids", [("", ""), ("same", "same")])
def test_calls_without_an_id_of_their_own_get_one(play, ids):
    calls = tuple(call("execute_bash", id, command="true") for id in ids)
    run = play(Reply(calls=calls), submit("ok"))

    told = run.model.asked[1]
    assert [c.id for c in told[-3].calls] == [message.call for message in told[-2:]]
    assert len({message.call for message in told[-2:]}) == 2


@pytest.mark.parametrize(
    ("wish", "answer"),
    [
        (ToolCall("a", "execute_bash", '{"command": "ls'), "not valid JSON"),
        (ToolCall("a", "execute_bash", "[1]"), "must be a JSON object"),
        (ToolCall("a", "execute_bash", "{}"), "command: Field required"),
        (ToolCall("a", "execute_bash", '{"command": 5}'), "command: Input should be a valid str"),
        (ToolCall("a", "execute_bash", '{"command": "ls", "x": 1}'), "x: Extra inputs"),
        (ToolCall("a", "paint", "{}"), "There is no tool 'paint'"),
    ],
)
def test_a_wrong_call_is_answered_with_what_is_wrong(play, wish, answer):
    run = play(Reply(calls=(wish,)), submit("ok"))

    assert answer in run.model.asked[1][-1].text
    assert len(run.model.asked[1][-1].text) < 1000
    assert run.all(ToolFinished)[0].failed
    assert run.end.reason is Reason.SUBMITTED


def test_a_model_that_only_makes_wrong_calls_is_told_each_time_and_then_stopped(play):
    wrong = [Reply(calls=(ToolCall("", "paint", json.dumps({"n": n})),)) for n in range(20)]
    run = play(*wrong)

    assert run.end.reason is Reason.REPEATING
    assert run.end.message == "All calls of 8 turns in a row were wrong."
    assert len(run.all(ToolFinished)) == 8

    right = bash(HELLO)
    run = play(*wrong[:7], right, *wrong[:7], submit("ok"))
    assert run.end.reason is Reason.SUBMITTED


def test_many_wrong_calls_in_one_turn_are_all_answered(play):
    calls = tuple(ToolCall("", "paint", json.dumps({"n": n})) for n in range(20))
    run = play(Reply(calls=calls), submit("ok"))

    assert len({message.call for message in run.model.asked[1][-20:]}) == 20
    assert run.end.reason is Reason.SUBMITTED


def test_submit_with_nothing_made_is_refused_with_the_reason(play):
    run = play(submit(), bash(HELLO), submit())

    assert "no file in /workspace/output" in run.model.asked[1][-1].text
    assert run.end.reason is Reason.SUBMITTED


def test_a_model_that_calls_no_tool_is_nudged_and_then_the_run_ends(play):
    run = play(Reply("Hm."), Reply("Hm."), Reply("Hm."))

    assert [messages[-1].role for messages in run.model.asked] == ["user"] * 3
    assert "You called no tool" in run.model.asked[1][-1].text
    assert run.end.reason is Reason.NO_RESULT


def test_the_turns_left_are_told_when_they_run_out_and_then_the_run_ends(play):
    run = play(*[bash("true")] * 4, limits=Limits(turns=4))

    lasts = [messages[-1].text for messages in run.model.asked]
    assert lasts[1].endswith("[3 turns left]")
    assert lasts[3].endswith("[1 turn left]")
    assert run.end.reason is Reason.TURN_LIMIT
    assert run.end.turns == 4


def test_everything_made_is_kept_when_the_model_fails(play):
    run = play(bash(HELLO), ModelUnavailable("It is gone."))

    assert run.end.reason is Reason.MODEL_UNAVAILABLE
    assert run.end.message == "It is gone."
    assert run.content("hello.txt") == b"hello\n"
    assert run.all(WorkspaceSaved)


def test_time_that_is_used_up_ends_the_run(play):
    run = play(bash("true"), limits=Limits(seconds=0))

    assert run.end.reason is Reason.TIME_LIMIT


def test_stop_ends_a_command_that_runs_and_keeps_what_was_made(store):
    stop = Stop()
    waiting = threading.Event()

    class Endless(MemorySandbox):
        closed = False

        def run(self, command, timeout):
            yield from super().run(command, timeout) if "echo" in command else self.forever()

        def forever(self):
            try:
                while True:
                    waiting.set()
                    yield None
            finally:
                self.closed = True

    sandbox = Endless()
    agent = Agent(ScriptedModel([bash(HELLO), bash("sleep 9")]), sandbox, store, stop=stop)
    events = []
    for item in agent.run("x"):
        events.append(item)
        if isinstance(item, ToolStarted) and item.arguments["command"] == "sleep 9":
            stop.set()

    assert waiting.is_set()
    assert sandbox.closed
    assert events[-1].reason is Reason.STOPPED
    assert any(isinstance(event, ArtifactSaved) for event in events)


def test_a_stop_by_the_operator_is_told_from_one_by_the_user(store):
    stop = Stop()
    stop.reason = Reason.INTERRUPTED
    stop.set()

    *_, end = Agent(ScriptedModel([]), MemorySandbox(), store, stop=stop).run("x")

    assert end.reason is Reason.INTERRUPTED


@pytest.mark.parametrize(
    ("script", "asked", "last"),
    [
        ([bash(HELLO), submit("ok")], False, RunEnded),
        ([bash(HELLO)], True, RunEnded),
        ([bash(HELLO)], False, RunPaused),
        ([ModelUnavailable("Nobody is there.")], False, RunEnded),
    ],
    ids=["submitted", "stopped", "paused", "without a model"],
)
def test_the_sandbox_is_gone_before_the_end_is_told(store, script, asked, last):
    stop, sandbox = Stop(), MemorySandbox()
    agent = Agent(ScriptedModel(script), sandbox, store, Limits(turns=len(script)), stop)
    told = []
    for item in agent.run("x"):
        told.append((type(item), sandbox.running))
        if asked and isinstance(item, ToolStarted):
            stop.set()

    assert (WorkspaceSaved, True) in told
    assert told[-1] == (last, False)


def test_a_run_that_is_abandoned_leaves_no_sandbox(store):
    sandbox = MemorySandbox()
    run = Agent(ScriptedModel([bash("true")]), sandbox, store).run("x")
    next(run), next(run)
    assert sandbox.running
    run.close()
    assert not sandbox.running


def test_inputs_and_earlier_requests_reach_the_model_and_the_sandbox(play):
    run = play(
        submit("ok"),
        inputs=[Input("a b.csv", lambda: [b"1,", b"2"])],
        history=[Exchange("A poster.", "Made it.", ("p.svg",))],
        prompt="Now in blue.",
    )

    assert run.sandbox.files["/workspace/input/a b.csv"] == b"1,2"
    _, asked, answered, request = run.model.asked[0]
    assert asked.text == "A poster."
    assert answered.text == "Made it.\n\n/workspace/output/p.svg"
    assert request.text == "Now in blue.\n\nFiles given:\n- /workspace/input/a b.csv"


def test_a_follow_up_goes_on_in_the_same_workspace_and_tells_only_what_changed(play):
    first = play(bash(f"{HELLO}; echo keep > notes.txt"), submit())
    saved = first.all(WorkspaceSaved)[0].digest
    second = play(bash("cat notes.txt; echo new > output/b.txt"), submit(), workspace=saved)

    assert second.all(ToolFinished)[0].output == "keep"
    assert [event.path for event in second.all(ArtifactSaved)] == ["b.txt"]


def test_files_that_the_user_chose_take_the_place_of_what_the_workspace_has(play):
    first = play(bash("echo new > output/a.txt; echo b > output/b.txt"), submit())
    saved = first.all(WorkspaceSaved)[0].digest
    chosen = [Input("a.txt", lambda: [b"old\n"]), Input("gone/c.txt", lambda: [b"c\n"])]
    second = play(
        bash("cat output/a.txt; cat output/b.txt; cat output/gone/c.txt"),
        submit(),
        workspace=saved,
        outputs=chosen,
    )

    assert second.all(ToolFinished)[0].output == "old\nb\nc"
    assert second.all(ArtifactSaved) == []
    assert "in /workspace/output now" in second.model.asked[0][-1].text
    assert "a.txt, gone/c.txt]" in second.model.asked[0][-1].text


def test_a_chosen_file_that_can_not_be_put_there_does_not_keep_the_run_from_beginning(play):
    chosen = [Input("a/b.txt", lambda: [b"b"]), Input("a", lambda: [b"not beside a folder"])]
    run = play(bash("cat output/a/b.txt"), submit("ok"), outputs=chosen)

    assert run.end.reason is Reason.SUBMITTED
    assert run.all(ToolFinished)[0].output == "b"


def test_a_file_written_again_the_same_is_not_told_twice_and_one_removed_is_told(play):
    run = play(bash(HELLO), bash(HELLO), bash("rm output/hello.txt"), submit("ok"))

    assert len(run.all(ArtifactSaved)) == 1
    assert [event.path for event in run.all(ArtifactRemoved)] == ["hello.txt"]


def test_tokens_are_added_up(play):
    turn = Reply(calls=bash("true").calls, usage=Usage(10, 2, 4))
    run = play(turn, turn, submit("ok"))

    assert run.end.usage == Usage(20, 4, 8)
    assert run.all(ModelSpoke)[0].usage == Usage(10, 2, 4)


def test_a_full_store_ends_the_run_visibly(tmp_path):
    class Full(DirectoryStore):
        def put(self, chunks, *, instead_of=None):
            raise OSError(28, "No space left on device")

    events = list(
        Agent(ScriptedModel([bash(HELLO), submit()]), MemorySandbox(), Full(tmp_path)).run("x")
    )

    end = events[-1]
    assert isinstance(end, RunEnded)
    assert end.reason is Reason.STORAGE_FULL
    assert "No space left" in end.message


def test_what_a_command_prints_without_end_is_bounded_everywhere(play):
    class Loud(MemorySandbox):
        def run(self, command, timeout):
            from agent.sandbox import Exited, Printed

            for _ in range(200):
                yield Printed(b"y\n" * 10_000)
            yield Exited(0)

    store, model = play().store, ScriptedModel([bash("yes"), submit("ok")])
    events = [item for item in Agent(model, Loud(), store).run("x") if isinstance(item, Event)]

    printed = "".join(event.text for event in events if isinstance(event, ToolPrinted))
    assert len(printed) < 300_000
    assert printed.endswith("[… more output is not shown …]")
    assert len(model.asked[1][-1].text) < 17_000
