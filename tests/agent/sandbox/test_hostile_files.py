"""Files that mean harm: on their way out, in an archive on its way in, and while they change."""

import contextlib
import gzip
import io
import os
import signal
import tarfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent import DockerSandbox, SandboxUnavailable, ToolError
from agent.errors import FileChanged
from agent.sandbox import Removed, Settled, Skipped
from agent.sandbox.confinement import Confinement
from tests.agent.sandbox.commands import output

pytestmark = pytest.mark.engine

MB = 1 << 20
SMALL = Confinement(workspace=64 * MB)


@pytest.fixture(scope="module")
def sandbox():
    with DockerSandbox(SMALL) as sandbox:
        yield sandbox


@pytest.fixture(autouse=True)
def clean(sandbox):
    yield
    output(sandbox, "cd /workspace; chmod -R u+rwX .; rm -rf output/* output/.[a-z]* [a-hj-np-z]*")
    sandbox.settle()


SWAPS = {
    "a file and a link to a file": (
        10_000,
        "while :; do echo mine > t; mv t x; ln -s /etc/debian_version t; mv t x; done",
        "x",
    ),
    "a folder and a link to a folder": (
        2_000,
        (
            "mkdir real; echo mine > real/debian_version; ln -s /etc link;"
            "while :; do mv -T real x; mv -T x real; mv -T link x; mv -T x link; done"
        ),
        "x/debian_version",
    ),
}


@pytest.mark.parametrize("swap", SWAPS)
def test_of_thousands_of_copies_during_a_swap_none_is_a_file_of_the_system(sandbox, swap):
    copies, script, path = SWAPS[swap]
    output(sandbox, f"cd output; ({script}) >/dev/null 2>&1 & SWAP=$!")
    seen = set()
    for _ in range(copies):
        try:
            seen.add(sandbox.read(f"/workspace/output/{path}", 1000))
        except ToolError:
            seen.add(None)
    output(sandbox, "kill $SWAP")
    assert seen <= {b"mine\n", None}
    assert len(seen) > 1


def test_links_of_every_kind_are_named_and_never_followed(sandbox):
    output(
        sandbox,
        "cd output; ln -s /etc/passwd file; ln -s /etc folder; ln -s a b; ln -s b a;"
        "ln -s /proc/self/environ environ; ln -s /proc/1/root root; ln -s ../../etc up;"
        "ln -s /dev/zero zero; mkdir d; ln -s /etc/shadow d/e",
    )
    notices = sandbox.settle()
    assert {n.path for n in notices} == {
        *("file", "folder", "a", "b", "environ", "root", "up", "zero", "d/e")
    }
    for notice in notices:
        assert isinstance(notice, Skipped)
        assert "symbolic link" in notice.why
        with pytest.raises(ToolError, match="symbolic link"):
            sandbox.read(f"/workspace/output/{notice.path}", 10)


def test_pipes_and_sockets_are_named_and_reading_them_never_waits(sandbox):
    bind = "import socket; socket.socket(socket.AF_UNIX).bind('s')"
    output(sandbox, f'cd output; mkfifo p q; python3 -c "{bind}"; (echo x > p) & WRITER=$!')
    assert {n.path: n.why for n in sandbox.settle()} == {
        "p": "it is a pipe, not a regular file",
        "q": "it is a pipe, not a regular file",
        "s": "it is a socket, not a regular file",
    }
    for path in ("p", "q", "s"):
        with pytest.raises(ToolError, match="not a regular file"):
            sandbox.read(f"/workspace/output/{path}", 10)
    output(sandbox, "kill $WRITER")


def read_again_and_again(sandbox, path):
    for _ in range(1000):
        for _ in sandbox.stream(path, 64 * MB):
            pass


def test_a_file_that_changes_while_it_is_read_is_told_and_settles_later(sandbox):
    output(sandbox, "head -c 60M /dev/zero > output/x")
    sandbox.settle()
    output(sandbox, "(sleep 0.2; while :; do echo more >> output/x; done) & WRITER=$!")
    with pytest.raises(FileChanged):
        read_again_and_again(sandbox, "/workspace/output/x")
    output(sandbox, "kill $WRITER")
    assert [notice.path for notice in sandbox.settle() or sandbox.notices()] in ([], ["x"])


