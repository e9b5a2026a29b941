"""A run's trajectory, taken away by its owner."""

import json

import pytest
from asgiref.sync import async_to_sync
from django.urls import reverse

from agent.events import ModelSpoke, Reason, RunEnded, RunStarted, ToolFinished, ToolPrinted
from agent.testing import call
from agent.trajectories import read_text, replies_of
from studio.runs import claims, journal
from studio.runs.exports import ROWS
from tests.studio.conftest import follow_up

pytestmark = pytest.mark.django_db(transaction=True)

LONG = ROWS + 7
FACTS = [
    RunStarted(prompt="A poster", model="m", system="Be good."),
    ModelSpoke(turn=1, text="我画。", calls=(call("execute_bash", "a", command="draw"),)),
    *(ToolPrinted(call="a", text=f"line {number}\n") for number in range(LONG)),
    ToolFinished(call="a", output="drawn", exit_code=0),
    ModelSpoke(turn=2, calls=(call("submit", "b", summary="Done."),)),
    ToolFinished(call="b", output="Done."),
    RunEnded(reason=Reason.SUBMITTED, message="", summary="Done.", turns=2),
]


@pytest.fixture
def told(run):
    token = claims.claim(run.pk)
    for fact in FACTS:
        journal.append(run.pk, fact, claim=token)
    run.refresh_from_db()
    return run


def taken(browser, run, **query):
    answer = browser.get(reverse("runs:trajectory", args=[run.pk]), query)
    return answer, read(answer) if answer.status_code == 200 else ""


@async_to_sync
async def read(answer):
    return b"".join([piece async for piece in answer]).decode()


@pytest.mark.parametrize(
    ("form", "name", "media_type"),
    [
        ("messages", "messages.json", "application/json"),
        ("steps", "trajectory.json", "application/json"),
        ("events", "run.jsonl", "application/jsonl"),
    ],
)
def test_each_form_is_a_download_that_can_be_read_back(
    alices_browser, told, form, name, media_type
):
    answer, text = taken(alices_browser, told, form=form)
    assert answer["content-disposition"] == f'attachment; filename="{name}"'
    assert answer["content-type"] == media_type
    assert answer["x-content-type-options"] == "nosniff"
    assert "no-store" in answer["cache-control"]
    assert answer.streaming
    events = read_text(text)
    assert events[0][1].prompt == "A poster"
    assert [reply.calls for reply in replies_of(events)] == [FACTS[1].calls, FACTS[-3].calls]


def test_the_events_are_all_there_with_their_times(alices_browser, told):
    events = read_text(taken(alices_browser, told)[1])
    assert [event for _, event in events] == FACTS
    assert all(at.endswith("+00:00") for at, _ in events)


def test_messages_begin_with_what_the_model_was_told(alices_browser, told):
    later = follow_up(told)
    token = claims.claim(later.pk)
    journal.append(later.pk, RunStarted(prompt="In blue", model="m", system="S"), claim=token)
    messages = json.loads(taken(alices_browser, later, form="messages")[1])["messages"]
    assert [message["content"] for message in messages] == [
        "S",
        "A poster for the summer party",
        "Done.",
        "In blue",
    ]


@pytest.mark.parametrize("form", ["messages", "steps", "events"])
def test_a_run_that_waits_has_an_empty_one(alices_browser, run, form):
    answer, text = taken(alices_browser, run, form=form)
    assert answer.status_code == 200
    assert form == "events" or json.loads(text)


def test_a_stranger_and_an_unknown_form_get_404(alices_browser, charlies_browser, told):
    assert taken(charlies_browser, told, form="steps")[0].status_code == 404
    assert taken(alices_browser, told, form="pickle")[0].status_code == 404


def test_the_page_offers_them(alices_browser, told):
    page = alices_browser.get(told.project.get_absolute_url()).content.decode()
    for form in ("messages", "steps", "events"):
        assert f'href="/runs/{told.pk}/trajectory/?form={form}" download' in page
