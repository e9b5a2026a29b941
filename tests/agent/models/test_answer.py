"""What is made of the chunks of an answer, whatever shape they have."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import ModelUnavailable
from agent.events import ToolCall, Usage
from agent.models import Delta, Reply
from agent.models.answer import Answer, ProviderError
from agent.tools import Tool


def submit(summary: str = ""):
    """End."""
    yield


TOOLS = [Tool(submit).schema]
CALL = '<tool_call>\n{"name": "submit", "arguments": {"summary": "Hm."}}\n</tool_call>'
SUBMIT = ToolCall("", "submit", '{"summary": "Hm."}')


def delta(reason=None, **fields):
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": reason}]}


def wish(name=None, arguments=None, **fields):
    function = {"name": name, "arguments": arguments}
    return {**fields, "function": {k: v for k, v in function.items() if v is not None}}


def calls(*pieces, reason=None):
    return delta(reason, tool_calls=list(pieces))


def answer_to(*chunks):
    answer = Answer(TOOLS)
    deltas = [answer.take(chunk) for chunk in chunks]
    return answer, deltas


def reply_to(*chunks):
    return answer_to(*chunks)[0].reply()


BASH, END = {"index": 0, "id": "a"}, {"index": 1, "id": "b"}
PIECE = wish(arguments='{"x": 1}', index=0)


@pytest.mark.parametrize(
    "pieces",
    [
        # In pieces, as OpenAI does; with the name in pieces; with id and name in every piece.
        [wish("bash", "", **BASH), wish(None, '{"x', index=0), wish(None, '": 1}', index=0)],
        [wish("ba", **BASH), wish("sh", index=0), wish(arguments='{"x'), wish(arguments='": 1}')],
        [wish("bash", part, **BASH) for part in ("", '{"x', '": 1}')],
        [wish("bash", '{"x', **BASH), wish(arguments='":', index=0), wish("bash", " 1}", **BASH)],
        # A new id in each piece; empty ids and names where nothing is new; no index.
        [wish("bash", "", **BASH), wish(arguments='{"x": 1}', index=0, id="?")],
        [wish("bash", "", **BASH), wish("", '{"x": 1}', index=0, id="")],
        [wish("bash", '{"x', id="a"), wish(arguments='": 1}', id="a")],
        [wish("bash", "", id="a"), wish(arguments='{"x": 1}')],
        # Whole; as an object; wrapped in a string; after an empty object; in a later piece.
        [wish("bash", '{"x": 1}', **BASH)],
        [wish("bash", {"x": 1}, **BASH)],
        [wish("bash", json.dumps('{"x": 1}'), **BASH)],
        [wish("bash", "{}", **BASH), PIECE],
        [wish(id="a", index=0), wish("bash", index=0), PIECE],
    ],
)
@pytest.mark.parametrize(
    "further",
    [
        [wish("end", "{}", **END)],
        [wish("end", "", **END), wish("", "", **END)],
        [wish("end", None, **END), wish(None, {}, **END)],
        # The index of the call before it, or none.
        [wish("end", "{}", index=0, id="b")],
        [wish("end", "", index=0, id="b"), wish(arguments="{}", index=0)],
        [wish("end", "{}", id="b")],
        [wish("end", "", id="b"), wish(arguments="{}")],
    ],
)
def test_calls_are_put_together_however_they_come(pieces, further):
    reply = reply_to(*map(calls, [*pieces, *further]))
    found = [(call.id, call.name, json.loads(call.arguments or "{}")) for call in reply.calls]
    assert found == [("a", "bash", {"x": 1}), ("b", "end", {})]


@pytest.mark.parametrize("part", ["delta", "message"])
def test_calls_in_one_piece_are_all_taken(part):
    both = [wish("bash", '{"x": 1}', id="a"), wish("end", "{}", id="b")]
    chunk = {"choices": [{part: {"tool_calls": both}, "finish_reason": "stop"}]}
    assert [call.name for call in reply_to(chunk).calls] == ["bash", "end"]
    alone = {"choices": [{part: {"tool_calls": both[0]}}]}
    assert [call.name for call in reply_to(alone).calls] == ["bash"]


@pytest.mark.parametrize(
    "chunks",
    [
        # Without ids: all at one index, in one chunk, without an index, the name said twice.
        [[wish("bash", "", index=0)], [PIECE]] * 2,
        [[wish("bash", '{"x": 1}', index=0)]] * 2,
        [[wish("bash", '{"x": 1}')]] * 2,
        [[wish("bash", '{"x": 1}'), wish("bash", '{"x": 1}')]],
        [[wish("bash", '{"x', index=0)], [wish(arguments='": 1}', index=0)]] * 2,
        [[wish("bash", part, index=at)] for at in (0, 1) for part in ("", '{"x": 1}')],
    ],
)
def test_calls_without_ids_are_told_apart(chunks):
    reply = reply_to(*(calls(*pieces) for pieces in chunks))
    assert reply.calls == (ToolCall("", "bash", '{"x": 1}'),) * 2


def test_calls_without_arguments_are_told_apart():
    named = [wish("bash", "", index=0, id=id) for id in ("a", "b")]
    assert [call.id for call in reply_to(*map(calls, named)).calls] == ["a", "b"]
    one_chunk = calls(wish("end", ""), wish("bash", '{"x": 1}'))
    assert [call.name for call in reply_to(one_chunk).calls] == ["end", "bash"]
    other_name = [calls(wish("bash", '{"x')), calls(wish("end", ""))]
    assert [call.name for call in reply_to(*other_name).calls] == ["bash", "end"]


def test_a_call_in_the_old_form_is_a_call():
    old = [
        delta(function_call={"name": "submit"}),
        delta(function_call={"arguments": '{"summary"'}),
    ]
    reply = reply_to(*old, delta("function_call", function_call={"arguments": ': "Hm."}'}))
    assert reply.calls == (SUBMIT,)


def test_what_is_typed_and_thought_is_told_at_once():
    answer, deltas = answer_to(
        delta(reasoning_content="Let me "),
        delta(reasoning_content="see.", content=None),
        delta(content="Hel"),
        delta(content="lo"),
        delta("stop", content=""),
    )
    assert deltas == [
        Delta(reasoning="Let me "), Delta(reasoning="see."), Delta("Hel"), Delta("lo"), Delta()
    ]  # fmt: skip
    assert answer.complete
    assert answer.reply() == Reply(
        "Hello", "Let me see.", extra={"reasoning_field": "reasoning_content"}
    )


def test_reasoning_that_is_sent_in_two_fields_is_taken_once():
    chunks = [delta(reasoning=text, reasoning_content=text) for text in ("Hm", "m.")]
    assert reply_to(*chunks).reasoning == "Hmm."
    assert reply_to(delta(reasoning="Hm"), delta(reasoning="m.")).reasoning == "Hmm."


def test_details_of_reasoning_are_put_together_to_be_sent_back():
    def detail(**fields):
        return {"type": "reasoning.text", "index": 0, **fields}

    other = {"type": "reasoning.encrypted", "data": "x", "index": 1, "odd": [1], "none": None}
    reply = reply_to(
        delta(reasoning="Le", reasoning_details=[detail(text="Le", signature=None)]),
        delta(reasoning="t me", reasoning_details=[detail(text="t me"), other, 5]),
        delta(reasoning_details=[detail(signature="s")]),
    )
    assert reply.reasoning == "Let me"
    assert reply.extra == {
        "reasoning_field": "reasoning",
        "reasoning_details": [
            detail(text="Let me", signature="s"),
            {"type": "reasoning.encrypted", "data": "x", "index": 1, "none": None},
        ],
    }


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("content", "text", "reasoning", "shown"),
    [
        ("<think>\nHm.\n</think>\n\nYes.", "Yes.", "Hm.", "Yes."),
        ("\n<think></think>Yes.", "Yes.", "", "Yes."),
        ("Hm.\n</think>\n\nYes.", "Yes.", "Hm.", "Hm.\n</think>\n\nYes."),
        ("A <think> in a text</think>.",) * 2 + ("", "A <think> in a text</think>."),
        ("<thin", "<thin", "", ""),
        ("a < b and [TOO] late", "a < b and [TOO] late", "", "a < b and [TOO] late"),
    ],
)
def test_thoughts_within_the_text_are_reasoning(content, text, reasoning, shown, size):
    pieces = [content[at : at + size] for at in range(0, len(content), size)]
    answer, deltas = answer_to(*(delta(content=piece) for piece in pieces))
    reply = answer.reply()
    assert (reply.text, reply.reasoning) == (text, reasoning)
    assert "".join(one.text for one in deltas) == shown
    thought = "".join(one.reasoning for one in deltas).strip()
    assert thought == (reasoning if content.lstrip().startswith("<think>") else "")


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_the_markup_of_a_call_in_the_text_is_never_shown(size):
    content = f"<think>Hm.</think>I end.\n{CALL}"
    pieces = [content[at : at + size] for at in range(0, len(content), size)]
    answer, deltas = answer_to(*(delta(content=piece) for piece in pieces), delta("stop"))

    assert "".join(one.text for one in deltas).strip() == "I end."
    reply = answer.reply()
    assert (reply.text, reply.calls, reply.reasoning) == ("I end.", (SUBMIT,), "Hm.")
    assert reply.extra == {"reasoning_field": "think"}


def test_a_call_in_the_reasoning_counts_when_nothing_else_was_said():
    thought = delta(reasoning_content=f"I end.\n{CALL}")
    assert reply_to(thought).calls == (SUBMIT,)
    assert reply_to(thought).reasoning == "I end."
    assert reply_to(thought, delta(content="Wait.")).calls == ()
    assert reply_to(delta(content=f"<think>I end.\n{CALL}")).calls == (SUBMIT,)


def test_a_call_in_the_text_does_not_count_beside_a_real_one():
    reply = reply_to(delta(content=CALL), calls(wish("submit", "{}", index=0, id="a")))
    assert reply.calls == (ToolCall("a", "submit", "{}"),)
    assert reply.text == CALL


@pytest.mark.parametrize(
    ("reason", "cut", "said"),
    [
        ("stop", False, "Hi"),
        ("tool_calls", False, "Hi"),
        ("length", True, "Hi"),
        ("content_filter", True, "Hi\n\n[The provider's content filter ended this answer.]"),
    ],
)
def test_why_an_answer_ended(reason, cut, said):
    answer, _ = answer_to(delta(content="Hi"), delta(reason))
    assert answer.complete
    assert (answer.reply().cut, answer.reply().text) == (cut, said)


@pytest.mark.parametrize("reason", [None, "", "null", 5, []])
def test_an_answer_without_a_reason_is_whole_only_when_the_stream_says_so(reason):
    answer, _ = answer_to(delta(reason, content="Hi"))
    assert not answer.complete
    answer.done()
    assert answer.complete

    empty, _ = answer_to(delta(reason))
    empty.done()
    assert not empty.complete


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}],
        ["Hello"],
        [{"type": "thinking", "thinking": [{"text": "Hm."}]}, {"text": "Hello"}],
        [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Hello"}, 5, {}],
    ],
)
def test_content_may_be_a_list_of_parts(content):
    reply = reply_to(delta(content=content))
    assert reply.text == "Hello"
    assert reply.reasoning in ("", "Hm.")


def test_a_refusal_is_what_the_model_said():
    assert reply_to(delta(refusal="I can't "), delta("stop", refusal="do that.")).text == (
        "I can't do that."
    )


@pytest.mark.parametrize(
    ("chunks", "usage"),
    [
        ([{"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}], Usage(9, 2)),
        ([{**delta(), "usage": {"prompt_tokens": n, "completion_tokens": n}} for n in (1, 5, 0)],
         Usage(5, 5)),
        ([{"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}}}],
         Usage(9, 0, 4)),
        ([{"usage": {"prompt_tokens": 9, "prompt_cache_hit_tokens": 4}}], Usage(9, 0, 4)),
        ([{"usage": {"prompt_tokens": 9, "cached_tokens": 40}}], Usage(9, 0, 9)),
        ([{"choices": [{"delta": {}, "usage": {"prompt_tokens": 9}}]}], Usage(9)),
        ([{"x_groq": {"usage": {"prompt_tokens": 9}}}], Usage(9)),
        ([{"usage": {"prompt_tokens": 9.0, "completion_tokens": float("nan")}}], Usage(9)),
        ([{"usage": {"prompt_tokens": "9", "completion_tokens": -1}}], Usage()),
        ([{"usage": {"prompt_tokens": 10**400, "completion_tokens": None}}], Usage()),
        ([{"usage": []}, {"usage": {"prompt_tokens_details": 5}}], Usage()),
    ],
)  # fmt: skip
def test_tokens_are_counted_wherever_they_stand(chunks, usage):
    assert reply_to(*chunks).usage == usage


def test_a_whole_message_at_the_end_is_not_said_twice():
    message = {"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}
    assert reply_to(delta(content="Hel"), delta(content="lo"), message).text == "Hello"
    assert reply_to(message).text == "Hello"


@pytest.mark.parametrize(
    ("chunk", "status", "said"),
    [
        ({"error": {"message": "busy", "code": 429}}, 429, "busy"),
        ({"error": {"message": "busy", "code": "503"}, "choices": []}, 503, "busy"),
        ({"error": "no model"}, None, "no model"),
        ({"error": {"code": "odd", "message": 5}}, None, "It sent an error without a word."),
        ({"object": "error", "message": "too long", "code": 400}, 400, "too long"),
        ({"error": {"code": 502, "message": "Provider returned error", "metadata": {"raw": "x"}}},
         502, "Provider returned error: x"),
        ({"base_resp": {"status_code": 1002, "status_msg": "limit"}}, 429, "limit (1002)"),
        (delta("error"), None, "It ended its answer with an error."),
        (delta("insufficient_system_resource"), 503, "It has too few resources for an answer now."),
    ],
)  # fmt: skip
def test_an_error_within_an_answer_is_told_with_its_status(chunk, status, said):
    with pytest.raises(ProviderError) as error:
        answer_to(delta(content="Hi"), chunk)
    assert (error.value.status, error.value.message) == (status, said)


@pytest.mark.parametrize(
    "chunk",
    [
        delta(content="x" * 600_000),
        delta(reasoning="x" * 600_000),
        delta(reasoning_details=[{"data": "x" * 600_000}]),
        calls(wish("bash", "x" * 600_000, index=0)),
        calls(*(wish("x" * 300, index=index) for index in range(3000))),
    ],
)
def test_an_answer_without_end_is_cut(chunk):
    with pytest.raises(ModelUnavailable, match="longer than 16 MB"):
        answer_to(*[chunk] * 40)


def test_an_answer_of_very_many_pieces_is_put_together_soon():
    """Any effort that grows faster than the answer would take hours."""
    answer = Answer(TOOLS)
    for piece in [delta(content=" "), delta(content="x"), calls(wish(arguments="}", index=0))]:
        for _ in range(40_000):
            answer.take(piece)
    assert len(answer.reply().calls[0].arguments) == len(answer.reply().text) // 2 == 40_000


def test_halves_of_characters_are_joined_or_replaced_everywhere():
    answer, _ = answer_to(
        delta(content="\ud83d"),
        delta(content="\ude00 \ud83d"),
        delta(reasoning="\udc00"),
        calls(wish("\ud83d", '"\ud83d"', index=0, id="\ud83d")),
        delta(reasoning_details=[{"text": "\ud83d", "\ud83d": "\ud83d"}]),
    )
    reply = answer.reply()
    assert reply.text == "😀 �"
    assert json.dumps([reply.text, reply.reasoning, reply.extra], ensure_ascii=False).encode()
    assert f"{reply.calls}".encode()


def test_what_a_provider_adds_to_calls_is_kept_to_be_sent_back():
    signed = {"google": {"thought_signature": "s"}}
    chunks = [
        calls(wish("bash", "{}", id="a", extra_content=signed)),
        calls(wish("end", "{}", id="b", extra_content={"odd": float("nan")})),
    ]
    assert reply_to(*chunks).extra == {"extra_content": [signed, None]}
    later = [calls(wish("bash", "{}", id="a")), calls({"extra_content": signed})]
    assert reply_to(*later).extra == {"extra_content": [signed]}


REAL = [
    delta(role="assistant", content="", reasoning_content="Hm", refusal=None),
    delta(reasoning_details=[{"type": "reasoning.text", "text": "x", "index": 0}]),
    delta(content=f"<think>a</think>{CALL}"),
    calls(wish("bash", '{"x": 1}', **BASH, extra_content={"g": {"s": "x"}}), wish("end", **END)),
    delta("stop", function_call={"name": "a", "arguments": "{}"}),
    {"choices": [{"message": {"content": [{"text": "a"}]}, "usage": {"prompt_tokens": 1}}]},
    {"choices": [], "usage": {"prompt_tokens": 1, "prompt_tokens_details": {"cached_tokens": 1}}},
    {"error": {"message": "a", "code": 400, "metadata": {"raw": "b"}}, "base_resp": {}},
    {"x_groq": {"usage": {"prompt_tokens": 5}}, "base_resp": {"status_code": 1, "status_msg": "a"}},
]
ODD = [None, True, -1, 2**70, 1.5, float("inf"), "", "{", "\ud83d", [], {}, [[]], [None], {"a": []}]


def mutated(value, random):
    """A real chunk with something odd in some places."""
    if random.random() < 0.12:
        return random.choice(ODD)
    if isinstance(value, dict):
        return {key: mutated(one, random) for key, one in value.items()}
    return [mutated(one, random) for one in value] if isinstance(value, list) else value


def survives(chunks):
    answer = Answer(TOOLS)
    for chunk in chunks:
        try:
            shown = answer.take(chunk)
            assert json.dumps([shown.text, shown.reasoning], ensure_ascii=False).encode()
        except (ValueError, ProviderError):
            continue
    answer.done()
    reply = answer.reply()
    texts = [reply.text, reply.reasoning, reply.extra]
    texts += [[call.id, call.name, call.arguments] for call in reply.calls]
    assert json.dumps(texts, ensure_ascii=False, allow_nan=False).encode()


def test_no_chunk_of_any_shape_is_a_crash():
    dice = random.Random(4242)
    for _ in range(3000):
        survives([mutated(chunk, dice) for chunk in dice.choices(REAL, k=4)])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(JSON, max_size=4), JSON, JSON)
def test_nothing_at_all_is_a_crash(chunks, one, other):
    survives([*chunks, delta(content=one, tool_calls=other), {"choices": one, "usage": other}])
