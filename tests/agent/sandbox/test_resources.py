"""What a command may use up, and that the next one runs and is told what happened."""

import re
import resource
import time

import pytest

from agent import DockerSandbox, Limits, ToolError
from agent.sandbox import Exited, Printed, Settled, Skipped
from agent.sandbox.confinement import Confinement
from agent.tools import Result
from agent.tools.bash import bash_tool

pytestmark = pytest.mark.engine

MB = 1 << 20
SMALL = Confinement(memory=512 * MB, workspace=64 * MB, processes=64)


@pytest.fixture
def sandbox():
    with DockerSandbox(SMALL) as sandbox:
        yield sandbox


def told(sandbox, command, timeout=20.0, **limits):
    """What the model is told of a command."""
    tool = bash_tool(sandbox, Limits(**limits), lambda: 1000.0)
    (result,) = [
        item
        for item in tool.call({"command": command, "timeout": timeout})
        if isinstance(item, Result)
    ]
    return result.text


def test_a_fork_storm_is_told_by_name_and_the_next_commands_run(sandbox):
    with DockerSandbox(SMALL) as other:
        said = told(sandbox, "KEPT=yes; storm() { storm | storm & }; storm")
        assert told(other, "/bin/echo undisturbed") == "undisturbed"
        for _ in range(5):
            said += told(sandbox, "/bin/echo next")
    assert "process limit: no more than 64 processes" in said
    assert told(sandbox, "echo $KEPT; pgrep -c bash") == "yes\n1"


def test_a_storm_that_goes_on_in_the_foreground_is_ended_and_the_next_command_runs(sandbox):
    said = told(sandbox, "while :; do sleep 500 & done", 5)
    assert "process limit" in said
    assert told(sandbox, "/bin/echo next; pgrep -c sleep") == "next\n0\n[exit code 1]"


def test_memory_beyond_the_limit_is_told_by_name_and_costs_the_host_nothing(sandbox):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said = told(sandbox, "python3 -c \"x = b'x' * (4 * 512 << 20)\"")
    assert "[out of memory: a process was killed." in said
    assert "share 512 MB" in said
    assert "[exit code 137: killed]" in said
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 << 10
    assert told(sandbox, "echo next") == "next"


def test_a_shell_that_used_up_the_memory_itself_is_started_again(sandbox):
    said = told(sandbox, 'x=xxxxxxxx; while :; do x="$x$x"; done')
    assert "out of memory" in said
    assert "[the shell itself ended" in said
    assert told(sandbox, "echo next") == "next"


@pytest.mark.parametrize("folder", ["/workspace", "/tmp"])
def test_writing_ten_times_the_quota_fills_the_sandbox_and_not_the_host(sandbox, engine, folder):
    said = told(sandbox, f"dd if=/dev/zero of={folder}/big bs=1M count=1280")
    assert "No space left on device" in said
    assert f"[disk full: nothing more fits into {folder}." in said
    inside = engine.api.inspect_container(sandbox.name)
    changed = engine.api.containers(filters={"id": inside["Id"]}, size=True)[0]
    assert changed.get("SizeRw", 0) < MB
    assert told(sandbox, f"rm {folder}/big; /bin/echo next") == "next"


def test_a_full_disk_does_not_keep_long_commands_from_the_shell(sandbox):
    told(
        sandbox,
        "cat /dev/zero > /workspace/a; cat /dev/zero > /tmp/a; cat /dev/zero > /run/guest/a",
    )
    assert told(sandbox, f"true {'x' * 9000}; echo next").startswith("next\n[disk full")


def test_commands_answer_when_what_the_guest_keeps_is_removed_or_replaced(sandbox):
    told(sandbox, "rm -rf /run/guest/*")
    assert told(sandbox, "echo next") == "next"
    told(sandbox, "cd /run/guest; for n in {1..99}; do ln -sf /workspace/stolen $n; done; rm -f c")
    assert told(sandbox, "echo next") == "next"
    assert told(sandbox, "ls /workspace/stolen 2>/dev/null; echo next") == "next"


def test_a_file_of_more_bytes_than_the_disk_cannot_be_made(sandbox):
    said = told(
        sandbox, "truncate -s 10G output/sparse; python3 -c \"open('f', 'w').truncate(10**10)\""
    )
    assert said.count("File too large") + said.count("File size limit exceeded") >= 1
    assert sandbox.settle() == [] or all(notice.size == 0 for notice in sandbox.notices())


def test_an_artifact_is_counted_as_it_comes_and_refused_beyond_the_limit(sandbox):
    told(sandbox, "truncate -s 60M output/sparse")
    with pytest.raises(ToolError, match="limit of 1000000 bytes"):
        for _ in sandbox.stream("/workspace/output/sparse", 1_000_000):
            pass
    assert told(sandbox, "echo next") == "next"


def test_too_many_files_are_told_and_later_commands_and_sandboxes_do_not_suffer():
    with DockerSandbox() as crowded, DockerSandbox() as other:
        made = told(
            crowded,
            "python3 -c \"for n in range(100_000): open(f'/workspace/output/{n}', 'w').close()\"",
            120,
        )
        assert made == "[no output]"
        notices = [*crowded.notices(), *crowded.settle()]
        assert len([notice for notice in notices if isinstance(notice, Settled)]) == 2000
        assert "there are more than 2000 files" in {
            notice.why for notice in notices if isinstance(notice, Skipped)
        }
        assert told(crowded, "rm -r output; echo next", 60) == "next"
        assert told(other, "echo fine") == "fine"


