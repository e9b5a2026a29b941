"""The owner's side: links are made, copied, changed and revoked."""

from __future__ import annotations

import hashlib
import html
import re
from datetime import timedelta

import pytest
import segno
from django.db import connection
from django.test import Client
from django.utils import timezone

from studio.accounts.models import User
from studio.projects.models import Member, Role
from studio.projects.requests import begin_project
from studio.runs.models import Run
from studio.sharing.forms import ShareForm
from studio.sharing.models import Share
from tests.studio.conftest import follow_up, save, shared, signed_in

pytestmark = pytest.mark.django_db

HTMX = {"hx-request": "true"}


@pytest.fixture
def made(run: Run) -> Run:
    save(run, "poster.html", b"<h1>Poster</h1>")
    return run


def dialog(run: Run) -> str:
    return f"/projects/{run.project_id}/shares/"


def make(client: Client, run: Run, **form: str):
    return client.post(f"{dialog(run)}make/", {"days": "never", **form}, headers=HTMX)


def link(page: str) -> str:
    found = re.search(r'value="http://localhost:8000(/s/[\w-]+/)"', page)
    assert found
    return found[1]


def test_a_link_is_made_and_can_be_copied_again_later(made: Run, alices_browser: Client) -> None:
    answer = make(alices_browser, made, show_prompts="on")
    path = link(answer.content.decode())
    assert Client(HTTP_HOST="localhost:8000").get(path).status_code == 200
    assert path in alices_browser.get(dialog(made)).content.decode()
    share = Share.objects.get()
    assert (share.show_prompts, share.allow_download, share.listed) == (True, False, False)


def test_the_code_that_phones_read_is_of_this_very_address(
    made: Run, alices_browser: Client
) -> None:
    page = make(alices_browser, made).content.decode()
    code = segno.make(f"http://localhost:8000{link(page)}", error="m", micro=False)
    assert code.svg_inline(border=2, dark="#000", omitsize=True) in page


def test_a_dump_of_the_database_opens_nothing(made: Run, settings) -> None:
    share, path = shared(made.project, password="open sesame")
    token = path.split("/")[2]
    assert len(token) * 6 >= 128
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM sharing_share")
        row = " ".join(map(str, cursor.fetchone()))
    assert token not in row
    assert "open sesame" not in row
    assert share.token_hash == hashlib.sha256(token.encode()).hexdigest()
    # The key is not in the database. With another one the link works on, and can't be read.
    settings.SECRET_KEY = "another key " * 5
    assert share.token == ""
    assert share.path == ""
    assert Share.objects.open().with_token(token).exists()
    for known in (share.sealed, share.token_hash):
        assert not Share.objects.with_token(known).exists()


def test_a_link_that_cannot_be_read_any_more_says_so(
    made: Run, alices_browser: Client, monkeypatch
) -> None:
    shared(made.project)
    Share.objects.update(sealed="written with another key")
    page = alices_browser.get(dialog(made)).content.decode()
    assert "the installation has another key" in page


def test_what_is_copied_for_other_pages_keeps_a_title_a_title(
    made: Run, alices_browser: Client
) -> None:
    made.project.title = '"><script>canary()</script>'
    made.project.save()
    shared(made.project)
    page = alices_browser.get(dialog(made)).content.decode()
    field = page.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
    frame = html.unescape(field)
    assert frame.startswith('<iframe src="http://localhost:8000/s/')
    assert 'title="&quot;&gt;&lt;script&gt;' in frame


def test_the_links_of_a_file_are_with_the_file(made: Run, alices_browser: Client) -> None:
    make(alices_browser, made, file="poster.html", version="1", pinned="1")
    share = Share.objects.get()
    assert share.artifact
    assert (share.pinned, share.artifact.path, share.versions.count()) == (True, "poster.html", 1)
    assert "/s/" not in alices_browser.get(dialog(made)).content.decode()
    assert "/s/" in alices_browser.get(f"{dialog(made)}?file=poster.html").content.decode()


def test_a_file_that_is_shared_as_it_is_now_without_a_number_is_its_newest_version(
    made: Run, alices_browser: Client
) -> None:
    save(follow_up(made), "poster.html", b"<h1>Newer</h1>")
    # The dialog does not know the number any more when a link was changed in it before.
    page = make(alices_browser, made, file="poster.html", version="", pinned="1")
    assert page.status_code == 200
    assert Share.objects.get().versions.get().number == 2


def test_a_link_closes_by_itself(made: Run, alices_browser: Client) -> None:
    make(alices_browser, made, days="7")
    share = Share.objects.get()
    assert share.expires
    assert timedelta(days=6) < share.expires - timezone.now() < timedelta(days=8)
    change = f"{dialog(made)}{share.pk}/change/"
    alices_browser.post(change, {"days": "keep", "listed": "on"})
    share.refresh_from_db()
    assert (share.listed, share.expires is None) == (True, False)
    alices_browser.post(change, {"days": "never"})
    share.refresh_from_db()
    assert (share.listed, share.expires) == (False, None)


