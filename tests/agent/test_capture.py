"""Files on their way out, as a hostile sandbox gives them: whole, counted, inside their folder."""

import contextlib
import json
import os
import socket
import threading
import uuid
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agent import (
    Agent,
    DirectoryStore,
    DockerSandbox,
    Limits,
    SandboxUnavailable,
    ToolError,
)
from agent.capture import Capture, printable
from agent.cli.folder import RECORDS, Folder
from agent.events import ArtifactRemoved, ArtifactSaved, ArtifactSkipped, Reason
from agent.sandbox import OUTPUT, Removed, Settled, Skipped
from agent.sandbox.channel import Channel
from agent.sandbox.guest import GuestSandbox, _notice
from agent.testing import MemorySandbox, ScriptedModel, bash, submit
from sandbox_image.guest import files, watch
from sandbox_image.guest.protocol import Decoder, Kind, pack

HOSTILE = [
    "new\nline.txt",
    "-rf",
    "\u202egnp.exe",
    "<img src=x onerror=alert(1)>.png",
    '"><script>alert(1)</script>.html',
    "a" * 251 + ".txt",
    "音" * 85,
    "\udcff\udcfe.txt",
    "\udcff" * 255,
    "run.jsonl",
    "%2e%2e%2fescape.txt",
    "{{ 7 * 7 }}{% debug %}",
    "\x1b[2J\x07.txt",
    " ",
    "\\..\\..\\windows.txt",
    "C:evil.txt",
    "a?b#c&d;e=f.txt",
    "e\u0301.txt",
    "\u2028.json",
    "-/all.zip",
]
IMPOSSIBLE = [
    "../escape.txt",
    "a/../../escape.txt",
    "/etc/passwd",
    "..",
    ".",
    "",
    "a//b",
    "a/",
    ".bashrc",
    ".ssh/authorized_keys",
    "a\0/../b",
    "\ud800.txt",
    "x" * 4096,
    "/".join(["d"] * 300),
]
NAMES = st.lists(st.text(min_size=1, max_size=80), max_size=6)
examined = settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


class Hostile(MemorySandbox):
    """Reports files under whatever names it is given, possible or not; each has its own bytes."""

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self.content = {name: f"bytes of {number}".encode() for number, name in enumerate(names)}
        self._untold = [Settled(name, len(data)) for name, data in self.content.items()]

    def notices(self):
        told, self._untold = self._untold, []
        return told

    def stream(self, path, limit):
        yield self.content[path.removeprefix(f"{OUTPUT}/")]