def test_no_more_files_than_the_workspace_has_room_for(sandbox):
    said = told(
        sandbox,
        "cd /tmp; python3 -c \"for n in range(300_000): open(str(n), 'w').close()\" 2>&1 | tail -1",
        60,
    )
    assert "No space left on device" in said
    assert "[disk full: nothing more fits into /tmp." in said
    assert told(sandbox, "cd; /bin/echo next").startswith("next")


def test_folders_two_hundred_deep_are_walked_only_so_far(sandbox):
    deep = "/".join(["d"] * 200)
    assert told(sandbox, f"mkdir -p output/{deep}; echo x > output/{deep}/x") == "[no output]"
    assert sandbox.settle() == []
    assert told(sandbox, "echo x > output/x; echo next") == "next"
    assert sandbox.notices() == [Settled("x", 2)]
    assert b"".join(sandbox.save(1 << 20))


def test_endless_output_is_stored_only_so_far_and_says_so(sandbox):
    said = told(sandbox, "timeout 3 yes", output_chars=16_000)
    assert len(said) < 17_000
    assert "lines left out …]" in said
    assert "[more of the output is in /workspace/.logs/" in said
    size = int(told(sandbox, "cat .logs/* | wc -c"))
    assert size < 17 * MB


def test_what_is_cut_can_be_searched_in_the_log(sandbox):
    said = told(sandbox, "seq 100000; echo the end >&2")
    assert "\n199\n" in said
    assert "\n50000\n" not in said
    assert said.endswith("sed]")
    log = re.search(r"/workspace/\.logs/\d+\.log", said)[0]
    assert told(sandbox, f"grep -n '^50000$' {log}; tail -1 {log}") == "50000:50000\nthe end"


def test_lines_are_bounded_as_well_as_characters(sandbox):
    said = told(sandbox, "for n in {1..1000}; do echo; done; echo end")
    assert len(said.splitlines()) < 410


def test_logs_are_few_and_a_link_in_their_place_is_not_followed(sandbox):
    for _ in range(20):
        told(sandbox, "seq 5000")
    assert int(told(sandbox, "ls .logs | wc -l")) <= 16
    told(sandbox, "rm -r .logs; mkdir elsewhere; ln -s elsewhere .logs")
    assert "all of the output" not in told(sandbox, "seq 100000")
    assert told(sandbox, "ls elsewhere") == "[no output]"


def test_a_background_job_is_attributed_and_never_blocks(sandbox):
    told(sandbox, "(sleep 0.3; echo from the job; yes) & JOB=$!")
    time.sleep(1.5)
    said = told(sandbox, "echo own")
    assert said.startswith("[printed by background jobs of earlier commands:]\nfrom the job\n")
    assert said.endswith("\n[end of that]\nown")
    assert told(sandbox, "kill $JOB; wait $JOB 2>/dev/null; echo done").endswith("done")


def test_output_of_a_job_and_of_the_running_command_are_told_apart(sandbox):
    told(sandbox, "(for n in 1 2 3; do sleep 0.2; echo job; done) &")
    items = list(sandbox.run("for n in 1 2 3; do sleep 0.3; echo own; done", 20))
    printed = [item for item in items if isinstance(item, Printed)]
    assert b"".join(p.data for p in printed if p.background) == b"job\n" * 3
    assert b"".join(p.data for p in printed if not p.background) == b"own\n" * 3


@pytest.mark.parametrize(
    "command",
    [
        "stty -echo 2>/dev/null; stty raw 2>/dev/null; true",
        "exec 0<&- 1>&- 2>&-",
        "set -o noclobber; set -f; set -u; set -C",
        "eval() { :; }; printf() { :; }; true",
        "PS1='x'; PS0='y'; PROMPT_COMMAND='echo no'; true",
        "exec 3>&1 4>&1",
        "trap 'echo trapped' EXIT DEBUG ERR; trap - EXIT DEBUG ERR",
        "cat <<END\nnever ended",
        "((( (",
        "alias echo=false; shopt -s expand_aliases; true",
        "umask 777; true",
        "ulimit -n 3; true",
    ],
)
def test_whatever_is_done_to_the_shell_it_answers_the_next_command(sandbox, command):
    assert isinstance(list(sandbox.run(command, 5))[-1], Exited)
    assert "next" in told(sandbox, "'echo' next")


def test_a_restricted_shell_is_replaced(sandbox):
    assert "[the shell itself ended and was started again" in told(sandbox, "cd /tmp; set -r")
    assert told(sandbox, "pwd; cd /") == "/tmp"


def test_a_command_of_ten_megabytes_runs_and_a_longer_one_is_refused(sandbox):
    assert told(sandbox, f"X={'x' * (10 * MB - 100)}; echo ${{#X}}", 60) == str(10 * MB - 100)
    with pytest.raises(ToolError, match="over 10 MB"):
        told(sandbox, "x" * (10 * MB + 1))


def test_leaving_ends_a_process_that_ignores_every_signal(engine):
    with DockerSandbox() as sandbox:
        command = sandbox.run("trap '' INT TERM HUP; while :; do sleep 1000; done", 600)
        next(command)
    assert engine.containers.list(all=True, filters={"name": sandbox.name}) == []


def test_what_was_used_is_counted(sandbox):
    told(
        sandbox,
        "python3 -c \"x = b'x' * (100 << 20); sum(range(10**7))\"; head -c 5M /dev/zero > a",
    )
    used = sandbox.usage()
    assert used.cpu_seconds > 0.1
    assert 100 * MB < used.peak_memory <= 512 * MB
    assert 5 * MB <= used.disk < 6 * MB
    assert used.bytes_in > 0
    before = used.bytes_out
    assert len(sandbox.read("/workspace/a", 1 << 30)) == 5 * MB
    assert sandbox.usage().bytes_out > before + 5 * MB
