"""The real container: what bash, the kernel and hostile files do to it."""

import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent import DockerSandbox, SandboxUnavailable, ToolError
from agent.sandbox import Exited, Printed, Settled
from agent.sandbox.confinement import Confinement
from agent.sandbox.docker import INSTALLATION_LABEL, RUN_LABEL
from agent.sandbox.facts import limits_enforced
from agent.sandbox.orphans import reap
from sandbox_image import image_tag

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def sandbox():
    with DockerSandbox() as sandbox:
        yield sandbox


@pytest.fixture(autouse=True)
def clean(sandbox):
    yield
    run(sandbox, "cd /workspace; rm -rf output/* output/.[a-z]*")
    sandbox.settle()


def run(sandbox, command, timeout=20.0):
    """What a command printed, as text, and how it ended."""
    items = list(sandbox.run(command, timeout))
    printed = b"".join(item.data for item in items if isinstance(item, Printed))
    return printed.decode("utf-8", "replace"), items[-1]


def test_the_shell_keeps_its_folder_variables_functions_and_jobs(sandbox):
    run(sandbox, "cd /tmp; X=5; f() { echo f $X; }; sleep 60 & JOB=$!")
    assert run(sandbox, 'f; pwd; kill -0 $JOB && echo "runs"; kill $JOB')[0] == "f 5\n/tmp\nruns\n"


def test_several_lines_quotes_and_here_documents(sandbox):
    command = "X='it''s'\nfor i in 1 2; do\n  echo \"$i $X\"\ndone\ncat <<'EOF'\n$X !! `no`\nEOF"
    assert run(sandbox, command)[0] == "1 its\n2 its\n$X !! `no`\n"


@pytest.mark.parametrize(
    ("command", "printed", "end"),
    [
        ('echo "unbalanced', "unexpected EOF", Exited(2)),
        ("exec 1>&-", "", Exited(0)),
        ("exec nonesuch", "not found", Exited(127)),
        ("set -u; echo $NONE; echo never", "unbound variable", Exited(1)),
        ("set -e; false; echo never", "", Exited(1, shell_restarted=True)),
        ("kill -9 $$", "", Exited(137, shell_restarted=True)),
        ("cat; read x; echo $?", "1\n", Exited(0)),
        ("python3 -c 'import os; os.kill(os.getpid(), 11)'", "", Exited(139)),
        ("kill -9 1; kill -TERM 1; echo alive", "alive", Exited(0)),
    ],
)
def test_whatever_a_command_does_to_the_shell_the_next_one_runs(sandbox, command, printed, end):
    text, ended = run(sandbox, command)
    assert printed in text
    assert "never" not in text
    assert ended == end
    assert run(sandbox, "echo on") == ("on\n", Exited(0))


@pytest.mark.parametrize(
    "command",
    [
        "while :; do sleep 0.1; done",
        "while :; do :; done",
        "setsid nohup sleep 98765 >/dev/null 2>&1 & sleep 98765",
        "python3 -c 'import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(98765)'",
    ],
)
def test_a_timeout_ends_all_that_the_command_started_and_keeps_the_shell(sandbox, command):
    run(sandbox, "KEPT=yes")
    printed, ended = run(sandbox, f"echo before; {command}", 0.5)
    assert printed.startswith("before\n")
    assert ended == Exited(124, timed_out=True)
    assert run(sandbox, "echo $KEPT; pgrep -fc '[9]8765'")[0] == "yes\n0\n"


def test_a_shell_that_cannot_be_interrupted_is_started_again_in_its_folder(sandbox):
    run(sandbox, "cd /tmp")
    _, ended = run(sandbox, "trap '' INT; while :; do :; done", 0.3)
    assert ended == Exited(124, timed_out=True, shell_restarted=True)
    assert run(sandbox, "pwd")[0] == "/tmp\n"


def test_jobs_of_earlier_commands_outlive_the_timeout_of_a_later_one(sandbox):
    run(sandbox, "sleep 77 & EARLIER=$!")
    run(sandbox, "sleep 60", 0.3)
    assert run(sandbox, "kill -0 $EARLIER && echo runs; kill $EARLIER")[0] == "runs\n"


def test_output_without_end_is_bounded_and_its_last_lines_kept(sandbox):
    printed, ended = run(sandbox, "yes | head -c 50000000; echo; echo the end")
    assert ended.code == 0
    assert len(printed) < 3_000_000
    assert "bytes of output left out" in printed
    assert printed.endswith("the end\n")


def test_output_comes_while_the_command_runs(sandbox):
    command = sandbox.run("echo first; sleep 1; echo second", 20)
    items = [item for item in command if item is not None]
    assert items == [Printed(b"first\n"), Printed(b"second\n"), Exited(0)]


def test_a_command_of_two_megabytes_runs(sandbox):
    assert run(sandbox, f"X={'x' * 2_000_000}; echo ${{#X}}")[0] == "2000000\n"


def test_a_file_is_noticed_while_the_command_still_runs(sandbox):
    noticed = []
    command = sandbox.run("echo data > output/a.txt; sleep 2; echo end", 20)
    for item in command:
        noticed += sandbox.notices()
        if noticed:
            assert not isinstance(item, Exited)
            break
    command.close()
    assert noticed == [Settled("a.txt", 5)]


def test_a_file_that_is_still_open_is_not_noticed_until_it_is_closed(sandbox):
    run(sandbox, "exec 9> output/slow.txt; echo half >&9")
    time.sleep(0.5)
    assert sandbox.notices() == []
    run(sandbox, "echo whole >&9; exec 9>&-")
    assert sandbox.notices() == [Settled("slow.txt", 11)]


