from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agent.events import WorkspaceSaved
from studio.artifacts import sweep
from studio.artifacts.models import Version
from studio.inspections.models import Inspection, Preview
from studio.media import store
from studio.projects.models import Input
from studio.runs import journal
from studio.runs.models import Run
from tests.studio.conftest import save

pytestmark = pytest.mark.django_db

HOUR = 3600


def sweep_in(hours: float) -> int:
    """Sweep as if it were so much later."""
    return sweep.sweep_store(store(), sweep.referred, time.time() + hours * HOUR)


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()}


def readable(digest: str) -> bool:
    return store().size(digest) is not None


def test_unused_bytes_are_set_aside_after_an_hour_and_deleted_after_another() -> None:
    digest = store().put([b"old"]).digest
    assert sweep_in(0.9) == 0
    assert set(store().stored(time.time() + 1)) == {digest}
    assert sweep_in(1.1) == 0
    assert set(store().stored(time.time() + 1)) == set()
    assert sweep_in(0.9) == 0
    assert b"".join(store().open(digest)) == b"old"
    assert sweep_in(1.1) == 1
    assert not readable(digest)


def test_what_gets_a_row_after_it_was_set_aside_is_brought_back(run: Run) -> None:
    digest = store().put([b"late"]).digest
    sweep_in(1.1)
    Input.objects.create(project=run.project, name="i", digest=digest, size=4)
    assert sweep_in(1.1) == 0
    assert set(store().stored(time.time() + 1)) == {digest}


WRITER = """
import sys, time
from pathlib import Path
from studio.stores.disk import DiskStore

def chunks():
    yield b"x" * 5_000_000
    print("begun", flush=True)
    time.sleep(600)

DiskStore(Path(sys.argv[1])).put(chunks())
"""


def test_of_a_process_killed_while_it_stores_no_half_file_is_ever_there(settings) -> None:
    command = [sys.executable, "-c", WRITER, str(settings.MEDIA)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL

    (half,) = files(settings.MEDIA)
    assert list(store().stored(time.time() + HOUR)) == []
    with pytest.raises(ValueError, match="not a digest"):
        store().path(half)
    sweep_in(2)
    assert files(settings.MEDIA) == {half}
    sweep_in(25)
    assert files(settings.MEDIA) == set()


def test_bytes_that_something_refers_to_are_kept(run: Run) -> None:
    digests = {save(run, "a.txt", b"1"), save(run, "b.txt", b"2")}
    given, workspace, poster = (
        store().put([n]).digest for n in (b"input", b"workspace", b"poster")
    )
    Input.objects.create(project=run.project, name="i", digest=given, size=5)
    digests |= {given, workspace, poster}
    run.refresh_from_db()
    assert run.claim is not None
    journal.append(run.pk, WorkspaceSaved(digest=workspace, size=9), claim=run.claim)
    version = Version.objects.all()[0]
    inspection, _ = Inspection.objects.get_or_create(version=version)
    Preview.objects.create(inspection=inspection, role="poster", digest=poster, size=6)
    assert sweep_in(2) + sweep_in(2) == 0
    assert set(store().stored(time.time() + 1)) == digests
    run.project.delete()
    assert (sweep_in(2), sweep_in(2)) == (0, 5)


def test_of_a_projects_workspaces_only_the_latest_is_kept(run: Run) -> None:
    old, new = store().put([b"first"]).digest, store().put([b"second"]).digest
    Run.objects.filter(pk=run.pk).update(workspace=old, status="ended")
    Run.objects.create(project=run.project, number=2, prompt="x", workspace=new)
    assert (sweep_in(2), sweep_in(2)) == (0, 1)
    assert [readable(old), readable(new)] == [False, True]


def test_bytes_stored_anew_are_young_again_and_written_once(settings) -> None:
    digest = store().put([b"the same"]).digest
    path = store().path(digest)
    assert path is not None
    os.utime(path, (time.time() - 2 * HOUR,) * 2)
    written = path.stat().st_ino
    with store().incoming() as incoming:
        incoming.write(b"the same")
        assert incoming.commit().digest == digest
    assert sweep_in(0.5) == 0
    assert set(store().stored(time.time() + 1)) == {digest}
    assert path.stat().st_ino == written
    assert files(settings.MEDIA) == {digest}


def test_a_sweep_asks_the_database_for_many_blobs_at_once(monkeypatch) -> None:
    monkeypatch.setattr(sweep, "BATCH", 10)
    for number in range(30):
        store().put([str(number).encode()])
    with CaptureQueriesContext(connection) as queries:
        sweep_in(2)
    assert len(queries) == 3 * 4
