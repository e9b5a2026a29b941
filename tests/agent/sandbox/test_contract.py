"""What every sandbox promises, asked of each of them alike."""

import os

import pytest

from agent import DockerSandbox, SandboxUnavailable, ToolError
from agent.sandbox import Exited, Printed, Removed, Settled
from agent.sandbox.confinement import Confinement
from agent.testing import MemorySandbox


def workshop():
    return DockerSandbox(Confinement(profile="workshop"))


@pytest.fixture(
    params=[
        MemorySandbox,
        pytest.param(DockerSandbox, marks=pytest.mark.engine),
        pytest.param(workshop, marks=pytest.mark.engine),
    ]
)
def make(request):
    return request.param


@pytest.fixture
def sandbox(make):
    with make() as sandbox:
        yield sandbox


def run(sandbox, command, timeout=20.0):
    """What a command printed, and how it ended."""
    items = list(sandbox.run(command, timeout))
    printed = b"".join(item.data for item in items if isinstance(item, Printed))
    assert [item for item in items if isinstance(item, Exited)] == [items[-1]]
    return printed, items[-1]


def test_a_command_prints_and_exits(sandbox):
    assert run(sandbox, "echo hello") == (b"hello\n", Exited(0))
    assert run(sandbox, "false") == (b"", Exited(1))
    assert run(sandbox, "nonesuch")[1] == Exited(127)


def test_exit_is_survived_and_told(sandbox):
    assert run(sandbox, "exit 3")[1] == Exited(3, shell_restarted=True)
    assert run(sandbox, "echo on")[0] == b"on\n"


def test_a_command_that_takes_too_long_is_ended(sandbox):
    assert run(sandbox, "sleep 60", 0.3)[1] == Exited(124, timed_out=True)


def test_a_command_whose_iterator_is_closed_is_ended_and_the_next_one_runs(sandbox):
    commands = sandbox.run("sleep 60", 60)
    assert next(commands) is None
    commands.close()
    assert run(sandbox, "echo next")[0] == b"next\n"


def test_a_nul_byte_is_refused(sandbox):
    with pytest.raises(ToolError, match="NUL"):
        run(sandbox, "echo \0")


def test_files_are_written_read_streamed_and_listed(sandbox):
    data = os.urandom(700_000)
    assert sandbox.write("/workspace/d/e/x.bin", [data[:100], data[100:]]) == len(data)
    assert sandbox.read("/workspace/d/e/x.bin", 1 << 30) == data
    assert sandbox.read("/workspace/d/e/x.bin", 10) == data[:10]
    assert b"".join(sandbox.stream("/workspace/d/e/x.bin", len(data))) == data
    assert [(e.path, e.size, e.is_dir) for e in sandbox.list("/workspace/d")] == [
        ("/workspace/d/e", 0, True),
        ("/workspace/d/e/x.bin", len(data), False),
    ]


def test_a_stream_over_its_limit_is_refused_and_the_sandbox_goes_on(sandbox):
    sandbox.write("/workspace/x", [b"z" * 3_000_000])
    with pytest.raises(ToolError, match="limit of 1000 bytes"):
        list(sandbox.stream("/workspace/x", 1000))
    assert run(sandbox, "echo on")[0] == b"on\n"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/etc/passwd", "outside /workspace"),
        ("/workspace/../etc/passwd", "outside /workspace"),
        ("/workspace/none", "does not exist"),
        ("/workspace/output", "is a folder"),
    ],
)
def test_reading_what_is_not_a_file_of_the_workspace_says_why(sandbox, path, why):
    with pytest.raises(ToolError, match=why):
        sandbox.read(path, 10)


def test_a_folder_cannot_be_written_as_a_file(sandbox):
    with pytest.raises(ToolError, match="is a folder"):
        sandbox.write("/workspace/output", [b"x"])


def test_a_removed_file_is_gone_and_a_folder_is_refused(sandbox):
    sandbox.write("/workspace/d/x", [b"x"])
    sandbox.remove("/workspace/d/x")
    for path, why in (("/workspace/d/x", "does not exist"), ("/workspace/output", "is a folder")):
        with pytest.raises(ToolError, match=why):
            sandbox.remove(path)


def test_what_it_used_is_told(sandbox):
    sandbox.write("/workspace/x", [b"x" * 100_000])
    assert sandbox.usage().disk >= 100_000


def test_files_of_the_output_folder_are_noticed_once_and_when_they_go(sandbox):
    run(sandbox, "echo data > /workspace/output/a.txt; echo note > /workspace/b.txt")
    assert sandbox.notices() == [Settled("a.txt", 5)]
    assert sandbox.settle() == []
    run(sandbox, "rm /workspace/output/a.txt")
    assert sandbox.notices() == [Removed("a.txt")]


def test_taking_files_while_a_command_prints_takes_nothing_from_its_output(sandbox):
    steps = "; ".join(f"echo {n}; echo {n} > /workspace/output/{n}" for n in range(300))
    printed, noticed = b"", []
    for item in sandbox.run(steps, 20):
        for notice in sandbox.notices():
            noticed.append(notice)
            assert sandbox.read(f"/workspace/output/{notice.path}", 9).split() == [
                notice.path.encode()
            ]
        printed += item.data if isinstance(item, Printed) else b""
    assert printed.split() == [str(n).encode() for n in range(300)]
    assert isinstance(item, Exited)
    assert {notice.path for notice in [*noticed, *sandbox.notices()]} == set(map(str, range(300)))


def test_a_saved_workspace_is_restored_elsewhere_without_the_inputs(sandbox, make):
    run(sandbox, "echo data > /workspace/output/a.txt; echo note > /workspace/b.txt")
    saved = list(sandbox.save(1 << 20))
    with make() as other:
        other.restore(saved)
        assert run(other, "cat /workspace/b.txt")[0] == b"note\n"
        assert other.settle() == [Settled("a.txt", 5)]
        with pytest.raises(ToolError, match="cannot be unpacked"):
            other.restore([b"not an archive"])


def test_a_workspace_over_its_limit_is_not_saved(sandbox):
    sandbox.write("/workspace/x", [os.urandom(100_000)])
    with pytest.raises(ToolError, match="limit of 1000 bytes"):
        list(sandbox.save(1000))


def test_a_docker_sandbox_says_when_it_was_not_started():
    with pytest.raises(SandboxUnavailable, match="not been started"):
        DockerSandbox().notices()