def test_files_in_folders_and_renamed_into_place_are_noticed(sandbox):
    run(sandbox, "mkdir -p output/a/b; echo x > output/a/b/c; echo y > new; mv new output/d")
    assert sorted(notice.path for notice in sandbox.notices()) == ["a/b/c", "d"]


def test_inputs_cannot_be_written_by_mistake_and_a_full_disk_is_told():
    with DockerSandbox(Confinement(workspace=64 << 20)) as sandbox:
        sandbox.write("/workspace/input/a.txt", [b"given"], read_only=True)
        assert "Permission denied" in run(sandbox, "echo x > input/a.txt")[0]
        with pytest.raises(ToolError, match="is full"):
            sandbox.write("/workspace/big", (b"z" * (1 << 20) for _ in range(80)))
        assert run(sandbox, "ls big; df --output=pcent /workspace | tail -1")[0].endswith(" 1%\n")


def test_the_guest_cannot_be_seen_into_from_inside(sandbox):
    assert "Permission denied" in run(sandbox, "ls /proc/1/fd")[0]
    assert "Permission denied" in run(sandbox, "cat /proc/1/environ")[0]


def test_leaving_removes_the_container_and_so_does_losing_the_stream(engine):
    with DockerSandbox() as sandbox:
        name = sandbox.name
        assert engine.containers.get(name).status == "running"
    assert engine.containers.list(all=True, filters={"name": name}) == []

    abandoned = DockerSandbox()
    abandoned.__enter__()
    abandoned._channel.close()
    for _ in range(50):
        if not engine.containers.list(all=True, filters={"name": abandoned.name}):
            return
        time.sleep(0.1)
    pytest.fail("the container outlived its stream")


def test_many_that_leave_at_once_leave_nothing(engine, installation):
    def come_and_go(_):
        with DockerSandbox(installation=installation) as sandbox:
            name = sandbox.name
        return names(engine, installation) & {name}

    with ThreadPoolExecutor(6) as threads:
        assert set().union(*threads.map(come_and_go, range(30))) == set()


def test_a_container_killed_from_outside_is_told_and_leaving_is_quiet(engine):
    with DockerSandbox() as sandbox:
        command = sandbox.run("sleep 60", 60)
        next(command)
        engine.containers.get(sandbox.name).kill()
        with pytest.raises(SandboxUnavailable, match="ended unexpectedly"):
            for _ in command:
                pass


@pytest.fixture
def installation():
    """A name that no other containers have."""
    name = uuid.uuid4().hex
    yield name
    reap(name)


def names(engine, installation):
    label = f"{INSTALLATION_LABEL}={installation}"
    found = engine.api.containers(all=True, filters={"label": label})
    return {item["Names"][0].removeprefix("/") for item in found}


def created(engine, installation):
    """A container that was made and not started."""
    labels = {INSTALLATION_LABEL: installation, RUN_LABEL: ""}
    return engine.containers.create(image_tag(), labels=labels).name


def test_the_reaper_removes_our_containers_but_not_those_of_active_runs_or_others(
    engine, installation
):
    other = uuid.uuid4().hex
    with (
        DockerSandbox(installation=installation, run="active") as active,
        DockerSandbox(installation=installation, run="over"),
        DockerSandbox(installation=other, run="over") as foreign,
    ):
        assert reap(installation, lambda: {"active"}) == 1
        assert names(engine, installation) == {active.name}
        assert names(engine, other) == {foreign.name}


def test_the_reaper_leaves_containers_that_wait_for_a_run_or_are_being_started(
    engine, installation
):
    starting = created(engine, installation)
    with DockerSandbox(installation=installation) as waiting:
        assert reap(installation, set) == 0
        assert names(engine, installation) == {waiting.name, starting}


def test_the_reaper_takes_a_container_for_lost_that_waits_too_long(
    engine, installation, monkeypatch
):
    starting = created(engine, installation)
    with DockerSandbox(installation=installation) as waiting:
        monkeypatch.setattr("agent.sandbox.orphans.STARTING_SECONDS", 0.0)
        assert reap(installation, set) == 1
        assert names(engine, installation) == {waiting.name}
        monkeypatch.setattr("agent.sandbox.orphans.WAITING_SECONDS", 0.0)
        assert reap(installation, lambda: {waiting.name}) == 0
        assert reap(installation, lambda: {starting}) == 1
        assert names(engine, installation) == set()


def test_the_reaper_asks_for_the_active_runs_after_it_has_looked(engine, installation):
    late = DockerSandbox(installation=installation, run="late")

    def begins():
        late.__enter__()
        return set()

    with DockerSandbox(installation=installation, run="over"):
        try:
            assert reap(installation, begins) == 1
            assert names(engine, installation) == {late.name}
        finally:
            late.__exit__()


def test_who_names_no_active_runs_wants_everything_removed(engine, installation):
    created(engine, installation)
    with DockerSandbox(installation=installation), DockerSandbox(installation=installation):
        assert reap(installation) == 3
        assert names(engine, installation) == set()


def test_this_engine_can_limit_what_a_confinement_limits():
    assert limits_enforced() == dict.fromkeys(
        ["system calls", "memory", "swap", "processes", "CPU"], True
    )


def test_a_missing_image_and_a_missing_engine_say_what_to_do(monkeypatch):
    with pytest.raises(SandboxUnavailable, match="scripts/build-image"):
        DockerSandbox(image="sandbox-studio/none:none").__enter__()
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent.sock")
    with pytest.raises(SandboxUnavailable, match="No container engine answers"):
        DockerSandbox().__enter__()


def test_an_image_of_another_protocol_is_refused(monkeypatch):
    monkeypatch.setattr("agent.sandbox.guest.PROTOCOL", 99)
    with pytest.raises(
        SandboxUnavailable, match=r"speaks protocol \d+, this program 99.*scripts/build-image"
    ):
        DockerSandbox().__enter__()
