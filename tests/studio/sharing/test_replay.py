"""Visitors watch how what they see was made, if its owner lets them; and what never leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from agent.events import (
    ArtifactRemoved,
    ArtifactSkipped,
    ModelSpoke,
    Reason,
    RunEnded,
    RunPaused,
    RunStarted,
    SandboxReady,
    ToolCall,
    ToolFinished,
    ToolPrinted,
    ToolStarted,
    Usage,
    UserSteered,
    WorkspaceSaved,
)
from studio.artifacts import links
from studio.artifacts.links import Grant
from studio.artifacts.models import Artifact, Version
from studio.projects.requests import begin_project
from studio.runs import claims, feed, journal
from studio.runs.models import Run
from studio.sharing import reach
from studio.sharing.models import Share
from tests.studio.conftest import save, shared

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

# In everything that is not for visitors, whatever their link allows.
SECRET = "canary"
ASKED = "In yellow, please"


def tell(run: Run, *facts: object) -> None:
    run.refresh_from_db()
    claim = run.claim or claims.claim(run.pk)
    for fact in facts:
        journal.append(run.pk, fact, claim=claim)


def end(run: Run) -> None:
    tell(run, RunEnded(reason=Reason.SUBMITTED, message=SECRET, summary="Two files."))


@pytest.fixture
def made(run: Run) -> Run:
    """A finished request that left a poster and notes, and told secrets on the way."""
    tell(
        run,
        RunStarted(prompt=SECRET, model=SECRET, inputs=(SECRET,), system=SECRET),
        SandboxReady(sandbox=SECRET, image=SECRET, seconds=1),
        ModelSpoke(
            turn=1,
            text="I will draw it.",
            reasoning=SECRET,
            calls=(ToolCall(SECRET, SECRET, SECRET),),
            extra={"kept": SECRET},
            usage=Usage(input=123456, output=7, cost=0.98765),
        ),
        ToolStarted(
            call="a", tool="execute_bash", arguments={"command": f"python draw.py\n{SECRET}"}
        ),
        ToolPrinted(call="a", text=SECRET),
        ToolFinished(call="a", output=SECRET, exit_code=0, seconds=2),
        UserSteered(text=ASKED),
        ToolStarted(
            call="b",
            tool="str_replace_editor",
            arguments={"command": "create", "path": "/workspace/x.py", "file_text": SECRET},
        ),
        ToolFinished(call="b", output=SECRET),
    )
    save(run, "poster.html", b"<h1>One</h1>")
    save(run, "notes.txt", b"notes")
    save(run, "budget.txt", b"secret")
    tell(
        run,
        ArtifactSkipped(path=SECRET, why=SECRET),
        ArtifactRemoved(path="budget.txt"),
        WorkspaceSaved(digest=SECRET, size=1),
    )
    end(run)
    return run


def later(run: Run) -> Run:
    """The next request, which has changed the poster."""
    after = Run.objects.create(project=run.project, number=run.number + 1, prompt="In blue")
    save(after, "poster.html", b"<h1>Two</h1>")
    end(after)
    return after


def visit(path: str):
    return Client(HTTP_HOST="localhost:8000").get(path)


def told(path: str, number: int = 1) -> Iterator[dict]:
    """What a visitor's page reads, as it reads it."""
    after = 0
    while events := visit(f"{path}replay/{number}/events/?after={after}").json()["events"]:
        yield from events
        after = events[-1]["seq"]


def test_nobody_watches_what_the_owner_has_not_allowed(made: Run) -> None:
    assert Share().allow_replay is False
    _, path = shared(made.project)
    assert "/replay/" not in visit(path).content.decode()
    for where in ("replay/1/", "replay/1/events/"):
        assert visit(path + where).status_code == 404


def test_a_visitor_is_told_what_was_said_and_done_and_nothing_else(made: Run) -> None:
    _, path = shared(made.project, allow_replay=True)
    answers = list(told(path))
    assert [event["kind"] for event in answers] == [
        "run.started",
        "model.spoke",
        "tool.started",
        "tool.finished",
        "user.steered",
        "tool.started",
        "tool.finished",
        "artifact.saved",
        "artifact.saved",
        "run.ended",
    ]
    everything = json.dumps(answers)
    for hidden in (SECRET, "budget.txt", "123456", "0.98765"):
        assert hidden not in everything
    for shown in ("I will draw it.", "python draw.py", "x.py", ASKED, "notes.txt", "Two files."):
        assert shown in everything
    assert visit(f"{path}replay/1/events/").json().keys() == {"events"}


def test_no_kind_of_event_is_told_that_nobody_thought_of(made: Run) -> None:
    _, path = shared(made.project, allow_replay=True)
    made.events.filter(kind="tool.printed").update(kind="secret.told")
    assert SECRET not in json.dumps(list(told(path)))


def test_many_events_that_are_not_for_visitors_do_not_end_it(made: Run, monkeypatch) -> None:
    monkeypatch.setattr(feed, "BATCH", 1)
    _, path = shared(made.project, artifact=Artifact.objects.get(path="notes.txt"))
    Share.objects.update(allow_replay=True)
    kinds = [event["kind"] for event in told(path)]
    assert (kinds.count("artifact.saved"), kinds[-1]) == (1, "run.ended")


def test_what_was_asked_stays_away_if_the_owner_wants(made: Run) -> None:
    _, path = shared(made.project, allow_replay=True, show_prompts=False)
    assert ASKED not in json.dumps(list(told(path)))
    made.project.title = "Party"
    made.project.save()
    assert "summer party" not in visit(f"{path}replay/1/").content.decode()


