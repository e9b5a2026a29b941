"""Events as JSON and back."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.events import KINDS, Event, ModelSpoke, RunPaused, ToolStarted, from_data

json_values = st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.booleans()))
# A mapping of anything has to be told what JSON can have in it.
LOOSE = {ModelSpoke: "extra", ToolStarted: "arguments"}


@pytest.mark.parametrize("kind", sorted(KINDS))
@settings(max_examples=20)
@given(data=st.data())
def test_every_event_comes_back_from_json_as_it_was(kind: str, data: st.DataObject) -> None:
    loose = {LOOSE[KINDS[kind]]: json_values} if KINDS[kind] in LOOSE else {}
    event = data.draw(st.builds(KINDS[kind], **loose))
    back = from_data(kind, json.loads(json.dumps(event.data())))
    # Unlike the events themselves, their texts are the same where a number is none.
    assert repr(back) == repr(event)


def test_every_event_can_come_back() -> None:
    assert set(KINDS.values()) >= {item for item in Event.__subclasses__() if item.__slots__}
    assert all(KINDS[kind].kind == kind for kind in KINDS)


def test_what_a_later_version_adds_is_left_out_and_what_an_earlier_lacked_has_its_default() -> None:
    told = {"reason": "turn_limit", "message": "", "mood": "good", "usage": {"input": 3, "new": 1}}
    paused = from_data("run.paused", told)
    assert isinstance(paused, RunPaused)
    assert (paused.usage.input, paused.usage.output, paused.turns) == (3, 0, 0)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("run.dreamt", {}),
        ("run.paused", {"reason": "boredom", "message": ""}),
        ("tool.printed", {"call": "1"}),
        ("model.spoke", {"turn": 1, "calls": 7}),
    ],
)
def test_what_is_no_event_is_refused(kind: str, told: dict) -> None:
    with pytest.raises(ValueError, match=r"no event|This is no"):
        from_data(kind, told)
