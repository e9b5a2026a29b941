from __future__ import annotations

import ast
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.db import DataError, connection
from hypothesis import given
from hypothesis import strategies as st

import studio
from agent.events import (
    ArtifactRemoved,
    ArtifactSaved,
    ModelSpoke,
    Reason,
    Resources,
    RunEnded,
    RunStarted,
    SandboxReady,
    ToolPrinted,
    Usage,
    WorkspaceSaved,
)
from studio.artifacts.models import Artifact
from studio.runs import claims, journal
from studio.runs.models import Event, Run, Status
from studio.runs.nudge import group
from tests.studio.conftest import follow_up, kinds, save

pytestmark = pytest.mark.django_db


@pytest.fixture
def token(run: Run) -> uuid.UUID:
    token = claims.claim(run.pk)
    assert token is not None
    return token


def printed(text: str) -> ToolPrinted:
    return ToolPrinted(call="1", text=text)


@pytest.mark.django_db(transaction=True)
def test_numbers_have_no_gap_when_eight_threads_write(run: Run) -> None:
    token = claims.claim(run.pk)
    assert token is not None

    def write(name: int) -> None:
        try:
            for count in range(5):
                journal.append(run.pk, printed(f"{name}.{count}"), claim=token)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(8)))
    assert kinds(run) == ["tool.printed"] * 40
    for name in range(8):
        told = [row["text"] for row in run.events.values_list("data", flat=True)]
        assert [text for text in told if text.startswith(f"{name}.")] == [
            f"{name}.{count}" for count in range(5)
        ]


def test_nothing_is_written_without_the_claim(run: Run, token: uuid.UUID) -> None:
    with pytest.raises(journal.ClaimLost):
        journal.append(run.pk, printed("a stranger"), claim=uuid.uuid4())
    assert kinds(run) == []


def test_nothing_follows_the_end(run: Run, token: uuid.UUID) -> None:
    journal.append(run.pk, RunEnded(reason=Reason.SUBMITTED, message=""), claim=token)
    with pytest.raises(journal.ClaimLost):
        journal.append(run.pk, printed("too late"), claim=token)
    with pytest.raises(journal.ClaimLost):
        journal.append(run.pk, RunEnded(reason=Reason.STOPPED, message=""), claim=token)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Status.ENDED, "submitted")
    assert kinds(run) == ["run.ended"]


def test_a_run_that_was_deleted_takes_no_events(run: Run, token: uuid.UUID) -> None:
    run.project.delete()
    with pytest.raises(journal.ClaimLost):
        journal.append(run.pk, printed("into the void"), claim=token)


def test_events_are_projected_onto_the_run(run: Run, token: uuid.UUID) -> None:
    for fact in [
        RunStarted(prompt=run.prompt, model="scripted"),
        SandboxReady(sandbox="sandbox-1", image="sandbox", seconds=0.1),
        ModelSpoke(turn=1, usage=Usage(input=10, output=2)),
        ModelSpoke(turn=2, usage=Usage(input=20, output=3)),
        WorkspaceSaved(digest="a" * 64, size=1),
        RunEnded(
            reason=Reason.SUBMITTED,
            message="Done.",
            summary="A poster.",
            resources=Resources(cpu_seconds=1.5, peak_memory=2, disk=3, bytes_in=4, bytes_out=5),
        ),
    ]:
        journal.append(run.pk, fact, claim=token)
    run.refresh_from_db()
    assert (run.model, run.turns, run.tokens_in, run.tokens_out) == ("scripted", 2, 30, 5)
    assert (run.workspace, run.message, run.summary) == ("a" * 64, "Done.", "A poster.")
    assert run.sandbox == "sandbox-1"
    assert (run.resources["cpu_seconds"], run.resources["peak_memory"]) == (1.5, 2)
    assert run.started is not None
    assert run.ended is not None
    assert run.started <= run.ended


def test_a_file_saved_twice_in_a_run_is_one_version_the_later_one(run: Run) -> None:
    save(run, "poster.svg", b"<svg/>")
    digest = save(run, "poster.svg", b"<svg></svg>")
    artifact = Artifact.objects.get()
    assert artifact.latest is not None
    assert [(version.number, version.digest) for version in artifact.versions.all()] == [
        (1, digest)
    ]


