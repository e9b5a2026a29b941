"""A conversation that outgrows the model's window: what is put aside, summed up, never lost."""

import json

import pytest

from agent.context import Context
from agent.conversation import GO_ON, NUDGE, SUMMARISE, retold
from agent.errors import ContextOverflow, ModelUnavailable
from agent.events import ContextCompacted, ModelSpoke, ToolCall, Usage
from agent.models import Message
from agent.testing import call
from tests.agent.conversations import (
    REQUEST,
    SYSTEM,
    Asked,
    filled,
    made_room,
    paired,
    prose,
    tokens,
    turn,
)

# What is put aside


def test_a_conversation_that_fits_is_left_alone():
    context = filled(32_000, [prose(1_500, n) for n in range(10)])
    told = list(context.messages)
    assert made_room(context) is None
    assert context.messages == told


def test_of_old_outputs_a_word_is_left_and_the_newest_stay_whole():
    outputs = [f"{n} files were found\n{prose(1_500, n)}" for n in range(16)]
    context = filled(32_000, outputs)
    compacted = made_room(context)

    results = [message.text for message in context.messages if message.role == "tool"]
    assert results[-2:] == outputs[-2:]
    assert results[0] == (
        f"[Output of {len(outputs[0]):,} characters put aside; call again if you need it. "
        "It began:]\n0 files were found"
    )
    assert compacted.masked == sum(text not in outputs for text in results) >= 13
    assert compacted.summary == ""
    assert compacted.tokens_before - compacted.tokens_after > 0.4 * 32_000
    assert compacted.tokens_after == pytest.approx(tokens(context.messages), rel=0.05)
    assert paired(context.messages)


def test_old_files_in_calls_are_shortened_and_stay_json():
    written = {"command": "create", "path": "/workspace/a.py", "file_text": "印(1)\n" * 600}
    context = filled(32_000, ["File created"] * 11, **written)
    assert made_room(context)

    arguments = [json.loads(m.calls[0].arguments) for m in context.messages if m.calls]
    assert arguments[-1] == written
    old = arguments[0]
    assert (old["command"], old["path"]) == ("create", "/workspace/a.py")
    assert old["file_text"].startswith("印(1)\n")
    assert "2,800 characters put aside" in old["file_text"]
    assert len(old["file_text"]) < 400


@pytest.mark.parametrize("arguments", ['{"command": "' + "x" * 9000, "[" * 3000, '"' + "x" * 9000])
def test_long_arguments_that_are_no_object_become_one(arguments):
    context = Context([SYSTEM, REQUEST], 32_000)
    for number in range(12):
        wish = ToolCall(f"call_{number}", "execute_bash", arguments)
        context.add(Message("assistant", "", calls=(wish,)))
        context.add(Message("tool", f"not valid\n{prose(2_000)}", call=wish.id))
    assert made_room(context)
    assert set(json.loads(context.messages[2].calls[0].arguments)) == {"text"}


def test_old_pictures_are_dropped_and_told_of():
    context = Context([SYSTEM, REQUEST], 32_000)
    for number in range(16):
        said, seen = turn(number, "picture.png")
        context.add(said, Message("tool", seen.text, call=seen.call, images=(b"\x89PNG",)))
    assert made_room(context)
    old, *_, new = [m for m in context.messages if m.role == "tool"]
    assert old.images == ()
    assert "view it again" in old.text
    assert new.images == (b"\x89PNG",)


# Summaries


def overfull(summary: str | ModelUnavailable, window: int = 32_000) -> tuple[Context, Asked]:
    """One in which the model talked so much that putting outputs aside is not enough."""
    model = Asked(summary)
    context = Context([SYSTEM, REQUEST], window)
    for number in range(14):
        said, result = turn(number, prose(150, number))
        context.add(Message("assistant", prose(1_500, number), calls=said.calls), result)
    return context, model


def test_where_that_is_not_enough_the_model_writes_a_summary():
    context, model = overfull("Roads are drawn. Labels are missing.")
    told = list(context.messages)
    compacted = made_room(context, model)

    assert model.asked == [[*told, Message("user", SUMMARISE)]]
    assert compacted.summary == "Roads are drawn. Labels are missing."
    assert compacted.usage == Usage(input=7, output=3)
    summary = [Message("assistant", compacted.summary), Message("user", GO_ON)]
    assert context.messages[:4] == [SYSTEM, REQUEST, *summary]
    assert context.messages[4:] == told[-len(context.messages[4:]) :]
    assert context.messages[-1] == told[-1]
    assert compacted.tokens_after < compacted.tokens_before / 2
    assert paired(context.messages)


@pytest.mark.parametrize("failure", ["", "  \n", ContextOverflow("too long")])
def test_without_a_summary_the_calls_stand_there_a_line_each(failure):
    context, model = overfull(failure)
    compacted = made_room(context, model)
    assert compacted.summary.count("- execute_bash: make") == 14 - context.messages[4:].count(
        Message("tool", prose(150, 13), call="call_13")
    ) - (len(context.messages[4:]) // 2 - 1)
    assert context.messages[2] == Message("assistant", compacted.summary)


def test_a_conversation_too_long_to_be_summed_up_is_shown_without_its_outputs():
    model = Asked("A summary.")
    context = Context([SYSTEM, REQUEST], 32_000)
    for number in range(7):
        said, result = turn(number, prose(1_400, number))
        context.add(Message("assistant", prose(1_400, number), calls=said.calls), result)
    context.add(*turn(7, prose(10_000)))
    compacted = made_room(context, model)
    assert compacted.tokens_before > 28_000
    assert compacted.summary == "A summary."
    assert tokens(model.asked[0]) < 28_000
    assert model.asked[0][-2] == context.messages[-1]


def test_a_model_that_is_away_ends_the_run():
    context, model = overfull(ModelUnavailable("away"))
    with pytest.raises(ModelUnavailable, match="away"):
        made_room(context, model)


def test_a_summary_is_bounded():
    context, model = overfull("so " * 100_000)
    compacted = made_room(context, model)
    assert tokens([Message("assistant", compacted.summary)]) < 32_000 / 6


def test_what_the_user_says_later_is_never_lost():
    context = Context([SYSTEM, REQUEST], 32_000)
    for number in range(60):
        said, result = turn(number, prose(150, number))
        context.add(Message("assistant", prose(1_500, number), calls=said.calls), result)
        if number == 2:
            context.add(Message("assistant", "Hm."), Message("user", f"{NUDGE}\n\n[5 turns left]"))
        if number == 3:
            context.add(Message("assistant", "Done."), Message("user", "Make the sea blue."))
        made_room(context)
    told = "\n".join(message.text for message in context.messages)
    assert told.count("Make the sea blue.") == 1
    assert NUDGE not in told


def test_a_run_that_goes_on_begins_with_its_last_summary():
    events = [
        ModelSpoke(turn=1, text="one", calls=(call("execute_bash", "1", command="a"),)),
        ContextCompacted(masked=3, tokens_before=9, tokens_after=5),
        ModelSpoke(turn=2, text="two", calls=(call("execute_bash", "2", command="b"),)),
        ContextCompacted(masked=0, summary="One and two.", tokens_before=9, tokens_after=5),
        ModelSpoke(turn=3, text="three", calls=(call("execute_bash", "3", command="c"),)),
    ]
    assert [message.text for message in retold(events)][:3] == ["One and two.", GO_ON, "three"]
    assert [message.text for message in retold(events[:3])][::2] == ["one", "two"]
    assert paired(retold(events))
