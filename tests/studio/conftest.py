"""The cast, and a studio whose database is a file and whose broker and channels are in memory.

Alice owns what there is; Charlie is signed in, too, and must not notice that it exists.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connections
from django.db.models.signals import post_migrate
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import translation

from agent.events import ArtifactSaved
from studio.accounts.models import User
from studio.celery import app as celery_app
from studio.media import store
from studio.projects.models import Project
from studio.projects.requests import begin_project
from studio.runs import claims, journal
from studio.runs.models import Run, Status
from studio.sharing import reach
from studio.sharing.models import Share

# Her number, for what is signed for her where nobody can look it up. No sequence comes there.
ALICE = 1_000_000


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Several threads must see one database as they do in production: not one in memory."""
    database = connections["default"]
    if database.vendor == "sqlite":
        path = tmp_path_factory.mktemp("database") / "test.sqlite3"
        database.settings_dict["TEST"]["NAME"] = str(path)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """The studio uses no permissions: none are made anew when a test empties the database."""
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")


@pytest.fixture(autouse=True)
def studio(settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEDIA = tmp_path / "media"
    settings.MEDIA.mkdir()
    settings.WARM_SANDBOXES = 0
    settings.STARTING_POINTS = False
    # Each client has middleware of its own, which would read the head of a thousand files first.
    settings.WHITENOISE_AUTOREFRESH = True
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "tests.studio.layers.ThreadsLayer"}}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    # What the last test counted of a user or a share is no matter of the next one's of that number.
    cache.clear()
    # Nor is the language in which it was answered last.
    translation.deactivate()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    use_broker(monkeypatch, "memory://")


def use_broker(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Send tasks there until the test is over, through connections of its own."""
    monkeypatch.setattr(celery_app.conf, "broker_url", url)
    monkeypatch.setattr(celery_app, "_pool", None)
    monkeypatch.setattr(celery_app.amqp, "_producer_pool", None)


@pytest.fixture
def alice(db) -> User:
    return User.objects.create_user("alice", password="of wonderland", pk=ALICE)


@pytest.fixture
def charlie(db) -> User:
    return User.objects.create_user("charlie", password="of the factory")


def signed_in(user: User) -> Client:
    client = Client(HTTP_HOST="localhost:8000")
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def asked(by: int = ALICE, host: str = "localhost:8000") -> HttpRequest:
    """A request for a page of the app, by somebody who is signed in."""
    request = RequestFactory().get("/", headers={"host": host})
    request.user = User(pk=by)
    return request


@pytest.fixture
def alices_browser(alice: User) -> Client:
    return signed_in(alice)


@pytest.fixture
def charlies_browser(charlie: User) -> Client:
    return signed_in(charlie)


@pytest.fixture
def run(alice: User) -> Run:
    """Alice's first request, not claimed by anybody yet."""
    return begin_project(alice, "A poster for the summer party", [])


@pytest.fixture
def project(run: Run) -> Project:
    return run.project


def save(run: Run, path: str, *chunks: bytes) -> str:
    """A file that a run made, as the worker brings it in; its digest."""
    run.refresh_from_db()
    token = run.claim or claims.claim(run.pk)
    assert token is not None
    blob = store().put(chunks)
    fact = ArtifactSaved(path=path, digest=blob.digest, size=blob.size)
    journal.append(run.pk, fact, claim=token)
    return blob.digest


def shared(project: Project, **about: Any) -> tuple[Share, str]:
    """A share as its owner makes it, and the path of its link."""
    password = about.pop("password", "")
    share = Share(project=project, creator=project.owner, **about)
    if password:
        share.set_password(password)
    token = share.give_token()
    share.save()
    if share.pinned:
        reach.pin(share, share.artifact and share.artifact.latest)
    return share, f"/s/{token}/"


def follow_up(run: Run) -> Run:
    """The next request of the project, after `run` has ended."""
    Run.objects.filter(pk=run.pk).update(status=Status.ENDED)
    return Run.objects.create(project=run.project, number=run.number + 1, prompt="In blue")


def kinds(run: Run) -> list[str]:
    """The kinds of a run's events, in order; their numbers are asserted to be 1..n."""
    rows: Iterable[tuple[int, str]] = run.events.values_list("seq", "kind")
    numbers = [seq for seq, _ in rows]
    assert numbers == list(range(1, len(numbers) + 1))
    return [kind for _, kind in rows]
