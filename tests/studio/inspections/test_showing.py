"""Where people see what was found: cards, the page of a file, and the previews themselves."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.db.models.functions import Now
from django.test import Client
from starlette.testclient import TestClient

from studio.artifacts import links
from studio.artifacts.origin import ArtifactHosts
from studio.artifacts.sweep import referred
from studio.inspections import claims, outcome, queue
from studio.inspections.models import PATIENCE, Inspection, Preview, Role, State, Verdict
from studio.media import store
from studio.projects.models import Input, Project
from studio.projects.requests import begin_project
from studio.runs.models import Run
from tests.studio.conftest import asked, save
from tests.studio.inspections.conftest import POSTER

pytestmark = pytest.mark.django_db(transaction=True)

SILENT = {"level": "fail", "code": "silent", "text": "nothing but silence", "values": {}}
HOSTILE = {"level": "warn", "code": "x", "text": "<script>alert(1)</script>", "values": {}}


def inspected(project: Project, *roles: Role, data: bytes = POSTER, **found: object) -> str:
    """Somebody has inspected the newest file; the digest of its previews."""
    claim = claims.claim_next(project.pk)
    assert claim is not None
    blob = store().put([data])
    previews = [Preview(role=role, digest=blob.digest, size=blob.size) for role in roles]
    assert outcome.keep(claim, State.DONE, {"verdict": Verdict.PASSED, **found}, previews)
    return blob.digest


def get(address: str):
    parts = urlsplit(address)
    client = TestClient(ArtifactHosts(None), base_url=f"{parts.scheme}://{parts.netloc}")
    return client.get(parts.path)


def signed(project: Project):
    request = asked()
    artifacts = project.artifacts.shown()
    links.sign(request, artifacts)
    inputs = project.inputs.all()
    links.sign_inputs(request, inputs)
    return list(artifacts), list(inputs)


def test_a_preview_is_served_as_what_its_role_says(run: Run) -> None:
    save(run, "evil.html", b"1")
    inspected(run.project, Role.POSTER)
    (artifact,), _ = signed(run.project)
    answer = get(artifact.poster_url)
    assert (answer.status_code, answer.content) == (200, POSTER)
    assert answer.headers["content-type"] == "image/jpeg"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (artifact.strip_url, artifact.peaks_url, artifact.sound_url) == ("", "", "")


def test_other_bytes_of_the_store_and_other_projects_previews_are_not_served(
    run: Run, charlie
) -> None:
    digest = save(run, "a.png", b"1")
    inspected(run.project, Role.POSTER)
    (artifact,), _ = signed(run.project)
    beginning = artifact.poster_url.rpartition("/")[0]
    assert get(f"{beginning}/{digest}").status_code == 404
    assert get(f"{beginning}/../../etc").status_code == 404
    other = begin_project(charlie, "Something else", [])
    save(other, "b.png", b"2")
    theirs = inspected(other.project, Role.POSTER, data=POSTER + POSTER)
    assert get(f"{beginning}/{theirs}").status_code == 404


def test_files_that_somebody_gave_have_previews_too(run: Run) -> None:
    blob = store().put([b"1"])
    file = Input.objects.create(project=run.project, name="a.png", digest=blob.digest, size=1)
    queue.expect_input(file)
    inspected(run.project, Role.POSTER)
    _, (shown,) = signed(run.project)
    assert get(shown.poster_url).status_code == 200


def test_signing_asks_the_database_as_often_for_many_files_as_for_one(
    run: Run, django_assert_num_queries
) -> None:
    for number in range(5):
        save(run, f"{number}.png", str(number).encode())
        inspected(run.project, Role.POSTER, Role.STRIP)
        blob = store().put([b"1"])
        Input.objects.create(project=run.project, name=f"{number}", digest=blob.digest, size=1)
    # The files, their inspections, the previews; the same for inputs, of which none has any.
    with django_assert_num_queries(5):
        artifacts, inputs = signed(run.project)
        assert all(artifact.inspection for artifact in artifacts)
        assert not any(file.poster_url for file in inputs)


def test_previews_are_not_swept(run: Run) -> None:
    save(run, "a.png", b"1")
    digest = inspected(run.project, Role.POSTER)
    assert referred([digest]) == {digest}


def test_a_card_says_what_was_found_and_a_failed_check_hides_nothing(
    run: Run, alices_browser: Client
) -> None:
    save(run, "a.mp3", b"1")
    card = f"/projects/{run.project_id}/card/a.mp3"
    shown = alices_browser.get(card).text
    assert "Being checked" in shown
    assert "data-checking" in shown
    inspected(run.project, verdict=Verdict.FAILED, findings=[SILENT])
    shown = alices_browser.get(card).text
    assert "Check failed" in shown
    assert "data-checking" not in shown
    assert "a.mp3" in alices_browser.get(f"/projects/{run.project_id}/").text


@pytest.mark.parametrize("path", ["a.mp3", "a.mp4"])
def test_no_page_says_for_ever_that_a_file_is_being_checked(
    run: Run, alices_browser: Client, path: str
) -> None:
    """Nobody may be there who does it."""
    save(run, path, b"1")
    Inspection.objects.update(created=Now() - PATIENCE - timedelta(seconds=1))
    for part in ("card", "files"):
        shown = alices_browser.get(f"/projects/{run.project_id}/{part}/{path}").text
        assert "Not checked" in shown
        assert not re.search('Being checked|data-checking|data-checks="open"|awaiting', shown)
    assert "Nobody has looked into it so far." in shown


def test_the_page_of_a_file_tells_facts_and_findings_in_the_readers_language(
    run: Run, alices_browser: Client
) -> None:
    save(run, "a.mp3", b"1")
    found = {"facts": {"seconds": 3.5, "<b>": "<i>"}, "findings": [HOSTILE, SILENT]}
    inspected(run.project, verdict=Verdict.FAILED, **found)
    alices_browser.cookies["django_language"] = "zh-hans"
    shown = alices_browser.get(f"/projects/{run.project_id}/files/a.mp3").text
    assert shown.index("全是静音") < shown.index("&lt;script&gt;alert(1)&lt;/script&gt;")
    assert "3.5 秒" in shown
    assert "<script>alert(1)" not in shown
    assert "<i>" not in shown
