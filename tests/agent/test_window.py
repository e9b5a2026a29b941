"""How long a conversation is and may be: cuts, counts, refusals, and whatever is said."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.context import Context
from agent.conversation import NUDGE
from agent.errors import ContextOverflow, ModelUnavailable
from agent.events import Usage
from agent.models import Message
from agent.testing import call
from agent.tokens import counted
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


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
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
