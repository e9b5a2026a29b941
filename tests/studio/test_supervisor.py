"""The process manager, with shell commands for broker, web and worker."""

import asyncio
import io
import os
import signal
import subprocess
import sys
import textwrap
from contextlib import suppress
from pathlib import Path

import pytest

from studio.supervisor import LINE_BYTES, Supervisor, Terminal

READY_THEN_WAIT = "echo ready; while :; do sleep 0.05; done"


@pytest.fixture
def screen():
    return io.StringIO()


@pytest.fixture
def supervisor(tmp_path, screen):
    return Supervisor(tmp_path / "log", Terminal(file=screen))


async def start(supervisor, name, script, *, grace=5.0):
    await supervisor.start(name, ["bash", "-c", script], colour="cyan", grace=grace)


async def seen(screen, text):
    async with asyncio.timeout(20):
        while text not in screen.getvalue():
            await asyncio.sleep(0.01)


async def gone(pid):
    async with asyncio.timeout(20):
        while is_alive(pid):
            await asyncio.sleep(0.01)


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_output_appears_with_the_name_while_the_process_runs(supervisor, screen):
    async with supervisor:
        await start(supervisor, "web", READY_THEN_WAIT)
        await seen(screen, "web │ ready\n")
        assert supervisor.ended() is None
    assert (supervisor.logs / "web.log").read_text() == "ready\n"


async def test_errors_are_relayed_like_output_and_the_last_line_needs_no_end(supervisor, screen):
    async with supervisor:
        await start(supervisor, "web", "printf oops >&2")
        await supervisor.first_end()
    assert "web │ oops" in screen.getvalue()


async def test_a_line_without_an_end_does_not_pile_up(supervisor):
    async with supervisor:
        await start(supervisor, "web", f"head -c {5 * LINE_BYTES} /dev/zero | tr '\\0' x; sleep 60")
        async with asyncio.timeout(20):
            log = supervisor.logs / "web.log"
            while not log.exists() or log.stat().st_size < 4 * LINE_BYTES:
                await asyncio.sleep(0.01)
    lines = log.read_text().splitlines()
    assert sum(map(len, lines)) == 5 * LINE_BYTES
    assert max(map(len, lines)) < 2 * LINE_BYTES


async def test_the_first_to_end_is_named_with_its_exit_code(supervisor):
    async with supervisor:
        await start(supervisor, "broker", READY_THEN_WAIT)
        await start(supervisor, "worker", "exit 7")
        end = await supervisor.first_end()
    assert (end.name, end.code) == ("worker", 7)


async def test_an_exit_is_seen_although_a_child_still_holds_the_output(supervisor, screen):
    async with supervisor:
        await start(supervisor, "worker", "sleep 600 & echo child=$!; exit 3")
        end = await supervisor.first_end()
        assert end.code == 3
        await seen(screen, "child=")
    await gone(int(screen.getvalue().split("child=")[1]))


async def test_processes_stop_in_the_opposite_order(supervisor, screen):
    script = "trap 'echo bye; exit' TERM; " + READY_THEN_WAIT
    async with supervisor:
        for name in ("broker", "web", "worker"):
            await start(supervisor, name, script)
            await seen(screen, f"{name} │ ready")
    farewells = [line.split()[0] for line in screen.getvalue().splitlines() if "bye" in line]
    assert farewells == ["worker", "web", "broker"]


async def test_a_process_that_ignores_the_signal_is_killed_with_its_children(supervisor, screen):
    async with supervisor:
        await start(
            supervisor,
            "web",
            "trap '' TERM; sleep 600 & echo pids=$$,$!,; " + READY_THEN_WAIT,
            grace=0.2,
        )
        await seen(screen, "ready")
    pids = screen.getvalue().split("pids=")[1].split(",")[:2]
    for pid in pids:
        await gone(int(pid))


async def test_a_program_that_does_not_exist_ends_at_once_and_says_so(supervisor, screen):
    async with supervisor:
        await supervisor.start("web", ["no-such-program"], colour="cyan", grace=1)
        end = await supervisor.first_end()
    assert end.code == 127
    assert "no-such-program" in screen.getvalue()


async def test_a_closed_terminal_does_not_stop_the_relay(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    # Closing it tries once more to write what nobody reads.
    with suppress(BrokenPipeError), os.fdopen(writing, "w") as screen:
        async with Supervisor(tmp_path, Terminal(file=screen)) as supervisor:
            await start(supervisor, "web", "echo one; echo two")
            assert (await supervisor.first_end()).code == 0
    assert (tmp_path / "web.log").read_text() == "one\ntwo\n"


async def test_processes_end_when_the_supervisor_is_killed(tmp_path):
    program = textwrap.dedent("""
        import asyncio, sys
        from pathlib import Path
        from studio.supervisor import Supervisor, Terminal

        async def main():
            async with Supervisor(Path(sys.argv[1]), Terminal()) as supervisor:
                await supervisor.start(
                    "web", ["bash", "-c", "echo pid=$$,; sleep 600 & wait"], colour="cyan", grace=1
                )
                await supervisor.first_end()

        asyncio.run(main())
    """)
    manager = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-c", program, tmp_path), stdout=subprocess.PIPE
    )
    line = await manager.stdout.readline()
    manager.send_signal(signal.SIGKILL)
    await manager.wait()
    await gone(int(line.decode().split("pid=")[1].split(",")[0]))
