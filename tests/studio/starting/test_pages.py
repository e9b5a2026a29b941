"""What people see of the starting points, and what their forms ask for."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from studio.endpoints import choices
from studio.projects.models import Project
from studio.runs.models import Run, Status
from studio.starting.catalogue import points
from studio.starting.shown import KINDS
from tests.studio.conftest import signed_in
from tests.studio.starting.conftest import piano

pytestmark = pytest.mark.django_db

PIANO = "/start/en/piano/"
FILLED = {"mood": "sad", "key": "D major", "length": "30"}
ASKED = "A wistful piano piece in D major, 30 seconds, with the sheet music"


def text(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_strangers_sign_in_first(client: Client) -> None:
    for path in ("/start/", PIANO):
        assert client.get(path)["location"].startswith("/accounts/login/?next=")
    assert client.post(f"{PIANO}make/", FILLED).status_code == 302
    assert not Run.objects.exists()


def test_the_gallery_has_the_points_of_the_readers_language(alices_browser: Client) -> None:
    english, chinese = (
        text(alices_browser, "/start/", accept_language=code) for code in ("en", "zh-CN")
    )
    for point in points():
        assert (f"/start/{point.key}/" in english) == (point.language == "en")
        assert (f"/start/{point.key}/" in chinese) == (point.language == "zh")
    assert "留给你来填" in chinese or "起点" in chinese


@pytest.mark.parametrize("kind", KINDS)
def test_the_gallery_narrows_down_to_a_kind(kind: str, alices_browser: Client) -> None:
    page = text(alices_browser, f"/start/?kind={kind}")
    shown = set(re.findall(r'"/start/(en/[\w-]+)/"', page))
    assert shown == {each.key for each in points() if (each.language, each.kind) == ("en", kind)}


def test_a_kind_that_there_is_not_is_not_there(alices_browser: Client) -> None:
    assert alices_browser.get("/start/?kind=games").status_code == 404
    assert alices_browser.get("/start/en/games/").status_code == 404
    assert alices_browser.get("/start/fr/piano/").status_code == 404


def test_before_anything_is_made_drawings_stand_there(alices_browser: Client) -> None:
    for path, drawings in (("/", 7), ("/start/", 14), (PIANO, 1)):
        page = text(alices_browser, path)
        assert page.count('class="tile-art"') == drawings
        assert "See the result" not in page


def test_what_is_made_stands_in_their_place(made, alices_browser: Client) -> None:
    card = next(each for each in points() if (each.language, each.kind) == ("en", "card"))
    result = made(card, "card.pdf", "card.png")
    poster = f"http://{result.project_id}.artifacts.localhost:8000/"
    for path, drawings in (("/", 6), ("/start/", 13), (f"/start/{card.key}/", 0)):
        page = text(alices_browser, path)
        assert page.count('class="tile-art"') == drawings
        assert poster in page
        assert ("See the result" in page) == (path != "/")
    assert 'card.png"' in text(alices_browser, f"/start/{card.key}/")


def test_a_page_asks_the_database_as_much_for_all_results_as_for_none(
    made, alices_browser: Client, django_assert_max_num_queries
) -> None:
    for point in points():
        made(point, "a.html", "a.png", "a.wav", "a.mp4", "a.pdf")
    with django_assert_max_num_queries(24):
        assert "tile-art" not in text(alices_browser, "/")
    with django_assert_max_num_queries(14):
        text(alices_browser, "/start/")


def test_a_result_whose_link_was_revoked_is_not_shown(made, alices_browser: Client) -> None:
    made(piano(), "a.wav").share.revoke()
    assert "See the result" not in text(alices_browser, PIANO)


def test_whoever_has_the_link_of_a_result_sees_it_without_an_account(
    made, alices_browser: Client
) -> None:
    result = made(piano(), "a.wav", "sheet.png")
    path = result.share.path
    assert path in text(alices_browser, PIANO)
    visitor = Client(HTTP_HOST="localhost:8000")
    page = text(visitor, path)
    assert piano().title in page
    assert piano().filled({}) in page
    answer = visitor.get(f"{path}open/a.wav")
    assert answer["location"].startswith(f"http://{result.project_id}.artifacts.localhost:8000/")
    assert "noindex" in visitor.get(path)["X-Robots-Tag"]


def test_the_sentence_follows_what_is_filled_in(alices_browser: Client) -> None:
    answer = alices_browser.get(f"{PIANO}sentence/", FILLED)
    assert f">{ASKED}</blockquote>" in answer.content.decode()
    assert 'write/?mood=sad&amp;key=D+major&amp;length=30"' in answer.content.decode()
    wrong = alices_browser.get(f"{PIANO}sentence/", {**FILLED, "key": "H major"})
    assert wrong.status_code == 422
    assert "“Key”" in wrong.content.decode()


def test_the_form_asks_for_it_in_a_project_of_ones_own(alice, alices_browser: Client) -> None:
    answer = alices_browser.post(f"{PIANO}make/", FILLED)
    run = Run.objects.get()
    assert answer["location"] == reverse("projects:detail", args=[run.project_id])
    assert (run.prompt, run.project.owner, run.status) == (ASKED, alice, "queued")


def test_the_form_asks_its_recipe_and_words_ask_the_usual_model(alices_browser: Client) -> None:
    alices_browser.post(f"{PIANO}make/", FILLED)
    run = Run.objects.get()
    assert run.project.model == choices.RECIPES
    Run.objects.update(status=Status.ENDED)
    follow_up = reverse("runs:create", args=[run.project_id])
    alices_browser.post(follow_up, {"prompt": "And now something sadder"})
    assert [each.project.model for each in Run.objects.all()] == ["", ""]


def test_a_form_that_was_tampered_with_asks_for_nothing(alices_browser: Client) -> None:
    for form in ({}, {**FILLED, "mood": "loud"}, {**FILLED, "length": "9" * 99}):
        assert alices_browser.post(f"{PIANO}make/", form).status_code == 422
    assert not Project.objects.exists()


def test_a_report_takes_the_example_or_ones_own_table(alices_browser: Client) -> None:
    report = next(each for each in points() if each.table)
    form = {name: field.value for name, field in report.fields.items()}
    path = f"/start/{report.key}/make/"
    alices_browser.post(path, form)
    mine = SimpleUploadedFile("mine.csv", b"a,b\n1,2\n")
    alices_browser.post(path, {**form, "files": mine})
    given = [
        [file.name for file in project.inputs.all()]
        for project in Project.objects.order_by("created")
    ]
    assert given == [[report.table], ["mine.csv"]]


def test_a_request_can_be_gone_on_with_in_words(alices_browser: Client) -> None:
    answer = alices_browser.get(f"{PIANO}write/", FILLED)
    assert f"{ASKED}</textarea>" in answer.content.decode()
    assert "with the sheet music</textarea>" in text(alices_browser, f"{PIANO}write/?mood=loud")


def test_charlie_makes_his_own_from_the_same_point(made, alice, charlies_browser: Client) -> None:
    result = made(piano(), "a.wav")
    charlies_browser.post(f"{PIANO}make/", FILLED)
    mine = Project.objects.exclude(pk=result.project_id).get()
    path = mine.get_absolute_url()
    assert charlies_browser.get(path).status_code == 200
    assert signed_in(alice).get(path).status_code == 404
