"""What people see who come with a link, and what they don't."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client
from django.utils import timezone
from redis.exceptions import RedisError

from agent.store import Blob
from studio.accounts.models import User
from studio.artifacts import restoring
from studio.artifacts.keeping import keep_version
from studio.artifacts.links import Grant
from studio.artifacts.models import Artifact
from studio.inspections.models import Inspection, Preview, Role
from studio.media import store
from studio.projects.models import Project
from studio.runs.models import Run, Status
from studio.sharing import reach, unlocking, views
from studio.sharing.models import Share
from tests.studio.artifacts.test_origin import get
from tests.studio.conftest import follow_up, save, shared, signed_in
from tests.studio.test_access import SHARED

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
JPEG = b"\xff\xd8\xffcard\xff\xd9"
WHERE = {
    "shared:page": "",
    "shared:file": "files/poster.html",
    "shared:open": "open/poster.html",
    "shared:zip": "zip/",
    "shared:embed": "embed/",
    "shared:preview": "preview.jpg",
    "shared:own": "own/",
    "shared:replay": "replay/1/",
    "shared:events": "replay/1/events/",
}


def visitor(**headers: str) -> Client:
    return Client(HTTP_HOST="localhost:8000", headers={"user-agent": BROWSER, **headers})


@pytest.fixture
def made(run: Run) -> Run:
    save(run, "poster.html", b"<h1>Poster</h1>")
    save(run, "notes.txt", b"notes")
    inspection = Inspection.objects.get(version__artifact__path="poster.html")
    blob = store().put([JPEG])
    card = {"digest": blob.digest, "size": blob.size, "width": 1200, "height": 630}
    Preview.objects.create(inspection=inspection, role=Role.WIDE, **card)
    Run.objects.update(status=Status.ENDED, ended=timezone.now())
    return run


def artifact(path: str) -> Artifact:
    return Artifact.objects.select_related("latest").get(path=path)


def test_every_visitors_route_is_tried_here() -> None:
    assert WHERE.keys() == SHARED


@pytest.mark.parametrize("name", sorted(SHARED))
def test_a_link_opens_without_an_account(name: str, made: Run) -> None:
    _, path = shared(made.project, allow_replay=True)
    answer = visitor().get(path + WHERE[name])
    if name == "shared:own":
        assert answer["location"] == f"/accounts/login/?next={path}own/"
    else:
        assert answer.status_code in (200, 302)


CLOSED = {
    "unknown": lambda share: None,
    "revoked": lambda share: share.revoke(),
    "expired": lambda share: Share.objects.update(expires=timezone.now() - timedelta(seconds=1)),
    "owner shut out": lambda share: type(share.project.owner).objects.update(is_active=False),
}


@pytest.mark.parametrize("how", CLOSED)
@pytest.mark.parametrize("name", sorted(SHARED))
def test_what_is_closed_or_never_was_is_404_everywhere(name: str, how: str, made: Run) -> None:
    share, path = shared(made.project, allow_replay=True)
    CLOSED[how](share)
    stranger = Client(HTTP_HOST="localhost:8000")
    if name == "shared:own":
        stranger = signed_in(User.objects.create_user("bob"))
    if how == "unknown":
        path = f"/s/{'a' * 32}/"
    answer = stranger.get(path + WHERE[name])
    assert answer.status_code == 404
    assert "summer party" not in answer.content.decode()


@pytest.mark.parametrize("name", sorted(SHARED))
def test_a_link_with_a_password_tells_nothing_before_it(
    name: str, made: Run, charlies_browser: Client
) -> None:
    _, path = shared(made.project, password="open sesame", allow_replay=True)
    answer = charlies_browser.get(path + WHERE[name])
    page = answer.content.decode()
    assert answer.status_code == 403
    assert "This link has a password" in page
    assert "summer party" not in page
    assert ".artifacts." not in page
    assert "og:" not in page


def test_the_password_opens_this_link_and_no_other(made: Run) -> None:
    _, path = shared(made.project, password="open sesame")
    _, other = shared(made.project, password="open sesame")
    client = visitor()
    assert client.post(path, {"password": "wrong"}).status_code == 403
    assert client.get(path).status_code == 403
    answer = client.post(path, {"password": "open sesame"})
    assert (answer.status_code, answer["location"]) == (302, path)
    cookie = answer.cookies["share"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (path, True, "Lax")
    assert client.get(path).status_code == 200
    # The test's client sends every cookie everywhere.
    assert client.get(other).status_code == 403


def test_a_new_password_asks_those_again_who_knew_the_old_one(made: Run) -> None:
    share, path = shared(made.project, password="open sesame")
    client = visitor()
    client.post(path, {"password": "open sesame"})
    share.set_password("another one")
    share.save()
    assert client.get(path).status_code == 403


def test_a_password_is_not_to_be_guessed(made: Run) -> None:
    _, path = shared(made.project, password="open sesame")
    client = visitor()
    codes = [client.post(path, {"password": f"guess {n}"}).status_code for n in range(6)]
    assert codes == [403] * 5 + [429]
    # Not even the right one is looked at then; somebody at another address may still try.
    answer = client.post(path, {"password": "open sesame"})
    assert answer.status_code == 429
    assert "Wait a little" in answer.content.decode()
    elsewhere = Client(HTTP_HOST="localhost:8000", REMOTE_ADDR="192.0.2.7")
    assert elsewhere.post(path, {"password": "open sesame"}).status_code == 302


def test_who_knows_the_password_comes_in_however_many_come(made: Run, monkeypatch) -> None:
    monkeypatch.setattr(unlocking, "OF_ALL", (7, 3600))
    _, path = shared(made.project, password="open sesame")
    codes = {visitor().post(path, {"password": "open sesame"}).status_code for _ in range(9)}
    assert codes == {302}
    codes = [visitor().post(path, {"password": f"guess {n}"}).status_code for n in range(6)]
    assert codes == [403] * 5 + [429]


def test_many_addresses_together_cannot_guess_a_password_either(made: Run, monkeypatch) -> None:
    monkeypatch.setattr(unlocking, "OF_ALL", (7, 3600))
    _, path = shared(made.project, password="open sesame")
    codes = []
    for number in range(9):
        client = Client(HTTP_HOST="localhost:8000", REMOTE_ADDR=f"192.0.2.{number}")
        codes.append(client.post(path, {"password": "guess"}).status_code)
    assert codes == [403] * 7 + [429] * 2


def test_a_password_form_of_another_site_is_refused(made: Run) -> None:
    _, path = shared(made.project, password="open sesame")
    client = Client(HTTP_HOST="localhost:8000", enforce_csrf_checks=True)
    assert client.post(path, {"password": "open sesame"}).status_code == 403
    assert "share" not in client.cookies


def test_a_shared_project_shows_its_files_and_what_was_asked(made: Run) -> None:
    Project.objects.update(title="Party")
    _, path = shared(made.project)
    page = visitor().get(path).content.decode()
    for shown in ("Party", "A poster for the summer party", "poster.html", "notes.txt", "2 files"):
        assert shown in page
    assert f"{path}zip/" in page
    assert f"{path}own/" in page
    # Nothing leads into the project itself.
    assert f"/projects/{made.project_id}" not in page


def test_what_was_asked_is_shown_only_if_the_owner_wants(made: Run) -> None:
    Project.objects.update(title="Party")
    _, path = shared(made.project, show_prompts=False)
    bob = signed_in(User.objects.create_user("bob"))
    for page in (path, f"{path}files/poster.html", f"{path}own/", f"{path}embed/"):
        assert "summer party" not in bob.get(page).content.decode()


def test_one_shared_file_shows_nothing_of_the_others(made: Run) -> None:
    _, path = shared(made.project, artifact=artifact("poster.html"))
    page = visitor().get(path).content.decode()
    assert 'data-viewer="html"' in page
    assert "notes.txt" not in page
    for hidden in ("files/notes.txt", "open/notes.txt"):
        assert visitor().get(path + hidden).status_code == 404


def test_a_shared_file_that_was_removed_is_gone(made: Run) -> None:
    _, path = shared(made.project, artifact=artifact("poster.html"))
    Artifact.objects.update(removed=True)
    assert visitor().get(path).status_code == 404


def test_a_pinned_link_shows_the_version_it_was_made_with(made: Run) -> None:
    _, live = shared(made.project, artifact=artifact("poster.html"))
    _, pinned = shared(made.project, artifact=artifact("poster.html"), pinned=True)
    old = artifact("poster.html").latest.digest
    new = save(follow_up(made), "poster.html", b"<h1>Newer</h1>")
    assert new in visitor().get(live).content.decode()
    page = visitor().get(pinned).content.decode()
    assert old in page
    assert new not in page


def test_downloads_are_offered_only_if_the_owner_wants(made: Run) -> None:
    _, path = shared(made.project, allow_download=False)
    for where in ("", "files/poster.html"):
        page = visitor().get(path + where).content.decode()
        assert "Download" not in page
        assert "download=1" not in page
    for where in ("open/poster.html?download=1", "zip/"):
        assert visitor().get(path + where).status_code == 404


def test_only_listed_links_may_be_found(made: Run) -> None:
    _, hidden = shared(made.project)
    _, listed = shared(made.project, listed=True)
    for where in ("", "files/poster.html", "embed/"):
        answer = visitor().get(hidden + where)
        assert "noindex" in answer["x-robots-tag"]
        assert '<meta name="robots" content="noindex' in answer.content.decode()
        answer = visitor().get(listed + where)
        assert "x-robots-tag" not in answer
        assert 'name="robots"' not in answer.content.decode()


def test_no_other_site_is_told_the_address_of_a_link(made: Run) -> None:
    _, path = shared(made.project)
    # Nothing at all goes to other origins, and forms of ours still say where they come from.
    assert visitor().get(path)["referrer-policy"] == "same-origin"


def test_other_sites_show_a_preview(made: Run) -> None:
    _, path = shared(made.project, artifact=artifact("poster.html"))
    page = visitor().get(path).content.decode()
    home = f"http://localhost:8000{path}"
    for name, content in {
        "og:title": "poster.html",
        "og:description": "A poster for the summer party",
        "og:url": home,
        "og:image": f"{home}preview.jpg",
        "og:image:type": "image/jpeg",
        "og:image:width": "1200",
        "og:image:height": "630",
    }.items():
        assert f'<meta property="{name}" content="{content}">' in page
    told = visitor().get("/oembed/", {"url": home}).json()
    assert (told["thumbnail_url"], told["thumbnail_width"], told["thumbnail_height"]) == (
        f"{home}preview.jpg",
        1200,
        630,
    )
    shown = async_to_sync(get)(visitor().get(f"{path}preview.jpg")["location"])
    assert (shown.headers["content-type"], shown.content) == ("image/jpeg", JPEG)


def test_only_the_embedded_page_may_be_framed(made: Run) -> None:
    _, path = shared(made.project)
    for where in ("", "files/poster.html"):
        answer = visitor().get(path + where)
        assert "frame-ancestors 'none'" in answer["content-security-policy"]
        assert answer["x-frame-options"] == "DENY"
    answer = visitor().get(f"{path}embed/")
    assert "frame-ancestors *" in answer["content-security-policy"]
    assert "default-src 'none'" in answer["content-security-policy"]
    assert "x-frame-options" not in answer


@pytest.mark.parametrize("state", ["open", "locked", "closed", "empty"])
def test_there_is_nothing_to_press_in_what_may_be_framed(
    state: str, made: Run, charlies_browser: Client
) -> None:
    about = {"password": "open sesame"} if state == "locked" else {}
    share, path = shared(made.project, artifact=artifact("poster.html"), **about)
    if state == "closed":
        share.revoke()
    elif state == "empty":
        Artifact.objects.update(removed=True)
    answer = charlies_browser.get(f"{path}embed/")
    assert "frame-ancestors *" in answer["content-security-policy"]
    assert "<form" not in answer.content.decode()


def test_a_view_is_counted_once_a_day_for_each_visitor_and_the_owner_is_told(
    made: Run, alices_browser: Client
) -> None:
    share, path = shared(made.project)
    for _ in range(3):
        visitor().get(path)
    answer = Client(HTTP_HOST="localhost:8000", REMOTE_ADDR="192.0.2.7").get(
        path, headers={"user-agent": BROWSER}
    )
    # Only what guards forms, which is another one for everybody and tells nothing.
    assert answer.cookies.keys() <= {"csrftoken"}
    share.refresh_from_db()
    assert share.views == 2
    assert "2 views" in alices_browser.get(f"/projects/{share.project_id}/shares/").content.decode()


def test_machines_and_members_are_not_counted(made: Run, alices_browser: Client) -> None:
    share, path = shared(made.project)
    for agent in (
        "curl/8",
        "Slackbot-LinkExpanding 1.0",
        "Mozilla/5.0 (compatible; Googlebot/2.1)",
    ):
        visitor(**{"user-agent": agent}).get(path)
    visitor(**{"sec-purpose": "prefetch"}).get(path)
    visitor().head(path)
    alices_browser.get(path, headers={"user-agent": BROWSER})
    share.refresh_from_db()
    assert share.views == 0


def test_who_signs_in_makes_their_own_from_what_was_asked(made: Run) -> None:
    save(second := follow_up(made), "blue.html", b"blue")
    _, path = shared(made.project)
    bob = signed_in(User.objects.create_user("bob"))
    page = bob.get(f"{path}own/").content.decode()
    assert ">A poster for the summer party</textarea>" in page
    page = bob.get(f"{path}own/?file=blue.html").content.decode()
    assert f">{second.prompt}</textarea>" in page


def test_a_pinned_file_tells_what_was_asked_for_it_and_nothing_later(made: Run) -> None:
    _, path = shared(made.project, artifact=artifact("poster.html"), pinned=True, allow_replay=True)
    Run.objects.filter(pk=(second := follow_up(made)).pk).update(prompt="A secret wish")
    save(second, "poster.html", b"<h1>Newer</h1>")
    bob = signed_in(User.objects.create_user("bob"))
    for where in ("", "embed/", "own/", "own/?file=poster.html", "replay/1/"):
        page = bob.get(path + where).content.decode()
        assert "A poster for the summer party" in page
        assert "A secret wish" not in page


def test_a_file_from_another_project_tells_nothing_that_was_asked_there(made: Run) -> None:
    version = artifact("poster.html").latest
    assert version
    Run.objects.filter(pk=made.pk).update(prompt="A secret wish")
    there = Project.objects.create(owner=made.project.owner, title="Another")
    keep_version(there.pk, "poster.html", Blob(version.digest, version.size), source=version)
    share, path = shared(there, artifact=there.artifacts.get())
    assert not reach.asked(share)
    bob = signed_in(User.objects.create_user("bob"))
    for where in ("", "embed/", "own/"):
        assert "A secret wish" not in bob.get(path + where).content.decode()


def test_a_file_that_was_brought_back_tells_what_was_asked_for_it(made: Run) -> None:
    Run.objects.filter(pk=(second := follow_up(made)).pk).update(prompt="In blue")
    save(second, "blue.html", b"blue")
    save(third := follow_up(second), "blue.html", b"green")
    Run.objects.update(status=Status.ENDED)
    back = restoring.restore(third.project.artifacts.get(path="blue.html").versions.last())
    save(follow_up(third), "blue.html", b"grey")
    Run.objects.update(status=Status.ENDED)
    restoring.restore(back)
    _, path = shared(made.project, artifact=artifact("blue.html"))
    bob = signed_in(User.objects.create_user("bob"))
    assert ">In blue</textarea>" in bob.get(f"{path}own/").content.decode()


@pytest.fixture
def cacheless(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise RedisError("Nobody listens there.")

    for name in ("add", "get", "set"):
        monkeypatch.setattr(LocMemCache, name, away)


def test_visitors_see_what_is_shared_while_the_cache_is_away(made: Run, cacheless: None) -> None:
    for about in ({}, {"artifact": artifact("poster.html")}):
        share, path = shared(made.project, **about)
        assert visitor().get(path).status_code == 200
        grant = Grant(made.project_id, None, reach.through(share))
        assert reach.wanted(share, grant, "no.js", "") is None
        share.refresh_from_db()
        assert share.views == 0


def test_nobody_guesses_passwords_while_the_cache_is_away(made: Run, cacheless: None) -> None:
    _, path = shared(made.project, password="open sesame")
    assert visitor().post(path, {"password": "open sesame"}).status_code == 429


@pytest.mark.parametrize("ending", ["", "embed/"])
def test_a_long_wall_comes_a_page_at_a_time(ending: str, made: Run) -> None:
    more_files = follow_up(made)
    for number in range(views.WALL):
        save(more_files, f"{number:02}.txt", b"notes")
    _, path = shared(made.project)
    first = visitor().get(path + ending).content.decode()
    assert first.count('class="card"') == views.WALL
    more = re.search(r'hx-get="([^"]+)"', first)
    assert more
    rest = visitor().get(more[1], headers={"hx-request": "true"}).content.decode()
    assert rest.count('class="card"') == 2
    assert "hx-get" not in rest
    assert "<html" not in rest
    shown = re.findall(r'data-path="([^"]+)"', first + rest)
    assert len(set(shown)) == views.WALL + 2


def test_a_page_behind_a_file_that_is_not_shown_is_404(made: Run) -> None:
    _, path = shared(made.project)
    assert visitor().get(f"{path}?after=unknown.txt").status_code == 404


def test_scrolling_is_no_second_visit(made: Run) -> None:
    share, path = shared(made.project)
    visitor().get(f"{path}?after=notes.txt", headers={"hx-request": "true"})
    share.refresh_from_db()
    assert share.views == 0