class GuestFiles(MemorySandbox):
    """The guest's own watching and reading, in a folder of this machine."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._watcher = watch.Watcher(str(root / "output"))

    def __exit__(self, *exc):
        os.close(self._watcher.descriptor)

    def notices(self):
        return [_notice(json.loads(json.dumps(told))) for told in self._watcher.settle()]

    def stream(self, path, limit):
        return files.read(path.removeprefix("/workspace/"), limit)


def taken(sandbox, store, limits=None):
    """The events of all that the sandbox reports."""
    return list(Capture(sandbox, store, limits or Limits()).take(sandbox.notices()))


def everything(folder):
    return {path for path in folder.rglob("*") if path.is_file() or path.is_symlink()}


def check_delivery(events, store, folder, *, distinct=True):
    """What the command line makes of the events: every file inside its folder, with its bytes."""
    saved = [event for event in events if isinstance(event, ArtifactSaved)]
    (folder / "made").mkdir(parents=True)
    for record in RECORDS:
        (folder / "made" / record).write_text("the record")
    delivery = Folder(folder / "made", store)
    for event in events:
        delivery.take(event)
    made = everything(folder / "made")
    assert everything(folder) == made
    assert all((folder / "made" / record).read_text() == "the record" for record in RECORDS)
    found = [path.read_bytes() for path in made if path.name not in RECORDS]
    kept = [b"".join(store.open(event.digest)) for event in saved]
    assert set(found) == set(kept)
    assert len(found) == len(kept) or not distinct


@examined
@given(NAMES)
@example(HOSTILE)
@example(IMPOSSIBLE)
@example(["a", "a/b"])
@example(["a/b", "a"])
def test_whatever_a_sandbox_calls_its_files_they_stay_in_their_folder(tmp_path, names):
    room = tmp_path / uuid.uuid4().hex
    store = DirectoryStore(room / "blobs")
    sandbox = Hostile(names)
    events = taken(sandbox, store)

    assert len(events) == len(sandbox.content)
    labels = [event.path for event in events if isinstance(event, ArtifactSaved)]
    assert len(set(labels)) == len(labels)
    for name, event in zip(sandbox.content, events, strict=True):
        assert event.path == printable(name)
        assert json.dumps(event.data(), ensure_ascii=False).encode().splitlines()
        if isinstance(event, ArtifactSaved):
            assert b"".join(store.open(event.digest)) == sandbox.content[name]
            assert not {"", ".", ".."} & set(event.path.split("/"))
        else:
            assert isinstance(event, ArtifactSkipped)
    check_delivery(events, store, room / "disk")


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_a_possible_name_is_saved(name, store):
    (event,) = taken(Hostile([name]), store)
    assert isinstance(event, ArtifactSaved)


@pytest.mark.parametrize("name", IMPOSSIBLE[:11], ids=range(11))
def test_a_name_that_leads_elsewhere_is_skipped(name, store):
    (event,) = taken(Hostile([name]), store)
    assert isinstance(event, ArtifactSkipped)
    assert not store.root.exists()


def test_files_that_look_alike_do_not_replace_each_other(store):
    sandbox = Hostile(["\udcff.txt", "\udcfe.txt"])
    first, second = taken(sandbox, store)
    assert isinstance(first, ArtifactSaved)
    assert isinstance(second, ArtifactSkipped)
    assert "looks like that of another file" in second.why

    capture = Capture(sandbox, store, Limits())
    list(capture.take([Settled("\udcff.txt", 1)]))
    assert list(capture.take([Removed("\udcfe.txt")])) == []
    assert list(capture.take([Removed("\udcff.txt")])) == [ArtifactRemoved(path="�.txt")]


def test_why_a_file_is_skipped_is_one_printable_line(store):
    class Refusing(MemorySandbox):
        def stream(self, path, limit):
            raise ToolError("\x1b[1m\udcff")
            yield

    notices = [Skipped("\udcff\n", "\x1b[1m\udcff"), Settled("\udcff\n", 1)]
    events = list(Capture(Refusing(), store, Limits()).take(notices))
    assert events == [ArtifactSkipped(path="��", why="�[1m�")] * 2


def test_the_command_line_itself_keeps_every_label_inside_its_folder(store, tmp_path):
    blob = store.put([b"x"])
    labels = {printable(name) for name in HOSTILE + IMPOSSIBLE}
    saved = [ArtifactSaved(path=label, digest=blob.digest, size=1) for label in sorted(labels)]
    check_delivery(saved, store, tmp_path / "disk", distinct=False)


FILE_NAMES = st.binary(min_size=1, max_size=255).map(
    lambda name: name.replace(b"\0", b"0").replace(b"/", b"_")
)


@examined
@given(st.sets(FILE_NAMES.filter(lambda name: name not in {b".", b".."}), max_size=5))
@example({os.fsencode(name) for name in HOSTILE if "/" not in name})
@example({b"\xff" * 255, b"\xfe" * 255, b"\n" * 255})
def test_files_of_any_name_on_a_real_disk_come_out(tmp_path, monkeypatch, names):
    room = tmp_path / uuid.uuid4().hex
    store = DirectoryStore(room / "blobs")
    (room / "output").mkdir(parents=True)
    monkeypatch.setattr(files, "ROOT", str(room))
    for name in names:
        Path(os.fsdecode(os.fsencode(room / "output") + b"/" + name)).write_bytes(name)
    with GuestFiles(room) as sandbox:
        events = taken(sandbox, store)

    shown = {name for name in names if not name.startswith(b".") and name != b"__pycache__"}
    assert len(events) == len(shown)
    saved = {b"".join(store.open(e.digest)) for e in events if isinstance(e, ArtifactSaved)}
    assert saved <= shown
    assert len(saved) == len({printable(os.fsdecode(name)) for name in shown})
    check_delivery(events, store, room / "disk")


class Counting(DirectoryStore):
    """Knows how many bytes it was given, kept or not, and calls `midway` after the first ones."""

    def __init__(self, root, midway=lambda: None):
        super().__init__(root)
        self.given = 0
        self._midway = midway

    def put(self, chunks, *, instead_of=None):
        def counted():
            for number, chunk in enumerate(chunks):
                self.given += len(chunk)
                if number == 0:
                    self._midway()
                yield chunk

        return super().put(counted(), instead_of=instead_of)


def test_a_file_without_end_is_cut_off_as_its_bytes_are_counted(tmp_path):
    """A guest that is asked for little and sends more."""
    ours, theirs = socket.socketpair()
    limit, sent = 1 << 20, 64 << 20

    def lie():
        decoder, asked = Decoder(), []
        while not asked:
            asked = decoder.feed(theirs.recv(1 << 16))
        number = asked[0][1]
        with contextlib.suppress(OSError):
            for _ in range(sent >> 16):
                theirs.sendall(pack(Kind.DATA, number, bytes(1 << 16)))

    class Wire:
        fileno, close = ours.fileno, ours.close

        def send(self, data):
            return ours.send(data)

        def receive(self):
            return ours.recv(1 << 16)

    sandbox = GuestSandbox()
    sandbox._open_channel = Channel(Wire())
    liar = threading.Thread(target=lie)
    liar.start()
    store = Counting(tmp_path / "blobs")
    capture = Capture(sandbox, store, Limits(artifact_bytes=limit))
    with pytest.raises(SandboxUnavailable, match="more than it was asked for"):
        list(capture.take([Settled("endless.bin", 5)]))
    ours.close()
    liar.join(30)
    theirs.close()

    assert store.given <= limit
    assert everything(tmp_path) == set()


@pytest.mark.engine
def test_sparse_files_are_cut_off_as_their_bytes_are_counted(tmp_path):
    make = "cd output; truncate -s 10G huge.bin; truncate -s 1900M sparse.bin; echo small > a.txt"
    store = Counting(tmp_path / "blobs")
    limits = Limits(artifact_bytes=8 << 20, workspace_bytes=8 << 20)
    # Of the one that the disk has no room for it is told that it is empty.
    model = ScriptedModel([bash(make), submit("Done."), submit("Done.")])
    run = Agent(model, DockerSandbox(), store, limits)
    events = list(run.run("Fill the disk."))

    (skipped,) = [e for e in events if isinstance(e, ArtifactSkipped) and e.path == "sparse.bin"]
    assert "more than the limit" in skipped.why
    assert "a.txt" in [event.path for event in events if isinstance(event, ArtifactSaved)]
    assert events[-1].reason is Reason.SUBMITTED
    assert store.given < 64 << 20
    assert sum(path.stat().st_size for path in everything(tmp_path)) < 8 << 20


@pytest.mark.engine
def test_a_container_killed_while_a_file_is_copied_leaves_nothing_of_it(tmp_path, engine):
    sandbox = DockerSandbox()
    # In a thread: the engine waits for somebody to take what the container has said.
    killer = threading.Thread(target=lambda: engine.containers.get(sandbox.name).kill())
    store = Counting(tmp_path / "blobs", midway=killer.start)
    make = bash("truncate -s 1000M output/big.bin")
    events = list(Agent(ScriptedModel([make, submit("ok")]), sandbox, store).run("Big."))
    killer.join(60)

    assert events[-1].reason is Reason.SANDBOX_UNAVAILABLE
    assert 0 < store.given < 1000 << 20
    assert not [event for event in events if isinstance(event, ArtifactSaved)]
    assert everything(tmp_path) == set()


def test_a_file_that_cannot_be_read_to_its_end_leaves_nothing(store):
    class Torn(MemorySandbox):
        def stream(self, path, limit):
            yield b"half"
            raise OSError(5, "Input/output error")

    with pytest.raises(Exception, match="could not be stored"):
        list(Capture(Torn(), store, Limits()).take([Settled("a.txt", 8)]))
    assert everything(store.root) == set()
