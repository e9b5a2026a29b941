"""Projects, runs and their files, as programs see them."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from agent.events import Reason, RunEnded, RunPaused
from studio.accounts.models import User
from studio.api import details
from studio.api.models import Delivery, Webhook
from studio.artifacts.models import Version
from studio.projects import trash
from studio.projects.models import Input, Project
from studio.projects.requests import begin_project
from studio.runs import claims, journal
from studio.runs.models import Run, Spending, Status
from studio.runs.spending import today
from tests.studio.api.conftest import Program
from tests.studio.api.test_access import SHARED, ask
from tests.studio.conftest import save

pytestmark = pytest.mark.django_db


def test_a_request_with_files_becomes_a_project_and_its_first_run(alices: Program) -> None:
    files = [SimpleUploadedFile("a.csv", b"1\n"), SimpleUploadedFile("b.csv", b"2\n")]
    answer = alices.post("projects", {"prompt": "Count these", "files": files, "network": "none"})
    made = answer.json()
    assert answer.status_code == 201
    assert (made["project"]["title"], made["project"]["role"]) == ("Count these", "owner")
    assert (made["run"]["status"], made["run"]["queue_position"]) == ("queued", 1)
    inputs = alices.get(f"projects/{made['project']['id']}/inputs").json()["items"]
    assert [each["name"] for each in inputs] == ["b.csv", "a.csv"]


def test_a_form_without_files_will_do(alices: Program) -> None:
    answer = alices.client.post(
        "/api/v1/projects",
        "prompt=A+poster",
        content_type="application/x-www-form-urlencoded",
        HTTP_AUTHORIZATION=f"Bearer {alices.token}",
    )
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"prompt": " "}, "Say what you would like"),
        ({"prompt": "x" * 20_001}, "20001 characters"),
        ({"prompt": "x", "network": "open"}, "network is not available"),
        ({"prompt": "x", "model": "no/such"}, "model is not available"),
    ],
)
def test_what_is_wrong_with_a_request_is_said_as_on_the_page(
    form: dict[str, str], said: str, alices: Program
) -> None:
    answer = alices.post("projects", form)
    assert (answer.status_code, answer["content-type"]) == (422, details.MEDIA_TYPE)
    assert said in answer.json()["detail"]
    assert not Project.objects.exists()


def test_problems_are_told_in_the_language_that_is_asked_for(alices: Program) -> None:
    answer = alices.post("projects", {"prompt": ""}, HTTP_ACCEPT_LANGUAGE="zh-CN")
    assert answer.json()["title"] == "Unprocessable Content"
    assert answer.json()["detail"] == "请说说你想要什么。"


def test_who_sends_json_where_a_form_is_needed_is_told_so_and_the_other_way_round(
    run: Run, alices: Program
) -> None:
    answer = alices.post("projects", '{"prompt": "A poster"}')
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert "takes a form, not JSON" in answer.json()["detail"]
    assert answer.json()["errors"][0]["where"].endswith("prompt")
    answer = alices.ask("PATCH", f"projects/{run.project_id}", "title=Mine")
    assert (answer.status_code, answer.json()["code"]) == (400, "unreadable")
    assert "has to be JSON" in answer.json()["detail"]


def test_long_lists_come_in_pages_without_gaps_whatever_happens_meanwhile(
    alice, alices: Program
) -> None:
    made = [begin_project(alice, f"Wish {number}", []).project_id for number in range(5)]
    first = alices.get("projects?limit=2").json()
    begin_project(alice, "Another", [])
    second = alices.get(f"projects?limit=2&cursor={first['next']}").json()
    third = alices.get(f"projects?limit=2&cursor={second['next']}").json()
    seen = [each["id"] for page in (first, second, third) for each in page["items"]]
    assert seen == made[::-1]
    assert third["next"] is None


def test_a_cursor_that_is_not_of_this_list_is_refused(run: Run, alices: Program) -> None:
    for number in range(2):
        begin_project(run.project.owner, f"Wish {number}", [])
    foreign = alices.get("projects?limit=1").json()["next"]
    for cursor in ("x", foreign + "x"):
        answer = alices.get(f"projects?cursor={cursor}")
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor")
    runs = alices.get(f"projects/{run.project_id}/runs?cursor={foreign}")
    assert runs.json()["code"] == "bad_cursor"


def test_a_project_is_renamed_and_deleted(run: Run, alices: Program) -> None:
    path = f"projects/{run.project_id}"
    assert alices.patch(path, title="  A new\nname ").json()["title"] == "A new name"
    assert alices.patch(path, title=" ").status_code == 422
    assert alices.delete(path).status_code == 204
    assert alices.get(path).status_code == 404


def test_a_deleted_project_can_be_brought_back_and_its_open_run_is_stopped(
    run: Run, alices: Program, alices_browser: Client
) -> None:
    save(run, "poster.html", b"<h1>Poster</h1>")
    path = f"projects/{run.project_id}"
    assert alices.delete(path).status_code == 204
    run.refresh_from_db()
    assert run.stop_requested
    alices_browser.post(reverse("library:restore", args=[run.project_id]))
    assert alices.get(path).status_code == 200
    assert len(alices.get(f"{path}/artifacts").json()["items"]) == 1


def test_a_run_is_followed_up_when_the_one_before_has_ended(run: Run, alices: Program) -> None:
    path = f"projects/{run.project_id}/runs"
    busy = alices.post(path, {"prompt": "In blue"})
    assert (busy.status_code, busy.json()["code"]) == (409, "busy")
    assert alices.post(f"runs/{run.pk}/stop").json()["reason"] == "stopped"
    made = alices.post(path, {"prompt": "In blue"}).json()
    assert (made["number"], made["prompt"]) == (2, "In blue")
    assert alices.post(f"runs/{made['id']}/stop").status_code == 200
    again = alices.post(f"runs/{made['id']}/retry").json()
    assert (again["number"], again["prompt"]) == (3, "In blue")
    listed = alices.get(path).json()["items"]
    assert [each["number"] for each in listed] == [3, 2, 1]


def test_a_paused_run_says_what_it_asks_and_goes_on(run: Run, alices: Program) -> None:
    token = claims.claim(run.pk)
    assert token
    journal.append(run.pk, RunPaused(reason=Reason.TURN_LIMIT, message="Spent."), claim=token)
    told = alices.get(f"runs/{run.pk}").json()
    assert told["status"] == "paused"
    assert "turns" in told["pause"]["question"]
    assert alices.post(f"runs/{run.pk}/go-on").json()["status"] == "queued"


def test_who_has_spent_the_day_is_told_when_to_come_back(
    run: Run, alices: Program, settings
) -> None:
    settings.DAY_TOKENS = 10
    Spending.objects.create(user=run.project.owner, day=today(), tokens=10)
    answer = alices.post("projects", {"prompt": "More"})
    assert (answer.status_code, answer.json()["code"]) == (429, "day_used_up")
    assert 0 < int(answer["retry-after"]) <= 24 * 3600
    paused = Run.objects.filter(pk=run.pk)
    paused.update(status=Status.PAUSED, reason="turn_limit")
    assert alices.post(f"runs/{run.pk}/go-on").status_code == 429


def test_who_has_no_room_is_told_so(alices: Program, settings) -> None:
    settings.USER_BYTES = 4
    file = SimpleUploadedFile("a.csv", b"1,2,3\n")
    answer = alices.post("projects", {"prompt": "More", "files": file})
    assert (answer.status_code, answer.json()["code"]) == (413, "no_room")


def test_the_events_come_page_by_page(run: Run, alices: Program) -> None:
    save(run, "poster.html", b"<h1>Poster</h1>")
    told = alices.get(f"runs/{run.pk}/events").json()
    assert [each["kind"] for each in told["events"]] == ["artifact.saved"]
    assert told["run"]["last_seq"] == 1
    assert alices.get(f"runs/{run.pk}/events?after=1").json()["events"] == []
    assert alices.get(f"runs/{run.pk}/events?after=-1").status_code == 422


def test_an_artifact_is_told_with_its_versions_and_downloaded_elsewhere(
    run: Run, alices: Program
) -> None:
    digest = save(run, "poster.html", b"<h1>Poster</h1>")
    path = f"projects/{run.project_id}/artifacts"
    (listed,) = alices.get(f"{path}?path=poster.html").json()["items"]
    assert (listed["digest"], listed["verdict"]) == (digest, "unknown")
    assert alices.get(f"{path}?path=other.html").json()["items"] == []
    told = alices.get(f"{path}/{listed['id']}").json()
    (version,) = told["versions"]
    assert (version["number"], version["run"], version["made"]) == (1, str(run.pk), run.prompt)
    assert version["check"]["state"] == "waiting"
    for address in (listed["download"], version["download"]):
        there = alices.get(address.removeprefix("http://localhost:8000"))
        assert there.status_code == 302
        assert there["location"].startswith(f"http://{run.project_id}.artifacts.localhost:8000/")
        assert "download=1" in there["location"]
    assert alices.get(f"{path}/{listed['id']}/download?digest={'0' * 64}").status_code == 404


def test_what_was_removed_is_listed_for_who_asks(run: Run, alices: Program) -> None:
    save(run, "poster.html", b"<h1>Poster</h1>")
    run.project.artifacts.update(removed=True)
    path = f"projects/{run.project_id}/artifacts"
    assert alices.get(path).json()["items"] == []
    assert len(alices.get(f"{path}?removed=true").json()["items"]) == 1


def test_inputs_are_given_fetched_and_taken_away_between_runs(run: Run, alices: Program) -> None:
    path = f"projects/{run.project_id}/inputs"
    file = SimpleUploadedFile("../a.csv", b"1,2,3\n")
    (given,) = alices.post(path, {"files": file}).json()
    assert (given["name"], given["size"]) == ("a.csv", 6)
    same = alices.post(path, {"files": SimpleUploadedFile("a.csv", b"1,2,3\n")}).json()
    assert [each["id"] for each in same] == [given["id"]]
    assert ".studio/input/a.csv" in alices.get(f"{path}/{given['id']}/download")["location"]
    assert alices.delete(f"{path}/{given['id']}").status_code == 409
    alices.post(f"runs/{run.pk}/stop")
    assert alices.delete(f"{path}/{given['id']}").status_code == 204
    assert alices.get(path).json()["items"] == []


def test_me_says_what_there_is_to_use_and_to_choose_from(alices: Program, settings) -> None:
    settings.DAY_TOKENS = 1000
    told = alices.get("me").json()
    assert (told["username"], told["scope"], told["networks"]) == ("alice", "write", ["none"])
    assert told["bytes"] == {"used": 0, "most": settings.USER_BYTES}
    assert (told["day"]["tokens"], told["day"]["most_tokens"]) == (0, 1000)


def test_me_says_how_much_room_an_operator_gave(alice: User, alices: Program, settings) -> None:
    User.objects.filter(pk=alice.pk).update(room=500)
    assert alices.get("me").json()["bytes"]["most"] == 500 * 2**20
    User.objects.filter(pk=alice.pk).update(room=None)
    settings.USER_BYTES = None
    assert alices.get("me").json()["bytes"]["most"] is None


def test_no_answer_has_what_is_only_the_studios_own(run: Run, alices: Program) -> None:
    save(run, "poster.html", b"<h1>Poster</h1>")
    run.refresh_from_db()
    ended = RunEnded(reason=Reason.SUBMITTED, message="Done.")
    journal.append(run.pk, ended, claim=run.claim)
    assert Version.objects.count() == 1
    said = alices.get(f"runs/{run.pk}").content + alices.get(f"runs/{run.pk}/events").content
    for secret in (str(run.claim), "lease", "sandbox"):
        assert secret.encode() not in said


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v1/projects/UPPER CASE", 404),
        ("PUT", "/api/v1/projects", 405),
        ("DELETE", "/api/v1/me", 405),
    ],
)
def test_what_there_is_not_is_told_in_the_same_way(
    method: str, path: str, status: int, alices: Program
) -> None:
    answer = alices.ask(method, path)
    assert (answer.status_code, answer["content-type"]) == (status, details.MEDIA_TYPE)
    assert answer.json()["status"] == status
    assert ("GET" in answer.get("allow", "")) == (status == 405)


@pytest.mark.parametrize(
    "body", ["{", "[1]", '{"title": 1}', '{"title": "\\ud800"}', '{"title": "\\u0000"}']
)
def test_a_body_that_makes_no_sense_is_no_bug(body: str, run: Run, alices: Program) -> None:
    answer = alices.ask("PATCH", f"projects/{run.project_id}", body)
    assert answer.status_code in (200, 400, 422)
    assert "\0" not in Project.objects.get().title


def test_what_is_in_the_trash_is_not_there(run: Run, alices: Program) -> None:
    save(run, "poster.html", b"1")
    Input.objects.create(project=run.project, name="a.csv", digest="0" * 64, size=1)
    Webhook.objects.create(user=run.project.owner, url="https://a.example", secret="x")
    trash.discard(run.project)
    for name in SHARED:
        assert ask(alices, name, run).status_code == 404, name
    assert alices.get("projects").json()["items"] == []
    # Its request ends, of which nobody is told.
    run.refresh_from_db()
    assert run.claim
    journal.append(run.pk, RunEnded(reason=Reason.STOPPED, message=""), claim=run.claim)
    assert not Delivery.objects.exists()