def test_a_file_saved_by_two_runs_is_one_artifact_with_two_versions(run: Run) -> None:
    save(run, "poster.svg", b"<svg/>")
    digest = save(follow_up(run), "poster.svg", b"<svg></svg>")
    artifact = Artifact.objects.get()
    assert (artifact.path, artifact.kind, artifact.version_number) == ("poster.svg", "svg", 2)
    assert artifact.latest is not None
    assert (artifact.latest.digest, artifact.size) == (digest, 11)
    assert [version.number for version in artifact.versions.all()] == [2, 1]


def test_a_removed_file_leaves_the_gallery_and_comes_back_when_saved_again(run: Run) -> None:
    save(run, "draft.png", b"1")
    run.refresh_from_db()
    assert run.claim is not None
    journal.append(run.pk, ArtifactRemoved(path="draft.png"), claim=run.claim)
    assert not Artifact.objects.shown().exists()
    save(run, "draft.png", b"22")
    assert Artifact.objects.shown().get().size == 2


def test_an_event_and_its_artifact_are_written_together_or_not_at_all(
    run: Run, token: uuid.UUID
) -> None:
    impossible = ArtifactSaved(path="a.png", digest="0" * 64, size=-(2**70))
    with pytest.raises((OverflowError, DataError)):
        journal.append(run.pk, impossible, claim=token)
    run.refresh_from_db()
    assert (kinds(run), run.last_seq, Artifact.objects.count()) == ([], 0, 0)


def test_a_path_too_long_for_the_database_is_reported_as_skipped(
    run: Run, token: uuid.UUID
) -> None:
    journal.append(run.pk, ArtifactSaved(path="a" * 4000, digest="0" * 64, size=1), claim=token)
    assert kinds(run) == ["artifact.skipped"]


def test_output_that_is_no_proper_text_is_stored_with_replacements(
    run: Run, token: uuid.UUID
) -> None:
    journal.append(run.pk, printed("a\0b\ud800c"), claim=token)
    assert run.events.get().data["text"] == "a\ufffdb?c"


@given(text=st.text(st.characters(), max_size=50))
def test_whatever_a_command_prints_can_be_stored_and_encoded(text: str) -> None:
    stored = journal.storable({"text": text, "more": [text]})
    assert "\0" not in stored["text"]
    assert stored["text"].encode().decode() == stored["more"][0]


@pytest.mark.django_db(transaction=True)
async def test_nudges_carry_no_data(run: Run) -> None:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(group(run.pk), channel)
    token = await database_sync_to_async(claims.claim)(run.pk)
    append = database_sync_to_async(journal.append)
    for text in ("a secret", "another"):
        await append(run.pk, printed(text), claim=token)
        assert await layer.receive(channel) == {"type": "run.nudge"}


@pytest.mark.django_db(transaction=True)
def test_an_event_is_kept_though_nobody_can_be_nudged(run: Run, settings, caplog) -> None:
    nowhere = {"hosts": ["unix:///nowhere/valkey.sock"]}
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": backend, "CONFIG": nowhere}}
    save(run, "a.txt", b"1")
    assert kinds(run) == ["artifact.saved"]
    assert "No nudge" in caplog.text


def test_only_the_journal_creates_events() -> None:
    root = Path(studio.__file__).parent
    writers = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id="Event")):
                    writers.add(path.relative_to(root))
                case ast.Attribute(
                    value=ast.Attribute(value=ast.Name(id="Event"), attr="objects"), attr=name
                ) if "create" in name or "update" in name or name == "delete":
                    writers.add(path.relative_to(root))
                case ast.Attribute(value=ast.Attribute(attr="events"), attr=name) if name in {
                    "create",
                    "bulk_create",
                    "update",
                    "add",
                    "get_or_create",
                    "delete",
                }:
                    writers.add(path.relative_to(root))
    assert writers == {Path("runs/journal.py")}
    assert Event._meta.label == "runs.Event"
