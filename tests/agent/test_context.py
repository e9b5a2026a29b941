"""The conversation kept within the model's window: what is told, what is put aside, what never."""

import json
import random
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.context import Context
from agent.conversation import GO_ON, NUDGE, SUMMARISE, retold
from agent.errors import ContextOverflow, ModelUnavailable
from agent.events import ContextCompacted, Event, ModelSpoke, ToolCall, Usage
from agent.models import Message, Reply
from agent.testing import call
from agent.tokens import counted

SYSTEM, REQUEST = Message("system", "Make what is asked for."), Message("user", "A map of Tokyo.")
WORDS = ["the", "file", "has", "been", "written", "and", "no", "error", "was", "found", "in", "it"]


def prose(tokens: int, seed: int = 0) -> str:
    """About that many tokens, in lines."""
    dice = random.Random(seed)
    return "\n".join(" ".join(dice.choices(WORDS, k=10)) for _ in range(tokens // 11))


def tokens(messages: Sequence[Message]) -> int:
    return sum(map(counted, messages))


def turn(number: int, output: str, **arguments: str) -> tuple[Message, Message]:
    wish = call("execute_bash", f"call_{number}", **(arguments or {"command": "make"}))
    return Message("assistant", "Next.", calls=(wish,)), Message("tool", output, call=wish.id)


class Asked:
    """A model that is asked for summaries and gives this one."""

    def __init__(
        self, summary: str | ModelUnavailable = "All went well; map.html is left."
    ) -> None:
        self.summary = summary
        self.asked: list[list[Message]] = []

    def __call__(self, messages: Sequence[Message]) -> Iterator[Event]:
        self.asked.append(list(messages))
        yield from ()
        if isinstance(self.summary, ModelUnavailable):
            raise self.summary
        return Reply(self.summary, usage=Usage(input=7, output=3))


def made_room(context: Context, model: Asked | None = None) -> ContextCompacted | None:
    events = list(context.make_room(model or Asked()))
    assert len(events) <= 1
    return events[0] if events else None


def filled(window: int, outputs: Sequence[str], **more: str) -> Context:
    context = Context([SYSTEM, REQUEST], window)
    for number, output in enumerate(outputs):
        for message in turn(number, output, **more):
            context.add(message)
    return context


def paired(messages: Sequence[Message]) -> bool:
    """Whether each call is answered once, right behind, in the order of the calls."""
    waiting: list[str] = []
    for message in messages:
        if message.role == "tool":
            if not waiting or waiting.pop(0) != message.call:
                return False
        elif waiting:
            return False
        waiting += [wish.id for wish in message.calls]
    return not waiting


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


# Windows


def test_one_result_larger_than_the_window_is_cut():
    context = filled(8_000, ["It starts here.\n" + prose(20_000) + "\nIt ends here."])
    result = context.messages[-1].text
    assert tokens(context.messages) < 8_000 * 0.6
    assert result.startswith("It starts here.")
    assert result.endswith("It ends here.")
    assert "characters left out" in result


def test_of_several_results_only_the_long_ones_are_cut():
    context = Context([SYSTEM, REQUEST], 16_000)
    wishes = tuple(call("execute_bash", str(n), command="x") for n in range(3))
    context.add(Message("assistant", "", calls=wishes))
    texts = ["ok", prose(9_000), prose(300)]
    context.add(*(Message("tool", text, call=str(n)) for n, text in enumerate(texts)))
    first, second, third = context.messages[-3:]
    assert (first.text, third.text) == (texts[0], texts[2])
    assert 3_000 < counted(second) < 7_000


def test_the_newest_results_are_cut_when_the_window_turns_out_to_be_smaller():
    context = filled(128_000, ["It starts here.\n" + prose(12_000)])
    context.overflowed(ContextOverflow("maximum context length is 8192 tokens"))
    assert made_room(context)
    assert tokens(context.messages) < 8_192 * 0.8
    assert context.messages[-1].text.startswith("It starts here.")
    assert counted(context.messages[-1]) > 3_000


def test_the_providers_count_is_what_matters():
    context = filled(32_000, [prose(1_000, n) for n in range(10)])
    context.measured(Usage(input=26_000))
    compacted = made_room(context)
    assert compacted.tokens_before == 26_000
    # What is left is reckoned at the same rate.
    assert compacted.tokens_after > 1.5 * tokens(context.messages)


@pytest.mark.parametrize("input", [0, 1, 10**9])
def test_a_count_that_cannot_be_is_not_believed(input):
    context = filled(32_000, [prose(1_500, n) for n in range(14)])
    context.measured(Usage(input=input))
    assert made_room(context) is None
    context.add(*turn(99, prose(3_000)))
    assert made_room(context)


@pytest.mark.parametrize(
    ("refusal", "window"),
    [
        ("maximum context length is 8192 tokens, however you requested 9500 (9000 + 500)", 8_192),
        ("the request exceeds the available context size (8192 tokens), try increasing it", 8_192),
        ("prompt is too long: 21,000 tokens > 8,192 maximum", 8_192),
        ("Range of input length should be [1, 8192]", 8_192),
        ("The token count (12000) exceeds the maximum number of tokens allowed (8192).", 8_192),
        ('{"type": "exceed_context_size_error", "n_prompt_tokens": 12000, "n_ctx": 8192}', 8_192),
        ("The model is loaded with context length of only 8192 tokens", 8_192),
        ("Please reduce the length of the messages.", 7_500),
        ("invalid params, context window exceeds limit (400)", 7_500),
    ],
)
def test_the_window_is_learned_from_a_refusal(refusal, window):
    context = filled(128_000, [prose(1_000, n) for n in range(10)])
    context.overflowed(ContextOverflow(f"http://127.0.0.1:43210/v1 answered: {refusal}"))
    compacted = made_room(context)
    assert compacted
    assert tokens(context.messages) < window * 0.7
    for number in range(10, 20):
        context.add(*turn(number, prose(1_000, number)))
        made_room(context)
        assert tokens(context.messages) < window


def test_a_second_refusal_in_a_row_is_the_end():
    context = filled(128_000, [prose(1_000, n) for n in range(10)])
    context.overflowed(ContextOverflow("too long"))
    assert made_room(context)
    with pytest.raises(ModelUnavailable, match="Set the model's window"):
        context.overflowed(ContextOverflow("too long"))


def test_one_later_on_is_not():
    context = filled(128_000, [prose(1_000, n) for n in range(10)])
    context.overflowed(ContextOverflow("too long"))
    made_room(context)
    context.measured(Usage(input=tokens(context.messages)))
    context.overflowed(ContextOverflow("too long"))


def test_a_request_that_alone_fills_the_window_is_told_of_when_it_is_refused():
    context = Context([SYSTEM, Message("user", prose(9_000))], 8_000)
    assert made_room(context) is None
    context.overflowed(ContextOverflow("too long"))
    with pytest.raises(ModelUnavailable, match="Give long texts as files"):
        made_room(context)


def test_a_request_that_nearly_fills_the_window_leaves_room_for_results():
    request = Message("user", prose(11_500))
    context = Context([SYSTEM, request], 16_000)
    for number in range(8):
        made_room(context)
        assert context.messages[1] == request
        assert tokens(context.messages) < 14_500
        context.add(*turn(number, prose(2_000, number)))
        assert counted(context.messages[-1]) > 500


# Whatever is said


@st.composite
def sessions(draw):
    """Turns with calls of all sizes, and how the provider counts: a factor, or not at all."""
    window = draw(st.sampled_from([4_000, 8_000, 16_000]))
    turns = draw(
        st.lists(
            st.tuples(
                st.integers(0, 600),  # tokens of text
                st.integers(0, 4_000),  # characters of arguments
                st.lists(st.sampled_from([5, 300, 1_000, 6_000]), max_size=3),  # tokens of results
            ),
            min_size=1,
            max_size=16,
        )
    )
    return window, turns, draw(st.sampled_from([None, 0.6, 1.0, 1.7])), draw(st.booleans())


@settings(max_examples=25, deadline=None)
@given(sessions())
def test_whatever_is_said_the_request_fits_and_nothing_that_matters_is_lost(session):
    window, turns, factor, answers = session
    context = Context([SYSTEM, REQUEST], window)
    model = Asked("A summary." if answers else "")
    lorem = prose(6_000)
    for number, (text, arguments, results) in enumerate(turns):
        before = list(context.messages)
        compacted = made_room(context, model)
        told = context.messages
        if compacted is None:
            assert told == before
        assert told[:2] == [SYSTEM, REQUEST]
        assert paired(told)
        assert [m.call for m in told[-4:]] == [m.call for m in before[-4:]] or len(told) < 8
        assert told[-1].role != "tool" or told[-1].text[:200] == before[-1].text[:200]
        assert tokens(told) * (factor or 1) < window
        assert all(tokens(asked) * (factor or 1) < window for asked in model.asked)
        for message in told:
            for wish in message.calls:
                assert isinstance(json.loads(wish.arguments), dict)
        if factor:
            context.measured(Usage(input=round(tokens(told) * factor)))
        context.add(
            Message(
                "assistant",
                lorem[: text * 4],
                calls=tuple(
                    call("execute_bash", f"{number}_{place}", command="x" * arguments)
                    for place, _ in enumerate(results)
                ),
            )
        )
        if results:
            context.add(
                *(
                    Message("tool", lorem[: size * 4], call=f"{number}_{place}")
                    for place, size in enumerate(results)
                )
            )
        else:
            context.add(Message("user", NUDGE))
