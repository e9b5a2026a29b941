"""`python -m agent run --studio URL`: real processes against a real studio over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agent.events import (
    ArtifactSaved,
    ModelSpoke,
    Reason,
    RunEnded,
    RunPaused,
    RunStarted,
    ToolPrinted,
)
from agent.events import Event as Fact
from studio.artifacts import origin
from studio.media import store
from studio.runs import claims, journal
from studio.runs.models import Run, Status
from tests.studio.api.conftest import Program

ROOT = Path(__file__).parents[3]
SECONDS = 60

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@contextmanager
def started(url: str, token: str, folder: Path, *arguments: str) -> Iterator[subprocess.Popen]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("STUDIO_")}
    command = [sys.executable, "-m", "agent", "run", "A poster", "--studio", url, *arguments]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), "STUDIO_TOKEN": token, "NO_PROXY": "*"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def ended(process: subprocess.Popen) -> tuple[str, str, int]:
    """What it printed, what it complained of, its exit code."""
    out, complaints = process.communicate(timeout=SECONDS)
    return out, complaints, process.returncode


def arrived() -> Run:
    """The run that the command line asked for."""
    for _ in range(SECONDS * 20):
        if run := Run.objects.filter(status=Status.QUEUED).first():
            return run
        time.sleep(0.05)
    raise AssertionError("Nobody asked for anything.")


class Worker:
    """Does in a run what a test says."""

    def __init__(self, run: Run) -> None:
        self.run, self.claim = run, claims.claim(run.pk)

    def tell(self, *facts: Fact) -> None:
        for fact in facts:
            journal.append(self.run.pk, fact, claim=self.claim)

    def save(self, path: str, content: bytes) -> None:
        blob = store().put([content])
        self.tell(ArtifactSaved(path=path, digest=blob.digest, size=blob.size))

    def end(self, reason: Reason = Reason.SUBMITTED) -> None:
        self.tell(RunEnded(reason=reason, message="It ended.", summary="Here is your poster."))


def test_what_a_studio_makes_is_told_and_ends_up_in_the_folder(
    alices: Program, served: str, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("1,2,3\n")
    with started(served, alices.token, tmp_path, "--input", "a.csv") as process:
        worker = Worker(arrived())
        assert [file.name for file in worker.run.project.inputs.all()] == ["a.csv"]
        worker.tell(
            RunStarted(prompt="A poster", model="scripted", inputs=("a.csv",)),
            ModelSpoke(turn=1, text="I draw it."),
        )
        worker.save("drafts/海报.svg", b"<svg/>")
        worker.save("poster.svg", b"<svg>1</svg>")
        worker.save("poster.svg", b"<svg>2</svg>")
        worker.end()
        out, complaints, code = ended(process)
    assert code == 0, complaints
    assert "I draw it." in out
    assert "Here is your poster." in out
    made = tmp_path / "output"
    assert (made / "drafts/海报.svg").read_bytes() == b"<svg/>"
    assert (made / "poster.svg").read_bytes() == b"<svg>2</svg>"
    kinds = [json.loads(line)["kind"] for line in (made / "run.jsonl").read_text().splitlines()]
    assert kinds[0] == "run.started"
    assert kinds[-1] == "run.ended"
    assert {path.name for path in made.iterdir()} == {
        "drafts", "poster.svg", "run.jsonl", "messages.json", "trajectory.json",
    }  # fmt: skip


def test_ctrl_c_stops_the_run_there(alices: Program, served: str, tmp_path: Path) -> None:
    with started(served, alices.token, tmp_path) as process:
        worker = Worker(arrived())
        worker.tell(ToolPrinted(call="1", text="working on it"))
        assert process.stdout
        while "working on it" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        for _ in range(SECONDS * 20):
            if claims.should_stop(worker.run.pk, worker.claim):
                break
            time.sleep(0.05)
        worker.save("half.svg", b"<svg/>")
        worker.end(Reason.STOPPED)
        out, complaints, code = ended(process)
    assert code == 1, complaints
    assert "You stopped it" in out or "It ended." in out
    assert (tmp_path / "output/half.svg").exists()


def test_a_pause_is_told_where_nobody_can_be_asked(
    alices: Program, served: str, tmp_path: Path
) -> None:
    with started(served, alices.token, tmp_path) as process:
        worker = Worker(arrived())
        worker.tell(RunPaused(reason=Reason.TURN_LIMIT, message="All turns are used up."))
        _out, complaints, code = ended(process)
    assert code == 1
    assert f"/projects/{worker.run.project_id}/" in complaints


def test_a_connection_that_breaks_is_made_again(
    alices: Program, served: str, tmp_path: Path, cut: Callable
) -> None:
    with cut(served) as (url, break_all), started(url, alices.token, tmp_path) as process:
        worker = Worker(arrived())
        worker.tell(ToolPrinted(call="1", text="first"))
        assert process.stdout
        while "first" not in process.stdout.readline():
            pass
        break_all()
        worker.tell(ToolPrinted(call="1", text="second"))
        worker.save("poster.svg", b"<svg/>")
        worker.end()
        out, complaints, code = ended(process)
    assert code == 0, complaints
    assert out.count("second") == 1
    assert "first" not in out
    assert (tmp_path / "output/poster.svg").exists()


@pytest.fixture
def cut() -> Callable:
    """A wire to the studio that can be cut: all its connections at once."""

    @contextmanager
    def wire(target: str) -> Iterator[tuple[str, Callable[[], None]]]:
        host, _, port = target.removeprefix("http://").partition(":")
        writers: list[asyncio.StreamWriter] = []
        loop = asyncio.new_event_loop()

        async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
            writer.close()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, back = await asyncio.open_connection(host, int(port))
            writers.extend((writer, back))
            await asyncio.gather(pump(reader, back), pump(there, writer), return_exceptions=True)

        def break_all() -> None:
            def abort() -> None:
                for each in writers:
                    each.transport.abort()

            loop.call_soon_threadsafe(abort)

        server = loop.run_until_complete(asyncio.start_server(connected, "127.0.0.1", 0))
        thread = threading.Thread(target=loop.run_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", break_all
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()

    return wire


@pytest.mark.parametrize(
    ("token", "arguments", "code", "said"),
    [
        ("", (), 2, "/settings/tokens/"),
        ("ss_made-up", (), 3, "valid token"),
        ("{token}", ("--max-turns", "3"), 2, "--max-turns is for runs on this machine"),
        ("{token}", ("--network", "open"), 2, "network is not available"),
        ("{token}", ("--input", "none.csv"), 2, "There is no file none.csv"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_made(
    token: str, arguments: tuple[str, ...], code: int, said: str,
    alices: Program, served: str, tmp_path: Path,
) -> None:  # fmt: skip
    with started(served, token.format(token=alices.token), tmp_path, *arguments) as process:
        out, complaints, found = ended(process)
    assert (found, out) == (code, "")
    assert said in complaints
    assert not Run.objects.exists()


def test_a_studio_that_is_not_there_is_said(tmp_path: Path, alices: Program) -> None:
    with started("http://127.0.0.1:9", alices.token, tmp_path) as process:
        _, complaints, code = ended(process)
    assert code == 3
    assert "cannot be reached" in complaints
    assert alices.token not in complaints


def test_a_token_can_come_from_a_file(alices: Program, served: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(alices.token + "\n")
    with started(served, "", tmp_path, "--token-file", "token") as process:
        Worker(arrived()).end()
        assert ended(process)[2] == 0


def test_the_token_never_goes_to_where_the_files_are(
    alices: Program, served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []
    deliver = origin.deliver

    async def noticed(request, *args, **kwargs):
        seen.append("authorization" in request.headers)
        return await deliver(request, *args, **kwargs)

    monkeypatch.setattr(origin, "deliver", noticed)
    with started(served, alices.token, tmp_path) as process:
        worker = Worker(arrived())
        worker.save("poster.svg", b"<svg/>")
        worker.end()
        assert ended(process)[2] == 0
    assert seen == [False]
