from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agent.events import WorkspaceSaved
from studio.artifacts import sweep
from studio.media import Incoming, store
from studio.projects.models import Input
from studio.runs import journal
from studio.runs.models import Run
from tests.studio.conftest import save

pytestmark = pytest.mark.django_db


def kept(data: bytes, age: float) -> Path:
    """Bytes that nobody refers to, stored `age` seconds ago."""
    path = store().path(store().put([data]).digest)
    grow_old(path, age)
    return path


def grow_old(path: Path, age: float) -> None:
    os.utime(path, (time.time() - age,) * 2)


def files() -> set[str]:
    return {path.name for path in store().root.rglob("*") if path.is_file()}


def test_only_old_unused_bytes_are_deleted() -> None:
    old, young = kept(b"old", 7200), kept(b"young", 60)
    assert sweep.sweep() == 1
    assert not old.exists()
    assert young.exists()


def test_what_a_killed_process_had_begun_to_write_is_deleted(settings) -> None:
    begun = settings.MEDIA / ".new-abc"
    begun.write_bytes(b"half")
    assert sweep.sweep() == 0
    grow_old(begun, 7200)
    assert sweep.sweep() == 1
    assert files() == set()


WRITER = """
import sys, time
from pathlib import Path
from agent.store import DirectoryStore

def chunks():
    yield b"x" * 5_000_000
    print("begun", flush=True)
    time.sleep(600)

DirectoryStore(Path(sys.argv[1])).put(chunks())
"""


def test_of_a_process_killed_while_it_stores_no_half_file_is_ever_there() -> None:
    whole = store().put([b"whole"]).digest
    command = [sys.executable, "-c", WRITER, str(store().root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL

    (half,) = files() - {whole}
    assert half.startswith(".new-")
    with pytest.raises(ValueError, match="not a digest"):
        store().path(half)
    for seen in (b"x" * 5_000_000, b"x" * (5_000_000 // 4096 * 4096), b""):
        with pytest.raises(FileNotFoundError):
            next(store().open(hashlib.sha256(seen).hexdigest()))
    for path in store().root.rglob("*"):
        grow_old(path, 7200)
    assert sweep.sweep() == 2
    assert files() == set()


def test_bytes_that_something_refers_to_are_kept(run: Run) -> None:
    digests = {save(run, "a.txt", b"1"), save(run, "b.txt", b"2")}
    blob = store().put([b"input"])
    Input.objects.create(project=run.project, name="i", digest=blob.digest, size=5)
    workspace = store().put([b"workspace"])
    run.refresh_from_db()
    assert run.claim is not None
    fact = WorkspaceSaved(digest=workspace.digest, size=9)
    journal.append(run.pk, fact, claim=run.claim)
    digests |= {blob.digest, workspace.digest}
    for digest in digests:
        grow_old(store().path(digest), 7200)
    assert sweep.sweep() == 0
    assert files() == digests
    run.project.delete()
    assert sweep.sweep() == 4
    assert files() == set()


def test_of_a_projects_workspaces_only_the_latest_is_kept(run: Run) -> None:
    old, new = kept(b"first", 7200), kept(b"second", 7200)
    Run.objects.filter(pk=run.pk).update(workspace=old.name, status="ended")
    Run.objects.create(project=run.project, number=2, prompt="x", workspace=new.name)
    assert sweep.sweep() == 1
    assert files() == {new.name}


def test_bytes_stored_anew_while_it_looks_are_kept() -> None:
    path = kept(b"the same", 7200)
    store().put([b"the same"])
    assert not sweep.remove(path, time.time() - 3600)
    assert path.read_bytes() == b"the same"


def test_an_upload_of_bytes_that_are_there_makes_them_young_again() -> None:
    path = kept(b"the same", 7200)
    incoming = Incoming()
    incoming.write(b"the same")
    assert incoming.commit().digest == path.name
    assert sweep.sweep() == 0
    assert files() == {path.name}
