"""What the user says while a run goes on: when the model is told, and how often."""

from collections.abc import Callable, Sequence

import pytest

from agent import Agent, Limits
from agent.context import Context
from agent.conversation import NUDGE, STEERED, retold
from agent.events import (
    Event,
    ModelSpoke,
    Reason,
    RunPaused,
    ToolFinished,
    UserSteered,
    WorkspaceSaved,
)
from agent.models import Message, Reply
from agent.recipes import RecipeModel
from agent.testing import MemorySandbox, ScriptedModel, bash, call, submit
from tests.agent.conversations import REQUEST, SYSTEM, Asked, made_room, paired, prose, turn

HELLO = bash("echo hello > output/hello.txt")


def at_turns(*words: Sequence[str]) -> Callable[[], Sequence[str]]:
    """Says these before the first turn, the second, and so on."""
    waiting = list(words)
    return lambda: waiting.pop(0) if waiting else ()


def steered(store, replies, *words, **more):
    model = ScriptedModel(replies)
    agent = Agent(model, MemorySandbox(), store, **more)
    events = [e for e in agent.run("A poster", said=at_turns(*words)) if isinstance(e, Event)]
    return model, events


def heard(messages: Sequence[Message]) -> list[str]:
    return [m.text.removeprefix(STEERED) for m in messages if m.text.startswith(STEERED)]


def test_it_is_told_at_the_next_turn_once_and_stays_said(store):
    model, events = steered(store, [HELLO, bash("true"), submit("Done.")], [], ["In blue", "Big"])

    said = ["In blue", "Big"]
    assert [heard(messages) for messages in model.asked] == [[], said, said]
    assert [m.role for m in model.asked[1][-4:]] == ["assistant", "tool", "user", "user"]
    assert [e.text for e in events if isinstance(e, UserSteered)] == ["In blue", "Big"]
    kinds = [event.kind for event in events]
    assert kinds[kinds.index("tool.finished") + 1 :][:3] == [*["user.steered"] * 2, "model.spoke"]


def test_what_was_said_before_it_began_is_told_in_the_first_turn(store):
    model, _ = steered(store, [submit("Done.")], ["In blue"])
    assert heard(model.asked[0]) == ["In blue"]


def test_a_submit_does_not_end_a_run_to_which_something_was_said(store):
    model, events = steered(
        store, [HELLO, submit("A."), bash("true"), submit("B.")], [], [], ["In blue"]
    )
    assert heard(model.asked[2]) == ["In blue"]
    assert paired(model.asked[3])
    assert (events[-1].reason, events[-1].summary) == (Reason.SUBMITTED, "B.")


def test_who_is_spoken_to_has_its_patience_back(store):
    silent = [Reply("Hm."), Reply("Hm."), Reply("Hm.")]
    model, events = steered(store, [*silent, submit("Done.")], [], [], ["Please go on"])
    assert events[-1].reason is Reason.SUBMITTED
    assert [m.text for m in model.asked[2][-2:]] == [NUDGE, f"{STEERED}Please go on"]


def test_a_run_that_goes_on_after_a_pause_still_knows_it(store):
    _, first = steered(store, [HELLO, bash("true")], [], ["In blue"], limits=Limits(turns=2))
    assert isinstance(first[-1], RunPaused)
    workspace = next(e.digest for e in first if isinstance(e, WorkspaceSaved))
    model = ScriptedModel([submit("Done.")])
    agent = Agent(model, MemorySandbox(), store, Limits(turns=4))
    again = agent.run("A poster", workspace=workspace, earlier=first, said=at_turns(["And big"]))
    assert list(again)[-1].reason is Reason.SUBMITTED
    assert heard(model.asked[0]) == ["In blue", "And big"]
    assert paired(model.asked[0])


def test_retold_in_order_between_results_and_the_next_turn():
    calls = (call("execute_bash", "a", command="true"),)
    events = [
        ModelSpoke(turn=1, calls=calls),
        ToolFinished(call="a", output="ok"),
        UserSteered(text="In blue"),
        ModelSpoke(turn=2, text="Blue it is.", calls=calls),
    ]
    told = retold(events)
    assert [m.role for m in told] == ["assistant", "tool", "user", "assistant", "tool"]
    assert paired(told)


def test_a_summary_of_what_was_before_keeps_it():
    context = Context([SYSTEM, REQUEST], 32_000)
    context.add(Message("user", f"{STEERED}In blue"))
    for number in range(14):
        said, result = turn(number, prose(150, number))
        context.add(Message("assistant", prose(1_500, number), calls=said.calls), result)
    assert made_room(context, Asked("Roads are drawn.")).summary
    assert "In blue" in context.messages[3].text


@pytest.mark.parametrize("words", [["Make it blue"], []])
def test_a_recipe_goes_on_and_says_that_it_cannot_be_steered(words):
    model = RecipeModel()
    asked = [SYSTEM, Message("user", "A map of Tokyo for three days")]
    first = list(model.reply(asked, []))[-1]
    answered = [Message("tool", "ok", call=call.id) for call in first.calls]
    said = [Message("user", f"{STEERED}{word}") for word in words]
    second = list(model.reply([*asked, first.message(), *answered, *said], []))[-1]
    assert second.calls[0].id.startswith("run-")
    assert ("cannot be steered" in second.text) == bool(words)