def test_a_pause_keeps_the_clock_from_running_and_asks_no_visitor(run: Run) -> None:
    save(run, "poster.html", b"one")
    tell(run, RunPaused(reason=Reason.DAY_LIMIT, message=SECRET))
    run.refresh_from_db()
    run.status = "ended"
    run.save()
    _, path = shared(run.project, allow_replay=True)
    pause = next(event for event in told(path) if event["kind"] == "run.paused")
    assert pause["data"] == {"message": ""}


def test_the_page_shows_each_file_as_it_was_then(made: Run) -> None:
    first = Version.objects.get(artifact__path="poster.html").digest
    later(made)
    second = Artifact.objects.get(path="poster.html").latest.digest
    _, path = shared(made.project, allow_replay=True)
    assert f'href="{path}replay/1/"' in visit(path).content.decode()
    assert f'href="{path}replay/2/"' in visit(f"{path}files/poster.html").content.decode()
    page = visit(f"{path}replay/1/").content.decode()
    assert first in page
    assert second not in page
    assert f"{path}files/notes.txt" in page
    assert "budget.txt" not in page
    assert f"{path}replay/2/" in page
    assert f"/projects/{made.project_id}" not in page
    assert "/runs/" not in page


def reached(share: Share, version: Version) -> bool:
    grant = Grant(share.project_id, version.pk, reach.through(share))
    return reach.wanted(share, grant, version.artifact.path, version.digest) == version


def test_earlier_versions_are_open_to_who_may_watch(made: Run) -> None:
    first = Version.objects.get(artifact__path="poster.html")
    later(made)
    share, _ = shared(made.project, pinned=True, allow_replay=True)
    assert reached(share, first)
    assert not reached(share, Version.objects.get(artifact__path="budget.txt"))
    share.allow_replay = False
    assert not reached(share, first)


def test_what_is_pinned_ends_with_the_request_it_was_pinned_after(made: Run) -> None:
    share, path = shared(made.project, pinned=True, allow_replay=True)
    working = Run.objects.create(project=made.project, number=2, prompt="In blue")
    save(working, "poster.html", b"<h1>Two</h1>")
    again, there = shared(made.project, pinned=True, allow_replay=True)
    end(working)
    # Not in the same millisecond.
    Run.objects.filter(pk=working.pk).update(ended=timezone.now() + timedelta(seconds=1))
    for each, where in ((share, path), (again, there)):
        assert list(reach.runs(each)) == [made]
        for part in ("replay/2/", "replay/2/events/"):
            assert visit(where + part).status_code == 404


def test_a_file_pinned_at_an_earlier_version_shows_no_later_request(made: Run) -> None:
    first = Version.objects.get(artifact__path="poster.html")
    later(made)
    share = Share(project=made.project, artifact=first.artifact, pinned=True, allow_replay=True)
    path = f"/s/{share.give_token()}/"
    share.save()
    reach.pin(share, first)
    assert list(reach.runs(share)) == [made]
    assert visit(f"{path}replay/1/").status_code == 200


def test_one_shared_file_is_watched_alone(made: Run) -> None:
    notes = Artifact.objects.get(path="notes.txt")
    later(made)
    share, path = shared(made.project, artifact=notes, allow_replay=True)
    assert list(reach.runs(share)) == [made]
    saved = [event["data"]["path"] for event in told(path) if event["kind"] == "artifact.saved"]
    assert saved == ["notes.txt"]
    assert "poster.html" not in visit(f"{path}replay/1/").content.decode()


def test_what_still_goes_on_is_not_watched(run: Run) -> None:
    save(run, "poster.html", b"one")
    _, path = shared(run.project, allow_replay=True)
    assert visit(f"{path}replay/1/").status_code == 404
    assert visit(f"{path}replay/1/events/").status_code == 404


def test_every_address_is_one_of_this_project_through_this_share(made: Run, alice) -> None:
    other = begin_project(alice, "Another one", [])
    save(other, "other.txt", b"other")
    end(other)
    share, path = shared(made.project, allow_replay=True)
    page = visit(f"{path}replay/1/").content.decode()
    assert "other.txt" not in page
    for word in page.replace("'", '"').split('"'):
        url = urlsplit(word)
        if ".artifacts." in url.netloc:
            assert url.netloc.startswith(made.project_id)
            grant = links.read(url.path.split("/")[1])
            assert grant
            assert (grant.project, grant.to) == (made.project_id, reach.through(share))


CLOSED = {
    "revoked": (404, lambda share: share.revoke()),
    "expired": (
        404,
        lambda share: Share.objects.update(expires=timezone.now() - timedelta(seconds=1)),
    ),
    "in the trash": (
        404,
        lambda share: type(share.project).objects.update(deleted=timezone.now()),
    ),
    "not allowed any more": (404, lambda share: Share.objects.update(allow_replay=False)),
}


@pytest.mark.parametrize("how", CLOSED)
def test_what_is_told_ends_with_the_link(how: str, made: Run) -> None:
    share, path = shared(made.project, allow_replay=True)
    assert list(told(path))
    code, close = CLOSED[how]
    close(share)
    assert visit(f"{path}replay/1/events/").status_code == code


def test_a_password_is_asked_for_first(made: Run) -> None:
    _, path = shared(made.project, allow_replay=True, password="open sesame")
    client = Client(HTTP_HOST="localhost:8000")
    answer = client.get(f"{path}replay/1/events/")
    assert (answer.status_code, "draw" in answer.content.decode()) == (403, False)
    client.post(path, {"password": "open sesame"})
    assert "draw" in client.get(f"{path}replay/1/events/").content.decode()


@pytest.mark.parametrize("after", ["x", "9" * 5000, "-1", "²"])
def test_any_number_to_read_after_is_answered(after: str, made: Run) -> None:
    _, path = shared(made.project, allow_replay=True)
    assert visit(f"{path}replay/1/events/?after={after}").status_code == 200
