"""What the user says while a run goes on: it waits, is told once, and is never lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from agent.conversation import STEERED
from agent.events import UserSteered
from agent.recipes import RecipeModel
from agent.sandbox import Exited, Printed
from agent.testing import MemorySandbox, ScriptedModel, bash, submit
from studio.projects.requests import BadRequest
from studio.runs import claims, feed, journal, pausing, reaper, steering, stopping, worker
from studio.runs.history import history
from studio.runs.models import Run, Status
from tests.studio.conftest import follow_up, kinds
from tests.studio.runs.test_claims import expire
from tests.studio.runs.test_worker import ended, started

pytestmark = pytest.mark.django_db(transaction=True)


class Slow(MemorySandbox):
    """Its first command goes on until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.busy, self.go = threading.Event(), threading.Event()

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        while not self.go.is_set():
            self.busy.set()
            yield None
        yield from super().run(command, timeout)


def heard(model: ScriptedModel, turn: int) -> list[str]:
    texts = [message.text for message in model.asked[turn]]
    return [text.removeprefix(STEERED) for text in texts if text.startswith(STEERED)]


def said(run: Run) -> list[str]:
    return [row.data["text"] for row in run.events.filter(kind="user.steered")]


def test_the_model_is_told_at_its_next_turn_exactly_once(run: Run, script) -> None:
    sandbox = Slow()
    model = script([bash("true"), bash("false"), submit("Done.")], sandbox)
    thread = started(run)
    assert sandbox.busy.wait(20)
    steering.say(run, " In blue\r\nplease ")
    assert steering.waiting(run.pk) == ["In blue\nplease"]
    sandbox.go.set()
    thread.join()
    assert ended(run)[0] == "submitted"
    assert [heard(model, turn) for turn in range(3)] == [[], *[["In blue\nplease"]] * 2]
    assert said(run) == ["In blue\nplease"]
    assert steering.waiting(run.pk) == []
    told = kinds(run)
    assert told[told.index("user.steered") + 1] == "model.spoke"


def test_said_twice_is_told_twice(run: Run, script) -> None:
    model = script([submit("Done.")])
    for _ in range(2):
        steering.say(run, "In blue")
    worker.execute(run.pk)
    assert heard(model, 0) == said(run) == ["In blue", "In blue"]


def test_a_paused_run_is_told_when_it_goes_on(run: Run, script, settings) -> None:
    settings.RUN_TURNS = 1
    script([bash("true")])
    steering.say(run, "In blue")
    worker.execute(run.pk)
    run.refresh_from_db()
    assert run.status == Status.PAUSED
    steering.say(run, "And big")
    pausing.go_on(run)
    model = script([submit("Done.")])
    worker.execute(run.pk)
    assert heard(model, 0) == ["In blue", "And big"]
    assert said(run) == ["In blue", "And big"]


def test_what_a_killed_worker_was_not_told_is_kept(run: Run, script) -> None:
    token = claims.claim(run.pk)
    assert token is not None
    steering.say(run, "In blue")
    steering.say(run, "And big")
    journal.append(run.pk, UserSteered(text="In blue"), claim=token)
    expire(run)
    reaper.end_abandoned()
    assert ended(run)[0] == "interrupted"
    assert said(run) == ["In blue"]
    assert [word["text"] for word in feed.state(run)["words"]] == ["And big"]


def test_who_lost_the_claim_tells_nobody(run: Run) -> None:
    token = claims.claim(run.pk)
    assert token is not None
    steering.say(run, "In blue")
    stopping.stop(run)
    expire(run)
    reaper.end_abandoned()
    with pytest.raises(journal.ClaimLost):
        journal.append(run.pk, UserSteered(text="In blue"), claim=token)
    assert steering.waiting(run.pk) == ["In blue"]


def test_what_is_taken_back_is_not_told(run: Run, script, alices_browser: Client) -> None:
    steering.say(run, "In blue")
    steering.say(run, "In red")
    word = feed.state(run)["words"][0]["id"]
    alices_browser.post(reverse("runs:take-back", args=[run.pk, word]))
    model = script([submit("Done.")])
    worker.execute(run.pk)
    assert heard(model, 0) == ["In red"]


def test_taken_back_too_late_it_costs_no_other_word(run: Run) -> None:
    token = claims.claim(run.pk)
    assert token is not None
    steering.say(run, "In blue")
    steering.say(run, "In red")
    steering.take_back(run, run.words.all()[0].pk)
    journal.append(run.pk, UserSteered(text="In blue"), claim=token)
    assert steering.waiting(run.pk) == ["In red"]


def test_recipes_are_not_told_so_it_can_be_asked_for_afterwards(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = RecipeModel([])
    monkeypatch.setattr(worker, "model", lambda run: model)
    monkeypatch.setattr(worker, "sandbox", lambda run: MemorySandbox())
    steering.say(run, "In blue")
    worker.execute(run.pk)
    assert ended(run)[0] == "submitted"
    assert steering.waiting(run.pk) == ["In blue"]


def test_a_follow_up_knows_what_was_said(run: Run, script) -> None:
    script([submit("Done.")])
    steering.say(run, "In blue")
    worker.execute(run.pk)
    assert history(follow_up(run))[0].prompt == "A poster for the summer party\n\nIn blue"


def test_too_late_too_much_and_nothing_are_refused(run: Run, alices_browser: Client) -> None:
    url = reverse("runs:say", args=[run.pk])
    assert alices_browser.post(url, {"text": " \0 "}).status_code == 422
    assert alices_browser.post(url, {"text": "x" * (steering.CHARS + 1)}).status_code == 422
    for number in range(steering.MOST):
        steering.say(run, f"{number}")
    with pytest.raises(BadRequest, match="Much is waiting"):
        steering.say(run, "One more")
    stopping.stop(run)
    answer = alices_browser.post(url, {"text": "In blue"})
    assert (answer.status_code, "has ended meanwhile" in answer.content.decode()) == (409, True)
    assert run.words.count() == steering.MOST


def test_the_page_offers_what_came_too_late(run: Run, alices_browser: Client) -> None:
    steering.say(run, "Make it <b>blue</b>")
    stopping.stop(run)
    page = alices_browser.get(run.project.get_absolute_url()).content.decode()
    assert "Make it &lt;b&gt;blue&lt;/b&gt;" in page
    assert "data-ask-now" in page
