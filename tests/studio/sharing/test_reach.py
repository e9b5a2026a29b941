"""What the artifact origin gives to whoever came with a link, and for how long."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta

import httpx
import pytest
from asgiref.sync import async_to_sync
from django.test import Client, RequestFactory
from django.utils import timezone
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from agent.store import Blob
from studio.artifacts import bucket, links, trash
from studio.artifacts.keeping import keep_version
from studio.artifacts.links import Through
from studio.artifacts.models import Artifact
from studio.inspections.models import Inspection, Preview, Role
from studio.media import store
from studio.projects.models import Input, Project
from studio.runs.models import Run
from studio.sharing.models import Share
from studio.stores.disk import DiskStore
from tests.studio.artifacts.test_origin import get
from tests.studio.conftest import asked, follow_up, save, shared

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = b'<link rel=stylesheet href="style.css"><script src="./js/app.js"></script>'
FILES = {
    "index.html": PAGE,
    "style.css": b"body { background: url(img/paper.png) }",
    "js/app.js": b"fetch('data.json')",
    "img/paper.png": b"picture",
    "data.json": b"{}",
    "secret.txt": b"secret",
}


def ask(url: str, method: str = "GET", **headers: str) -> httpx.Response:

    return async_to_sync(get)(url, method, **headers)


def address(share: Share, path: str, at: Artifact | None = None, **query: str) -> str:
    """What the page of a visitor has in it."""
    request = RequestFactory().get("/", headers={"host": "localhost:8000"})
    through = Through(share.pk, share.edition)
    version = at.latest if at else None
    return links.address(request, share.project_id, path, at=version, through=through, **query)


def status(share: Share, path: str, **query: str) -> int:
    return ask(address(share, path, **query)).status_code


@pytest.fixture
def site(run: Run) -> Run:
    for path, data in FILES.items():
        save(run, path, data)
    return run


def artifact(path: str) -> Artifact:
    return Artifact.objects.select_related("latest").get(path=path)


def show(path: str, data: bytes = b"\xff\xd8\xffposter\xff\xd9") -> str:
    """Give the newest version of a file a poster; its path on the artifact origin."""
    blob = store().put([data])
    inspection = Inspection.objects.get(version=artifact(path).latest)
    Preview.objects.create(
        inspection=inspection, role=Role.POSTER, digest=blob.digest, size=blob.size
    )
    return f".studio/preview/{blob.digest}"


def test_a_shared_project_opens_its_files_and_nothing_else_of_it(site: Run) -> None:
    share, _ = shared(site.project)
    assert {path: status(share, path) for path in FILES} == dict.fromkeys(FILES, 200)
    blob = store().put([b"given"])
    Input.objects.create(project=site.project, name="a.csv", digest=blob.digest, size=5)
    for path in (".studio/input/a.csv", ".studio/project.zip", ".studio/glimpse/x"):
        assert status(share, path) == 404


def test_a_shared_page_opens_what_it_loads_and_no_other_file(site: Run) -> None:
    share, _ = shared(site.project, artifact=artifact("index.html"))
    opens = {path for path in FILES if status(share, path) == 200}
    assert opens == FILES.keys() - {"secret.txt"}


def test_a_shared_file_opens_itself_alone(site: Run) -> None:
    share, _ = shared(site.project, artifact=artifact("style.css"))
    assert [path for path in FILES if status(share, path) == 200] == ["style.css"]


def test_older_versions_stay_with_the_owner(site: Run) -> None:
    old = artifact("index.html").latest
    assert old
    save(follow_up(site), "index.html", b"newer")
    for about in ({}, {"artifact": artifact("index.html")}):
        share, _ = shared(site.project, **about)
        assert ask(address(share, "index.html")).content == b"newer"
        assert status(share, "index.html", v=old.digest) == 404


def test_an_open_page_goes_on_with_the_version_it_was_made_for(site: Run) -> None:
    share, _ = shared(site.project)
    film = artifact("index.html")
    assert film.latest
    url = address(share, "index.html", at=film, v=film.latest.digest)
    save(follow_up(site), "index.html", b"newer")
    assert ask(url).content == PAGE


@pytest.mark.parametrize("alone", [True, False])
def test_a_pinned_share_stays_as_it_was(site: Run, alone: bool) -> None:
    share, _ = shared(site.project, pinned=True, artifact=artifact("index.html") if alone else None)
    second = follow_up(site)
    save(second, "index.html", b"newer")
    save(second, "style.css", b"newer")
    save(second, "later.css", b"newer")
    Artifact.objects.filter(path="data.json").update(removed=True)
    for path in FILES.keys() - {"secret.txt"}:
        assert ask(address(share, path)).content == FILES[path]
    assert status(share, "later.css") == 404
    assert status(share, "secret.txt") == (404 if alone else 200)


def test_what_somebody_deletes_is_gone_from_a_pinned_share_too(site: Run) -> None:
    poster = show("style.css")
    share, path = shared(site.project, pinned=True, allow_replay=True)
    Run.objects.update(status="ended", ended=share.created)
    digest = artifact("style.css").latest.digest
    trash.discard(Artifact.objects.filter(path="style.css"))
    assert status(share, "style.css") == status(share, poster) == 404
    assert status(share, "style.css", v=digest) == 404
    assert "style.css" not in Client(HTTP_HOST="localhost:8000").get(path).content.decode()
    trash.restore(Artifact.objects.filter(path="style.css"))
    assert status(share, "style.css") == status(share, poster) == 200


def test_what_is_pinned_while_it_is_being_made_stays_as_it_was(site: Run) -> None:
    share, _ = shared(site.project, pinned=True)
    save(site, "secret.txt", b"written once more")
    assert ask(address(share, "secret.txt")).content == FILES["secret.txt"]
    assert artifact("secret.txt").version_number == 2


def test_what_the_owner_removed_is_gone_from_a_live_share(site: Run) -> None:
    share, _ = shared(site.project)
    url = address(share, "secret.txt", at=artifact("secret.txt"))
    Artifact.objects.filter(path="secret.txt").update(removed=True)
    assert ask(url).status_code == 404


def test_posters_come_with_the_files_that_the_share_opens(site: Run) -> None:
    poster, secret = show("index.html"), show("secret.txt", b"\xff\xd8\xffother\xff\xd9")
    page, _ = shared(site.project, artifact=artifact("index.html"))
    assert (status(page, poster), status(page, secret)) == (200, 404)
    whole, _ = shared(site.project)
    assert (status(whole, poster), status(whole, secret)) == (200, 200)


CLOSING = {
    "revoked": lambda share: share.revoke(),
    "expired": lambda share: Share.objects.update(expires=timezone.now() - timedelta(seconds=1)),
    "new password": lambda share: (share.set_password("another one"), share.save()),
    "owner shut out": lambda share: type(share.project.owner).objects.update(is_active=False),
    "deleted": lambda share: share.delete(),
}


@pytest.mark.parametrize("how", CLOSING)
def test_what_was_open_is_refused_at_once_when_the_share_is_closed(site: Run, how: str) -> None:
    poster = show("index.html")
    share, _ = shared(site.project)
    urls = [
        address(share, "index.html", at=artifact("index.html")),
        address(share, "index.html", v=artifact("index.html").latest.digest),
        address(share, poster),
        address(share, ".studio/all.zip"),
    ]
    tags = [ask(url).headers.get("etag", "") for url in urls]
    CLOSING[how](share)
    for url, tag in zip(urls, tags, strict=True):
        assert ask(url).status_code == 404
        assert ask(url, range="bytes=0-1").status_code == 404
        # Nor does the browser go on with what it has.
        assert ask(url, **{"if-none-match": tag}).status_code == 404


def test_browsers_ask_each_time_whether_a_share_is_open(site: Run) -> None:
    poster = show("index.html")
    share, _ = shared(site.project)
    digest = artifact("index.html").latest.digest
    for url in (address(share, "index.html", v=digest), address(share, poster)):
        assert ask(url).headers["cache-control"] == "no-cache"


def test_no_address_in_a_bucket_is_given_through_a_share(site: Run, settings, monkeypatch) -> None:
    settings.S3_BUCKET = "films"
    monkeypatch.setattr(bucket, "LARGE", 1)
    monkeypatch.setattr(bucket, "address", lambda *_: "https://films.example/film")
    disk = DiskStore(settings.MEDIA)
    monkeypatch.setattr("studio.artifacts.delivery.store", lambda: disk)
    asks = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "image"}
    share, _ = shared(site.project)
    mine = links.address(asked(), site.project_id, "img/paper.png")
    assert ask(mine, **asks).status_code == 302
    assert ask(address(share, "img/paper.png"), **asks).content == b"picture"


def test_downloads_are_refused_where_they_are_not_offered(site: Run) -> None:
    share, _ = shared(site.project, allow_download=False)
    assert status(share, "index.html") == 200
    assert status(share, "index.html", download="1") == 404
    assert status(share, ".studio/all.zip") == 404
    share, _ = shared(site.project)
    assert status(share, "index.html", download="1") == 200


def test_the_zip_of_a_share_tells_the_request_only_where_it_is_shown(site: Run) -> None:

    def readme(**about: bool) -> str:
        share, _ = shared(site.project, **about)
        whole = zipfile.ZipFile(io.BytesIO(ask(address(share, ".studio/all.zip")).content))
        assert {*whole.namelist()} == {*FILES, "README.md"}
        return whole.read("README.md").decode()

    assert "> A poster for the summer party" in readme()
    assert "> A poster" not in readme(show_prompts=False)


def told(share: Share) -> str:
    """What the zip of a share says beside the files."""
    whole = zipfile.ZipFile(io.BytesIO(ask(address(share, ".studio/all.zip")).content))
    return whole.read("README.md").decode()


@pytest.mark.parametrize("pinned", [True, False])
def test_the_zip_of_one_file_tells_what_led_to_it_and_nothing_else(site: Run, pinned: bool) -> None:
    Run.objects.update(summary="A secret summary")
    Project.objects.update(title="A secret title")
    share, _ = shared(site.project, artifact=artifact("style.css"), pinned=pinned)
    second = follow_up(site)
    Run.objects.filter(pk=second.pk).update(prompt="In white", message="A secret failure")
    save(second, "secret.txt", b"secret")
    third = Run.objects.filter(pk=follow_up(second).pk)
    third.update(prompt="In black")
    save(third.get(), "style.css", b"body { background: black }")
    text = told(share)
    assert "> A poster for the summer party" in text
    assert ("> In black" in text) is not pinned
    assert "In white" not in text
    assert "secret" not in text
    answer = ask(address(share, ".studio/all.zip"), "HEAD")
    assert "secret" not in answer.headers["content-disposition"]


def test_the_zip_tells_what_a_self_contained_page_was_made_from(site: Run) -> None:
    page = artifact("index.html").latest
    assert page
    blob = Blob(page.digest, page.size)
    keep_version(site.project_id, "index.standalone.html", blob, source=page)
    save(follow_up(site), "index.html", b"newer")
    share, _ = shared(site.project, artifact=artifact("index.standalone.html"))
    text = told(share)
    assert "> A poster for the summer party" in text
    assert "In blue" not in text


def test_what_a_share_opens_may_be_shown_in_pages_elsewhere(site: Run) -> None:
    share, _ = shared(site.project)
    policy = ask(address(share, "index.html")).headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "form-action 'none'" in policy


def test_a_share_opens_no_other_project(site: Run, alice) -> None:
    other = Project.objects.create(owner=alice, title="Another")
    share, _ = shared(other)
    stolen = address(share, "index.html").replace(other.pk, site.project_id)
    assert ask(stolen).status_code == 404


@hypothesis_settings(max_examples=40)
@given(data=st.data())
def test_only_the_very_token_opens(data: st.DataObject) -> None:
    through = Through(data.draw(st.integers(1, 10**9)), data.draw(st.integers(1, 10**6)))
    request = RequestFactory().get("/", headers={"host": "localhost:8000"})
    url = links.address(request, "a" * 16, "a.txt", through=through)
    token = url.split("/")[3]
    grant = links.read(token)
    assert grant
    assert grant.to == through
    # The signature covers the share: nobody gets a member's address out of a visitor's.
    granted, time, signature = token.split(".")
    cut = data.draw(st.integers(0, len(granted) - 1))
    assert links.read(f"{granted[:cut]}.{time}.{signature}") is None


def test_strangers_see_in_no_page_an_address_that_outlives_the_share(site: Run) -> None:
    show("index.html")
    for about in ({}, {"artifact": artifact("index.html")}):
        _, path = shared(site.project, **about)
        for page in (path, f"{path}embed/", f"{path}files/index.html"):
            answer = Client(HTTP_HOST="localhost:8000").get(page).content.decode()
            for part in answer.split(f"//{site.project_id}.artifacts.localhost:8000/")[1:]:
                grant = links.read(part.split("/")[0])
                assert grant
                assert isinstance(grant.to, Through)
