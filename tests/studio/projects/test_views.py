from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from agent.events import Reason, RunEnded
from studio.artifacts.models import Artifact
from studio.projects.models import Project, title_from
from studio.projects.requests import Busy, begin_run
from studio.runs import claims, journal, stopping
from studio.runs.models import Run, Status
from tests.studio.conftest import follow_up, save

pytestmark = pytest.mark.django_db


def finish(run: Run) -> None:
    token = run.claim or claims.claim(run.pk)
    assert token is not None
    journal.append(run.pk, RunEnded(reason=Reason.SUBMITTED, message=""), claim=token)


@pytest.mark.parametrize("prompt", ["", " \n\t ", "\0"])
def test_an_empty_request_is_answered_in_words(prompt: str, alices_browser: Client) -> None:
    answer = alices_browser.post("/projects/new/", {"prompt": prompt})
    assert answer.status_code == 422
    assert "Say what you would like to have." in answer.content.decode()
    assert not Project.objects.exists()


@pytest.mark.parametrize(("length", "status"), [(20_000, 302), (20_001, 422), (100_000, 422)])
def test_a_request_has_at_most_20000_characters(
    length: int, status: int, alices_browser: Client
) -> None:
    assert alices_browser.post("/projects/new/", {"prompt": "长" * length}).status_code == status


def test_a_request_from_htmx_is_answered_for_htmx(alices_browser: Client) -> None:
    answer = alices_browser.post(
        "/projects/new/", {"prompt": "A map of Ulm"}, headers={"hx-request": "true"}
    )
    assert answer.status_code == 200
    assert answer["hx-redirect"] == Project.objects.get().get_absolute_url()


def test_the_title_is_the_requests_beginning_in_one_line() -> None:
    assert title_from("A map\n  of Ulm ") == "A map of Ulm"
    long = title_from("word " * 100)
    assert len(long) <= 80
    assert long.endswith("word…")


def test_a_second_request_has_to_wait_for_the_first(run: Run, alices_browser: Client) -> None:
    path = f"/projects/{run.project_id}/runs/"
    answer = alices_browser.post(path, {"prompt": "And a flyer"})
    assert answer.status_code == 409
    assert "still being worked on" in answer.content.decode()
    finish(run)
    assert alices_browser.post(path, {"prompt": "And a flyer"}).status_code == 302
    assert [item.number for item in run.project.runs.all()] == [1, 2]


def test_the_database_itself_refuses_a_second_active_run(run: Run) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.create(project=run.project, number=2, prompt="x")
    with pytest.raises(Busy):
        begin_run(run.project, "x")


def test_try_again_asks_the_same_once_more(run: Run, alices_browser: Client) -> None:
    stopping.stop(run)
    alices_browser.post(f"/runs/{run.pk}/retry/")
    again = run.project.runs.get(number=2)
    assert (again.prompt, again.status) == (run.prompt, Status.QUEUED)


def test_stop_is_passed_on_to_who_executes_the_run(run: Run, alices_browser: Client) -> None:
    token = claims.claim(run.pk)
    assert token is not None
    assert alices_browser.post(f"/runs/{run.pk}/stop/").status_code == 204
    assert claims.should_stop(run.pk, token)


def test_what_a_socket_would_tell_can_be_asked_for(run: Run, alices_browser: Client) -> None:
    save(run, "a.txt", b"1")
    save(run, "b.txt", b"2")
    told = alices_browser.get(f"/runs/{run.pk}/events/?after=1").json()
    assert [event["seq"] for event in told["events"]] == [2]
    assert told["events"][0]["data"]["path"] == "b.txt"
    assert (told["run"]["status"], told["run"]["last_seq"]) == ("running", 2)
    assert alices_browser.get(f"/runs/{run.pk}/events/?after=x").json()["events"][0]["seq"] == 1