def test_a_form_without_a_word_about_the_end_changes_nothing(
    made: Run, alices_browser: Client
) -> None:
    share, _ = shared(made.project, expires=timezone.now() + timedelta(days=1))
    answer = alices_browser.post(f"{dialog(made)}{share.pk}/change/", {"listed": "on"})
    assert answer.status_code == 422
    share.refresh_from_db()
    assert (share.listed, share.expires is None) == (False, False)


def test_a_password_is_given_changed_and_taken_away(made: Run, alices_browser: Client) -> None:
    make(alices_browser, made, password="open sesame")
    share = Share.objects.get()
    assert share.has_password("open sesame")
    change = f"{dialog(made)}{share.pk}/change/"
    alices_browser.post(change, {"days": "keep"})
    share.refresh_from_db()
    assert share.has_password("open sesame")
    edition = share.edition
    alices_browser.post(change, {"days": "keep", "password": "another one"})
    share.refresh_from_db()
    assert share.has_password("another one")
    assert share.edition > edition
    alices_browser.post(change, {"days": "keep", "open_to_all": "on"})
    share.refresh_from_db()
    assert share.password == ""


def test_a_short_password_is_refused_in_words(made: Run, alices_browser: Client) -> None:
    answer = make(alices_browser, made, password="abc")
    assert answer.status_code == 422
    assert "at least 6 characters" in answer.content.decode()
    assert not Share.objects.exists()


def test_what_has_a_password_is_not_listed(made: Run, alices_browser: Client) -> None:
    answer = make(alices_browser, made, password="open sesame", listed="on")
    assert answer.status_code == 422
    share, _ = shared(made.project, password="open sesame")
    change = f"{dialog(made)}{share.pk}/change/"
    assert alices_browser.post(change, {"days": "keep", "listed": "on"}).status_code == 422
    form = {"days": "keep", "listed": "on", "open_to_all": "on"}
    assert alices_browser.post(change, form).status_code == 200


def test_revoking_is_for_good(made: Run, alices_browser: Client) -> None:
    share, path = shared(made.project)
    page = alices_browser.post(f"{dialog(made)}{share.pk}/revoke/").content.decode()
    assert "The link is closed" in page
    assert path not in page
    assert Client(HTTP_HOST="localhost:8000").get(path).status_code == 404
    share.refresh_from_db()
    assert share.sealed == ""
    change = f"{dialog(made)}{share.pk}/change/"
    assert alices_browser.post(change, {"days": "30"}).status_code == 404


def test_whoever_changes_a_link_meanwhile_does_not_open_it_again(made: Run) -> None:
    share, _ = shared(made.project)
    Share.objects.update(views=7)
    form = ShareForm({"days": "30", "listed": "on"}, instance=share)
    assert form.is_valid()
    Share.objects.get().revoke()
    form.save()
    share.refresh_from_db()
    assert share.revoked
    assert (share.sealed, share.views, share.listed) == ("", 7, True)


def test_whoever_changes_a_link_meanwhile_takes_neither_password_nor_end_away(made: Run) -> None:
    share, _ = shared(made.project)
    form = ShareForm({"days": "keep", "listed": "on"}, instance=share)
    assert form.is_valid()
    other = ShareForm({"days": "7", "password": "open sesame"}, instance=Share.objects.get())
    assert other.is_valid()
    other.save()
    form.save()
    share.refresh_from_db()
    assert share.has_password("open sesame")
    assert share.edition == 2
    assert share.expires
    # It was wanted in the gallery as well, where nobody may see what has a password.
    page = Client(HTTP_HOST="localhost:8000").get("/explore/").content.decode()
    assert "poster" not in page


def test_a_link_of_another_project_is_not_changed_through_ones_own(
    made: Run, charlies_browser: Client, charlie: User
) -> None:
    share, _ = shared(made.project)
    mine = begin_project(charlie, "Mine", [])
    for what in ("change", "revoke"):
        path = f"{dialog(mine)}{share.pk}/{what}/"
        assert charlies_browser.post(path, {"days": "never"}).status_code == 404
    share.refresh_from_db()
    assert share.revoked is None


def test_a_viewer_sees_no_links(made: Run) -> None:
    shared(made.project)
    bob = User.objects.create_user("bob")
    Member.objects.create(project=made.project, user=bob, role=Role.VIEWER)
    page = signed_in(bob).get(dialog(made)).content.decode()
    assert "Ask its owner" in page
    assert "/s/" not in page


def test_an_operator_closes_a_link_and_does_not_learn_it(made: Run) -> None:
    share, path = shared(made.project)
    operator = signed_in(User.objects.create_superuser("root"))
    page = operator.get("/admin/sharing/share/").content.decode()
    assert "summer party" in page
    assert path.split("/")[2] not in page
    operator.post("/admin/sharing/share/", {"action": "close", "_selected_action": [share.pk]})
    assert Client(HTTP_HOST="localhost:8000").get(path).status_code == 404
