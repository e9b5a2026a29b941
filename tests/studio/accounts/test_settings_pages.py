"""What somebody decides about their own account: name, sessions, usage, export and the end."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from studio.accounts.forms import ProfileForm
from studio.accounts.models import User
from studio.api.models import Token, Webhook
from studio.artifacts import sweep
from studio.artifacts.links import address
from studio.artifacts.models import Artifact
from studio.library.models import Tag
from studio.library.tasks import tidy
from studio.media import store
from studio.projects.models import Input, Member, Project, Role
from studio.projects.requests import begin_project
from studio.runs import claims, journal
from studio.runs.models import Run, Spending
from studio.runs.spending import today
from studio.sharing.models import Share
from tests.studio.conftest import asked, save, shared, signed_in

pytestmark = pytest.mark.django_db(transaction=True)

DELETE = {"username": "alice", "password": "of wonderland"}


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_others_see_the_name_that_somebody_gave(
    project: Project, charlie: User, alices_browser: Client
) -> None:
    Member.objects.create(project=project, user=charlie)
    assert alices_browser.post("/settings/", {"name": " 爱丽丝 "})["location"] == "/settings/"
    assert "爱丽丝" in page(signed_in(charlie), f"/projects/{project.pk}/people/")
    alices_browser.post("/settings/", {"name": ""})
    assert ">alice<" in page(signed_in(charlie), f"/projects/{project.pk}/people/")


def test_a_name_that_is_saved_takes_nothing_back_that_an_operator_decided(alice: User) -> None:
    form = ProfileForm({"name": "Alice Liddell"}, instance=User.objects.get(pk=alice.pk))
    assert form.is_valid()
    User.objects.filter(pk=alice.pk).update(is_active=False, room=1)
    form.save()
    alice.refresh_from_db()
    assert (alice.shown_name, alice.is_active, alice.room) == ("Alice Liddell", False, 1)


def test_a_name_that_is_too_long_is_said_to_be(alices_browser: Client) -> None:
    answer = alices_browser.post("/settings/", {"name": "x" * 151})
    assert "at most 150" in answer.content.decode()


def test_every_page_of_the_settings_leads_to_the_others(alices_browser: Client) -> None:
    paths = ["/settings/", "/settings/usage/", "/settings/data/", "/accounts/email/"]
    paths += ["/settings/notices/", "/settings/tokens/", "/settings/webhooks/"]
    for path in [*paths, "/accounts/password/change/", "/accounts/sessions/"]:
        told = page(alices_browser, path)
        assert told.count('aria-current="page"') == 1, path
        assert all(f'href="{other}"' in told for other in paths)


def test_addresses_are_added_made_the_first_and_removed(alices_browser: Client) -> None:
    for email in ("a@example.org", "b@example.org"):
        alices_browser.post("/accounts/email/", {"action_add": "", "email": email})
    told = page(alices_browser, "/accounts/email/")
    assert "a@example.org" in told
    alices_browser.post("/accounts/email/", {"action_primary": "", "email": "b@example.org"})
    assert EmailAddress.objects.get(primary=True).email == "b@example.org"
    alices_browser.post("/accounts/email/", {"action_remove": "", "email": "a@example.org"})
    assert EmailAddress.objects.get().email == "b@example.org"


def test_sessions_are_listed_and_all_others_can_be_ended(alice: User) -> None:
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    here, elsewhere = signed_in(alice), signed_in(alice)
    elsewhere.get("/", HTTP_USER_AGENT=firefox)
    told = page(here, "/accounts/sessions/")
    assert "Firefox on Linux" in told
    assert told.count("this browser") == 1
    here.post("/accounts/sessions/")
    assert elsewhere.get("/").status_code == 302
    assert here.get("/").status_code == 200


def test_being_here_is_written_down_now_and_then(alices_browser: Client) -> None:
    alices_browser.get("/")
    first = UserSession.objects.get().last_seen_at
    alices_browser.get("/")
    assert UserSession.objects.get().last_seen_at == first
    UserSession.objects.update(last_seen_at=first - timedelta(minutes=6))
    alices_browser.get("/")
    assert UserSession.objects.get().last_seen_at >= first


def test_from_where_somebody_came_is_forgotten_with_the_session(alice: User) -> None:
    here, elsewhere, away = (signed_in(alice) for _ in range(3))
    for client in (here, elsewhere, away):
        client.get("/")
    Session.objects.filter(pk=elsewhere.session.session_key).update(expire_date=timezone.now())
    away.logout()
    tidy()
    assert UserSession.objects.get().session_key == here.session.session_key
    assert Session.objects.get().pk == here.session.session_key


def test_usage_is_told_with_what_is_allowed(
    alice: User, run: Run, alices_browser: Client, settings
) -> None:
    settings.USER_BYTES, settings.DAY_TOKENS = 10 * 2**20, 1000
    save(run, "a.bin", b"x" * 2**20)
    Spending.objects.create(user=alice, day=today(), tokens=250)
    told = page(alices_browser, "/settings/usage/").replace("\xa0", " ")
    assert "1.0 MB" in told
    assert "of 10.0 MB" in told
    assert "250 tokens" in told
    assert 'width="25"' in told
    settings.USER_BYTES = settings.DAY_TOKENS = None
    told = page(alices_browser, "/settings/usage/")
    assert "quota-bar" not in told.partition("</head>")[2]


def exported(client: Client) -> zipfile.ZipFile:
    answer = client.post("/settings/data/export/")
    assert answer["content-type"] == "application/zip"
    assert answer["content-disposition"].startswith("attachment")
    assert answer["cache-control"] == "no-store"

    async def gathered() -> bytes:
        return b"".join([piece async for piece in answer])

    return zipfile.ZipFile(io.BytesIO(async_to_sync(gathered)()))


def test_the_export_has_everything_and_nothing_of_others(
    run: Run, alice: User, charlie: User, alices_browser: Client
) -> None:
    save(run, "poster.html", b"old")
    save(run, "poster.html", b"<h1>Poster</h1>")
    given = store().put([b"1,2"])
    Input.objects.create(project=run.project, name="a.csv", digest=given.digest, size=3)
    theirs = begin_project(charlie, "Charlie's secret", []).project
    Member.objects.create(project=theirs, user=alice, role=Role.EDITOR)
    archive = exported(alices_browser)
    assert archive.testzip() is None
    folder = "projects/1 A poster for the summer party/"
    assert archive.read(f"{folder}files/poster.html") == b"<h1>Poster</h1>"
    assert archive.read(f"{folder}inputs/a.csv") == b"1,2"
    assert b"artifact.saved" in archive.read(f"{folder}trajectory/1.jsonl")
    account = json.loads(archive.read("account.json"))
    assert account["username"] == "alice"
    assert account["member_of"][0]["project"] == theirs.pk
    assert "password" not in account
    assert alice.password not in str(account)
    assert all(name.startswith((folder, "account.json", "README")) for name in archive.namelist())
    assert "Poster" not in str(zipfile.ZipFile.namelist(exported(signed_in(charlie))))


TOLD = {
    "accounts.SignInLink": None,  # It proves who somebody is.
    "admin.LogEntry": None,  # What operators did to what is everybody's.
    "account.EmailAddress": "email_addresses",
    "api.Token": "tokens",
    "api.Webhook": "webhooks",
    "library.Star": "stars",
    "library.Tag": "tags",
    "notices.Letters": "letters",
    "notices.Subscription": "push_messages",
    "people.Invitation": "invitations",
    "projects.Member": "member_of",
    "projects.Project": "projects",
    "runs.Spending": "spending",
    "sharing.Share": "shared_links",
    "socialaccount.SocialAccount": "identity_providers",
    "usersessions.UserSession": "sessions",
}


def test_the_export_forgets_no_table_that_knows_the_person(
    run: Run, alice: User, alices_browser: Client
) -> None:
    tables = {relation.related_model._meta.label for relation in User._meta.related_objects}
    assert tables == TOLD.keys()
    save(run, "poster.html", b"poster")
    secret = Token.objects.issue(alice, "A program")
    Webhook.objects.create(user=alice, url="https://a.example", secret="signs")
    _, link = shared(run.project, password="open sesame")
    tag = Tag.objects.create(user=alice, name="Party", folded="party")
    tag.artifacts.add(run.project.artifacts.get())
    account = json.loads(exported(alices_browser).read("account.json"))
    assert {key for key in TOLD.values() if key} <= account.keys()
    assert account["tokens"][0]["name"] == "A program"
    assert account["webhooks"][0]["url"] == "https://a.example"
    assert account["shared_links"][0]["project"] == run.project_id
    assert account["tags"][0]["artifacts__path"] == "poster.html"
    kept = Share.objects.values_list("password", "sealed", "token_hash").get()
    proofs = [secret, "signs", link.split("/")[2], *kept]
    assert not [proof for proof in proofs if proof in str(account)]


def test_projects_of_the_same_name_have_folders_of_their_own(
    alice: User, alices_browser: Client
) -> None:
    for _ in range(2):
        begin_project(alice, "../Twice", [])
    names = exported(alices_browser).namelist()
    assert len(names) == len(set(names))
    assert not [name for name in names if ".." in name.split("/") or name.startswith("/")]


@pytest.mark.parametrize(
    "form",
    [{}, {"username": "alice"}, {**DELETE, "username": "Alice"}, {**DELETE, "password": "?"}],
)
def test_an_account_is_not_deleted_by_mistake(
    form: dict, project: Project, alices_browser: Client
) -> None:
    assert alices_browser.post("/settings/data/delete/", form).status_code == 422
    assert Project.objects.get() == project


def test_with_the_account_goes_all_that_was_its_own_and_nothing_else(
    run: Run, alice: User, charlie: User, alices_browser: Client, settings
) -> None:
    token = claims.claim(run.pk)
    assert token
    digest = save(run, "poster.html", b"<h1>Poster</h1>")
    theirs = begin_project(charlie, "Charlie's", []).project
    Member.objects.create(project=theirs, user=alice)
    url = address(asked(), run.project_id, "poster.html")
    answer = alices_browser.post("/settings/data/delete/", DELETE)
    assert answer["location"] == "/accounts/login/"
    assert "is deleted" in alices_browser.get("/accounts/login/").content.decode()
    assert not User.objects.filter(username="alice").exists()
    assert list(Project.objects.all()) == [theirs]
    assert not Artifact.objects.exists()
    assert not Member.objects.exists()
    assert alices_browser.get("/").status_code == 302
    # Whoever works on it is told to stop, and can write nothing more.
    assert claims.should_stop(run.pk, token)
    with pytest.raises(journal.ClaimLost):
        save_again(run, token)
    # Its address opens nothing, and the sweep frees the bytes.
    assert not Project.objects.filter(pk=url.split("//")[1].split(".")[0]).exists()
    assert sweep.referred([digest]) == set()


def save_again(run: Run, token) -> None:
    from agent.events import ArtifactSaved

    journal.append(run.pk, ArtifactSaved(path="b", digest="0" * 64, size=1), claim=token)


def test_who_has_no_password_types_the_name_alone(project: Project, alice: User) -> None:
    alice.set_unusable_password()
    alice.save()
    client = signed_in(alice)
    assert 'name="password"' not in page(client, "/settings/data/")
    client.post("/settings/data/delete/", {"username": "alice"})
    assert not User.objects.exists()


def test_somebody_is_left_to_administer_the_studio(alice: User, alices_browser: Client) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    User.objects.create_user("ex", is_superuser=True, is_active=False)
    answer = alices_browser.post("/settings/data/delete/", DELETE)
    assert answer.status_code == 422
    assert "Nobody else can administer" in answer.content.decode()
    assert User.objects.filter(pk=alice.pk).exists()
    User.objects.create_superuser("boss")
    assert alices_browser.post("/settings/data/delete/", DELETE).status_code == 302
    assert not User.objects.filter(pk=alice.pk).exists()


def test_room_of_ones_own_instead_of_the_usual_one(
    alice: User, charlie: User, run: Run, alices_browser: Client, settings
) -> None:
    settings.USER_BYTES = 2**20
    save(run, "a.bin", b"x" * (2**20 + 1))
    Run.objects.update(status="ended", ended=timezone.now())
    form = {"prompt": "More"}
    path = f"/projects/{run.project_id}/runs/"
    assert alices_browser.post(path, form).status_code == 413
    User.objects.filter(pk=alice.pk).update(room=2)
    assert alices_browser.post(path, form).status_code == 302
    User.objects.filter(pk=charlie.pk).update(room=0)
    assert signed_in(charlie).post("/projects/new/", form).status_code == 413
