"""Whether a provider can go on from what it read the last time."""

import json

import pytest

from benchmarks.tokens import COMET, DAYS, chronicle
from benchmarks.turns import continues, mixed, turns_of

ASKED = [{"role": "user", "content": 'say "messages": ["x"]'}]
MORE = [*ASKED, {"role": "assistant", "content": "x"}]


def body(messages, model="m", tools=("t",)):
    return json.dumps({"model": model, "messages": messages, "tools": tools})


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (body(MORE), True),
        (body([{"role": "user", "content": "say"}, *MORE[1:]]), False),
        (body(MORE[:0]), False),
        (body(MORE, model="n"), False),
        (body(MORE, tools=("t", "u")), False),
        (body(MORE).replace("say", "s\\u0061y"), False),
    ],
)
def test_a_request_continues_another_when_messages_were_added_and_no_byte_changed(later, expected):
    assert continues(body(ASKED), later) is expected


def test_no_two_turns_of_a_session_are_the_same():
    for calls in (turns_of("true {}", 220), mixed(220)):
        assert len({json.dumps(call) for call in calls}) == 220


def test_the_chronicle_is_always_the_same_and_tells_of_one_comet():
    lines = chronicle().splitlines()
    assert chronicle().splitlines() == lines
    assert [number for number, line in enumerate(lines, 1) if "comet" in line] == [COMET]
    assert len(lines) == DAYS