# NUL and the slash are what no name can hold; everything else can.
NAMES = st.binary(min_size=1, max_size=60).filter(
    lambda name: not set(name) & {0, 47} and name not in (b".", b"..") and name[:1] != b"."
)
EVIL = [b"new\nline", b"-rf", b"--", b"$(reboot)", b"<img onerror=1>", "\u202etxt.exe".encode()]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(NAMES | st.sampled_from(EVIL))
def test_any_name_is_told_as_it_is_and_can_be_read_back(sandbox, raw):
    name = os.fsdecode(raw)
    sandbox.write(f"/workspace/output/{name}", [raw])
    assert Settled(name, len(raw)) in sandbox.settle()
    assert sandbox.read(f"/workspace/output/{name}", 100) == raw
    os_name = raw.replace(b"'", b"'\\''")
    output(sandbox, os.fsdecode(b"rm -- output/'" + os_name + b"'"))
    assert Removed(name) in sandbox.notices()


def archive(*members, data=b"evil\n"):
    """A gzipped tar of members that `save` would never write."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for member in members:
            member.size = len(data) if member.isreg() else 0
            tar.addfile(member, io.BytesIO(data) if member.isreg() else None)
    return [buffer.getvalue()]


def member(name, kind=tarfile.REGTYPE, target="", mode=0o644):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, target, mode
    return info


HOSTILE = {
    "an absolute name": [member("/tmp/evil")],
    "a name that leads up": [member("../tmp/evil")],
    "a link out, then a file through it": [
        member("out", tarfile.SYMTYPE, "/tmp"),
        member("out/evil"),
    ],
    "a link up, then a file through it": [
        member("d/out", tarfile.SYMTYPE, "../../tmp"),
        member("d/out/evil"),
    ],
    "a link to a link out": [
        member("a", tarfile.SYMTYPE, "b"),
        member("b", tarfile.SYMTYPE, "../tmp"),
        member("a/evil"),
    ],
    "a hard link to a file of the system": [member("evil", tarfile.LNKTYPE, "/etc/passwd")],
    "a device": [member("evil", tarfile.CHRTYPE)],
    "a pipe": [member("output/evil", tarfile.FIFOTYPE)],
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_leaves_nothing_outside(sandbox, what):
    with contextlib.suppress(ToolError):
        sandbox.restore(archive(*HOSTILE[what], member("output/good")))
    assert output(sandbox, "ls /tmp/evil 2>/dev/null") == ""
    assert output(sandbox, "stat -c %F evil output/evil 2>/dev/null") in ("", "regular file\n")
    assert "root:" not in output(sandbox, "cat evil 2>/dev/null")
    assert output(sandbox, "echo next") == "next\n"


def test_an_archive_gives_nobody_rights(sandbox):
    sandbox.restore(archive(member("suid", mode=0o6777)))
    assert output(sandbox, "stat -c %a suid") == "755\n"


def test_an_archive_that_unpacks_to_more_than_the_disk_is_refused_and_the_shell_goes_on(sandbox):
    bomb = io.BytesIO()
    with gzip.open(bomb, "wb", compresslevel=1) as packed:
        header = member("bomb")
        header.size = 1 << 30
        packed.write(header.tobuf())
        for _ in range(1 << 10):
            packed.write(bytes(MB))
    with pytest.raises(ToolError, match="is full"):
        sandbox.restore([bomb.getvalue()])
    assert output(sandbox, "rm -f bomb; echo next") == "next\n"


def test_a_workspace_is_kept_whole_whatever_lies_in_it():
    with DockerSandbox(SMALL) as first:
        output(
            first,
            "echo data > a; ln a hard; ln -s a soft; mkdir -p d/e empty .cache .logs input2;"
            "echo x > d/e/'new\nline'; echo x > .cache/left; chmod +x a; mkfifo pipe;"
            "echo secret > closed; chmod 0 closed; mkdir shut; chmod 0 shut;"
            "truncate -s 30M sparse; (while :; do date > growing; done) &"
            "(while :; do seq 99999 > churning; done) & sleep 0.3",
        )
        saved = list(first.save(64 * MB))
    with DockerSandbox(SMALL) as second:
        second.restore(saved)
        assert output(second, "cat a hard soft d/e/*; stat -c %A a; stat -c %s sparse; ls -A") == (
            "data\ndata\ndata\nx\n-rwxr-xr-x\n31457280\n"
            "a\nchurning\nd\nempty\ngrowing\nhard\ninput\ninput2\noutput\nshut\nsoft\nsparse\n"
        )


def test_a_sandbox_that_ends_while_a_file_streams_says_so(engine):
    with DockerSandbox(SMALL) as sandbox:
        output(sandbox, "head -c 60M /dev/urandom > output/x")
        pieces = sandbox.stream("/workspace/output/x", 64 * MB)
        next(pieces)
        os.kill(engine.containers.get(sandbox.name).attrs["State"]["Pid"], signal.SIGKILL)
        with pytest.raises(SandboxUnavailable):
            for _ in pieces:
                pass
