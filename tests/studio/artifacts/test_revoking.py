"""A signed address opens nothing as soon as whom it was given to may not look any more."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from asgiref.sync import async_to_sync

from studio.accounts.models import User
from studio.api.models import Token
from studio.artifacts import bundles, glimpses, links
from studio.artifacts.origin import ArtifactHosts
from studio.inspections.models import Inspection, Preview, Role
from studio.media import store
from studio.projects.models import Input, Member, Project
from studio.projects.requests import begin_project
from studio.projects.trash import discard
from studio.runs.models import Run
from tests.studio.api.conftest import program
from tests.studio.artifacts.test_origin import get
from tests.studio.conftest import ALICE, asked, save, signed_in

pytestmark = pytest.mark.django_db(transaction=True)

PICTURE = b"\x89PNG\r\n\x1a\n"
ROUTES = [route.path for route in ArtifactHosts(None).artifacts.routes]


@pytest.fixture
def bob(run: Run) -> User:
    """Somebody whom Alice let into her project, which has a file of each kind."""
    save(run, "poster.png", PICTURE)
    digest = store().put([PICTURE]).digest
    Input.objects.create(project=run.project, name="a.png", digest=digest, size=8)
    Preview.objects.create(
        inspection=Inspection.objects.get(), role=Role.POSTER, digest=digest, size=8
    )
    user = User.objects.create_user("bob")
    Member.objects.create(project=run.project, user=user)
    return user


def status(url: str) -> int:
    return async_to_sync(get)(url).status_code


def addresses(run: Run, reader: int) -> dict[str, str]:
    """What is signed for a reader, one of each route of the origin."""
    request, project_id = asked(reader), run.project_id
    bundle = bundles.address(request, [run.project.artifacts.get()], "en").partition("?")[2]
    digest = store().put([PICTURE]).digest
    glimpse = glimpses.address(request, project_id, "frame.png", digest).rpartition("/")[2]
    there = {"path:path": "poster.png", "name:path": "a.png", "digest": digest, "name": glimpse}
    found = {}
    for route in ROUTES:
        path = re.sub(r"{(.+?)}", lambda part: there[part[1]], route.removeprefix("/{token}/"))
        found[route] = f"{links.address(request, project_id, path)}?{bundle}"
    return found


def out(bob: User, project: Project) -> None:
    Member.objects.get(user=bob, project=project).delete()


def closed(bob: User, project: Project) -> None:
    bob.delete()


def switched_off(bob: User, project: Project) -> None:
    User.objects.filter(pk=bob.pk).update(is_active=False)


def trashed(bob: User, project: Project) -> None:
    discard(project)


@pytest.mark.parametrize("ends", [out, closed, switched_off, trashed])
def test_no_route_gives_anything_to_who_may_not_look_any_more(
    ends: Callable[[User, Project], None], run: Run, bob: User
) -> None:
    his, hers = addresses(run, bob.pk), addresses(run, ALICE)
    assert {route: status(url) for route, url in his.items()} == dict.fromkeys(ROUTES, 200)
    ends(bob, run.project)
    assert {route: status(url) for route, url in his.items()} == dict.fromkeys(ROUTES, 404)
    if ends is not trashed:
        assert {route: status(url) for route, url in hers.items()} == dict.fromkeys(ROUTES, 200)


def test_an_address_for_a_stranger_opens_nothing(run: Run, bob: User, charlie: User) -> None:
    """None is given to one; this is what the origin would say."""
    strangers = addresses(run, charlie.pk)
    assert {route: status(url) for route, url in strangers.items()} == dict.fromkeys(ROUTES, 404)


def test_what_the_pages_lead_to_is_for_who_asked(run: Run, bob: User) -> None:
    browser, project = signed_in(bob), run.project_id
    pages = ("open/poster.png", "inputs/a.png", "zip/", "zip/project/")
    found = [browser.get(f"/projects/{project}/{page}")["location"] for page in pages]
    shown = browser.get(f"/projects/{project}/").content.decode()
    found += re.findall(r'src="(http://[^"]+)"', shown)
    assert len(found) > len(pages)
    assert {status(url) for url in found} == {200}
    out(bob, run.project)
    assert {status(url) for url in found} == {404}


def test_nginx_is_told_to_send_nothing(run: Run, bob: User, settings) -> None:
    settings.ACCEL = "/protected/"
    url = links.address(asked(bob.pk), run.project_id, "poster.png")
    assert "x-accel-redirect" in async_to_sync(get)(url).headers
    out(bob, run.project)
    answer = async_to_sync(get)(url)
    assert (answer.status_code, answer.headers.get("x-accel-redirect")) == (404, None)


def test_a_browser_asks_for_nothing_again_that_never_changes(run: Run, bob: User) -> None:
    digest = run.versions.get().digest
    for reader in (ALICE, bob.pk):
        url = links.address(asked(reader), run.project_id, "poster.png", v=digest)
        assert "immutable" in async_to_sync(get)(url).headers["cache-control"]


def test_of_several_projects_those_are_left_that_somebody_may_still_look_at(
    run: Run, bob: User
) -> None:
    mine = begin_project(bob, "Mine", [])
    save(mine, "own.txt", b"own")
    files = [each.project.artifacts.get() for each in (run, mine)]
    both = bundles.address(asked(bob.pk), files[::-1], "en")

    def names() -> str:
        return " ".join(zipfile.ZipFile(io.BytesIO(async_to_sync(get)(both).content)).namelist())

    assert "poster.png" in names()
    out(bob, run.project)
    assert "poster.png" not in names()
    assert "own.txt" in names()


def test_what_came_with_a_token_goes_with_it(run: Run, bob: User) -> None:
    program_of_bob = program(bob)
    artifact = run.project.artifacts.get()
    path = f"projects/{run.project_id}/artifacts/{artifact.pk}/download"
    url, own = program_of_bob.get(path)["location"], addresses(run, bob.pk)
    assert status(url) == 200
    program(bob)
    Token.objects.earliest("pk").delete()
    assert status(url) == 404
    assert {status(each) for each in own.values()} == {200}


def test_an_address_from_before_readers_had_names_opens_nothing(run: Run, bob: User) -> None:
    host = f"http://{run.project_id}.artifacts.localhost:8000"
    for granted in (run.project_id, f"{run.project_id}~1-1", f"{run.project_id}~u"):
        assert status(f"{host}/{links.Signer().sign(granted)}/poster.png") == 404
