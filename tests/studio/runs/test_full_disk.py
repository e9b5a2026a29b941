"""A disk that takes no more: this process may write no file of more than 4 MiB."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from agent.testing import MemorySandbox, bash, submit
from studio.media import store
from studio.projects.models import Project
from studio.runs import worker
from studio.runs.models import Run, Status
from tests.studio.conftest import follow_up, kinds

pytestmark = pytest.mark.django_db(transaction=True)

LARGE = bytes(8 << 20)


@contextmanager
def full_disk() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 20, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def ask(client: Client):
    files = [SimpleUploadedFile("small.txt", b"1"), SimpleUploadedFile("film.mov", LARGE)]
    return client.post("/projects/new/", {"prompt": "Cut this", "files": files})


def test_an_upload_to_a_full_disk_is_refused_in_words_and_leaves_nothing(
    alices_browser: Client, settings
) -> None:
    with full_disk():
        answer = ask(alices_browser)
    assert answer.status_code == 422
    assert "“film.mov” could not be stored: the disk is full." in answer.content.decode()
    answer.close()
    assert not Project.objects.exists()
    assert not [path for path in settings.MEDIA.rglob("*") if path.is_file()]
    assert ask(alices_browser).status_code == 302


def test_a_run_on_a_full_disk_ends_in_words_and_keeps_what_it_has(run: Run, script) -> None:
    sandbox = MemorySandbox()
    script([bash("echo hello > output/a.txt"), bash("cat film > output/film.mov")], sandbox)
    sandbox.files["/workspace/output/film.mov"] = LARGE
    with full_disk():
        worker.execute(run.pk)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Status.ENDED, "storage_full")
    assert "film.mov could not be stored (File too large). Free some disk space." in run.message
    assert kinds(run)[-1] == "run.ended"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            assert cursor.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    again = follow_up(run)
    script([bash("echo hello > output/a.txt"), submit("Done.")])
    worker.execute(again.pk)
    artifact = again.project.artifacts.get()
    assert b"".join(store().open(artifact.latest.digest)) == b"hello\n"