def test_a_list_shows_each_projects_newest_picture(run: Run, alices_browser: Client) -> None:
    save(run, "old.png", b"1")
    save(run, "new.png", b"2")
    save(run, "sound.wav", b"3")
    for path in ("/", "/projects/"):
        answer = alices_browser.get(path)
        listed = answer.context.get("recent_projects") or answer.context["page_obj"]
        (project,) = listed
        assert project.cover.path == "new.png"
        assert project.cover.signed_url.startswith(f"http://{project.pk}.artifacts.localhost:8000/")
        assert project.open_run == run


def test_a_list_costs_as_many_queries_for_many_projects_as_for_one(
    run: Run, alice, alices_browser: Client, django_assert_max_num_queries
) -> None:
    for number in range(30):
        Project.objects.create(owner=alice, title=str(number))
    alices_browser.get("/projects/")  # Once in a while it is written down that she is here.
    with django_assert_max_num_queries(10):
        answer = alices_browser.get("/projects/")
    assert len(answer.context["page_obj"]) == 24


def test_a_page_costs_as_many_queries_for_many_requests_and_files_as_for_one(
    run: Run, alices_browser: Client, django_assert_max_num_queries
) -> None:
    save(run, "0.txt", b"0")
    latest = run
    for number in range(1, 40):
        latest = follow_up(latest)
        save(latest, f"{number}.txt", b"1")
    run.project.artifacts.filter(path__lt="2").update(removed=True)
    url = run.project.get_absolute_url()
    alices_browser.get(url)  # Once in a while it is written down that she is here.
    with django_assert_max_num_queries(30):
        answer = alices_browser.get(url)
    assert len(answer.context["runs"]) == 40
    assert len(answer.context["removed"]) == 12
    with django_assert_max_num_queries(25):
        alices_browser.get(f"{url}files/30.txt")


def test_a_file_is_shown_between_its_neighbours(run: Run, alices_browser: Client) -> None:
    for number in range(30):
        save(run, f"{number}.txt", b"1")
    base = f"{run.project.get_absolute_url()}files/"

    def seen(path: str) -> tuple[str, str, list[str]]:
        context = alices_browser.get(f"{base}{path}").context
        sides = [context[side] and context[side].path for side in ("previous", "next")]
        return (*sides, [file.path for file in context["strip"]])

    assert seen("15.txt") == ("16.txt", "14.txt", [f"{n}.txt" for n in range(27, 2, -1)])
    assert seen("29.txt") == (None, "28.txt", [f"{n}.txt" for n in range(29, 16, -1)])
    assert seen("0.txt") == ("1.txt", None, [f"{n}.txt" for n in range(12, -1, -1)])
    Artifact.objects.filter(path="15.txt").update(removed=True)
    assert "15.txt" not in seen("14.txt")[2]


def test_a_project_can_be_renamed_and_deleted(run: Run, alices_browser: Client) -> None:
    path = run.project.get_absolute_url()
    alices_browser.post(f"{path}rename/", {"title": "  Summer\nparty "})
    assert Project.objects.get().title == "Summer party"
    alices_browser.post(f"{path}rename/", {"title": " "})
    assert Project.objects.get().title == "Summer party"
    answer = alices_browser.post(f"{path}delete/")
    assert answer.status_code == 302
    assert answer["location"].startswith("/projects/?deleted=")
    assert alices_browser.get(path).status_code == 404


def test_the_viewer_shows_the_version_that_is_asked_for(run: Run, alices_browser: Client) -> None:
    old = save(run, "a/b c.svg", b"<svg/>")
    second = follow_up(run)
    new = save(second, "a/b c.svg", b"<svg></svg>")
    save(second, "later.svg", b"<svg/>")
    path = f"/projects/{run.project_id}/files/a/b%20c.svg"
    context = alices_browser.get(path).context
    assert (context["version"].digest, context["version"].number) == (new, 2)
    assert context["previous"].path == "later.svg"
    assert context["next"] is None
    context = alices_browser.get(f"{path}?v={old}").context
    assert old in context["artifact"].signed_url
    assert old in context["artifact"].download_url
    assert alices_browser.get(f"{path}?v={'0' * 64}").status_code == 404
