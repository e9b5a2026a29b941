"""What a run may spend: it pauses at each limit, and goes on from there."""

import pytest

from agent import Agent, Limits, Stop
from agent.events import (
    Event,
    ModelSpoke,
    Reason,
    RunEnded,
    RunPaused,
    RunResumed,
    ToolCall,
    ToolStarted,
    Usage,
    WorkspaceSaved,
    from_data,
)
from agent.models import Reply
from agent.testing import MemorySandbox, ScriptedModel, bash, call, submit
from agent.trajectories import replies_of


def step(number: int, usage: Usage | None = None) -> Reply:
    calls = bash(f"echo {number} > output/{number}.txt").calls
    return Reply(calls=calls, usage=usage or Usage())


@pytest.mark.parametrize(
    ("limits", "reason", "turns"),
    [
        (Limits(turns=2), Reason.TURN_LIMIT, 2),
        (Limits(tokens=250), Reason.TOKEN_LIMIT, 3),
        (Limits(cost=0.15), Reason.COST_LIMIT, 2),
    ],
)
def test_a_run_pauses_where_its_budget_ends_and_keeps_its_files(play, limits, reason, turns):
    script = [step(number, Usage(90, 10, 50, 0.1)) for number in range(9)]
    run = play(*script, limits=limits)

    assert isinstance(run.end, RunPaused)
    assert (run.end.reason, run.end.turns) == (reason, turns)
    assert run.end.usage.tokens == turns * 100
    assert run.end.usage.cached == turns * 50
    assert run.end.usage.cost == pytest.approx(turns * 0.1)
    assert run.kinds[-2:] == ["workspace.saved", "run.paused"]
    assert run.content(f"{turns - 1}.txt") == f"{turns - 1}\n".encode()


def test_no_turn_begins_when_the_time_is_used_up(play):
    run = play(step(1), limits=Limits(seconds=0))

    assert isinstance(run.end, RunPaused)
    assert (run.end.reason, run.end.turns) == (Reason.TIME_LIMIT, 0)


def go_on(run, replies, limits, store):
    """The same run with more of a budget, in a sandbox of its own."""
    model = ScriptedModel(replies)
    workspace = run.all(WorkspaceSaved)[-1].digest
    agent = Agent(model, MemorySandbox(), store, limits)
    items = agent.run("Make a file.", workspace=workspace, earlier=run.events)
    return model, [item for item in items if isinstance(item, Event)]


def test_a_paused_run_goes_on_where_it_was(play, store):
    paused = play(step(1), step(2), limits=Limits(turns=2))
    model, events = go_on(paused, [bash("cat output/2.txt"), submit("ok")], Limits(turns=4), store)

    assert isinstance(events[0], RunResumed)
    assert isinstance(events[-1], RunEnded)
    assert events[-1].reason is Reason.SUBMITTED
    assert [event.turn for event in events if isinstance(event, ModelSpoke)] == [3, 4]
    told = model.asked[0]
    assert [message.role for message in told[2:]] == ["assistant", "tool"] * 2
    assert [message.calls for message in told[2::2]] == [
        spoke.calls for spoke in paused.all(ModelSpoke)
    ]
    assert "paused here and goes on" in told[-1].text
    assert model.asked[1][-1].text.startswith("2\n")


def test_a_second_pause_counts_the_whole_run(play, store):
    usage = Usage(10, 1, 0, 0.5)
    paused = play(step(1, usage), step(2, usage), limits=Limits(turns=2))
    _, events = go_on(paused, [step(3, usage), step(4, usage)], Limits(turns=3), store)

    end = events[-1]
    assert isinstance(end, RunPaused)
    assert (end.turns, end.usage) == (3, Usage(30, 3, 0, 1.5))


def test_calls_that_a_pause_came_before_are_answered_when_it_goes_on(store):
    calls = (
        call("execute_bash", "a", command="echo a; sleep 1"),
        call("execute_bash", "b", command="echo b"),
    )
    stop, events = Stop(), []
    stop.reason = Reason.DAY_LIMIT
    paused = Agent(ScriptedModel([Reply(calls=calls)]), MemorySandbox(), store, stop=stop)
    for item in paused.run("Make a file."):
        events += [item] if isinstance(item, Event) else []
        if isinstance(item, ToolStarted):
            stop.set()
    assert isinstance(events[-1], RunPaused)

    model = ScriptedModel([submit("ok")])
    list(Agent(model, MemorySandbox(), store).run("Make a file.", earlier=events))

    first, second = model.asked[0][-2:]
    assert (first.call, second.call) == ("a", "b")
    assert first.text.startswith("Not run")
    assert second.text.startswith("Not run")


def test_a_run_that_can_not_keep_its_workspace_ends_instead_of_pausing(play):
    run = play(step(1), step(2), limits=Limits(turns=1, workspace_bytes=3))

    assert isinstance(run.end, RunEnded)
    assert run.end.reason is Reason.TURN_LIMIT
    assert "could not be kept" in run.end.message


def test_doing_the_same_again_and_again_is_told_to_the_model_then_asked(play):
    run = play(*[bash("cat output/x.txt || true; true")] * 1, *[bash("false")] * 10)

    told = [message.text for message in run.model.asked[-1] if message.role == "tool"]
    assert ["in a row" in text for text in told[:4]] == [False, False, False, True]
    assert isinstance(run.end, RunPaused)
    assert run.end.reason is Reason.REPEATING
    assert "6 times" in run.end.message


def test_going_round_in_a_circle_is_noticed_too(play):
    circle = [bash("echo a"), bash("echo b")] * 8
    run = play(*circle)

    assert run.end.reason is Reason.REPEATING
    assert run.end.turns == 12


def test_trying_again_after_each_change_is_no_circle(play):
    work = [reply for number in range(8) for reply in (bash(f"echo {number} > a.py"), bash("true"))]
    run = play(*work, submit("ok"))

    assert run.end.reason is Reason.SUBMITTED
    assert not any("in a row" in message.text for message in run.model.asked[-1])


def test_the_last_call_of_an_answer_that_was_cut_is_not_run(play):
    calls = (
        ToolCall("a", "execute_bash", '{"command": "echo a > output/a.txt"}'),
        ToolCall("b", "execute_bash", '{"command": "rm output/a.txt"}'),
    )
    run = play(Reply(calls=calls, cut=True), submit("ok"))

    assert run.content("a.txt") == b"a\n"
    assert "artifact.removed" not in run.kinds
    assert "Write less at once" in run.model.asked[1][-1].text


def test_a_replay_does_not_run_what_was_cut_either(play):
    calls = (ToolCall("a", "execute_bash", '{"command": "echo a > output/a.txt"}'),)
    run = play(Reply(calls=calls, cut=True), submit("ok"))

    again = replies_of([("", from_data(event.kind, event.data())) for event in run.events])
    assert [reply.cut for reply in again] == [True, False]
