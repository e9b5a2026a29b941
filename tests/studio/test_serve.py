"""`python -m studio.serve` as people start it: real web, worker, broker and engine."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import docker
import httpx
import pytest

from agent.sandbox.docker import INSTALLATION_LABEL, RUN_LABEL
from studio.serve import start_web
from tests.studio.test_processes import database

ROOT = Path(__file__).parents[2]
# No test waits this long; one that would hangs.
SECONDS = 60
# What fits into the buffers of a connection counts as sent.
BUFFERED, MEMORY = 12 << 20, 16 << 20
PRINT_INSTALLATION = "from django.conf import settings; print(settings.INSTALLATION)"


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def processes_of(var):
    """The commands that run with their data in `var`: they inherit or, the broker, show it."""
    mark = f"STUDIO_VAR={var}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        # Some end while we look; a machine's own may not be read, those that we started may.
        with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            if str(var) in command or mark in (process / "environ").read_bytes().split(b"\0"):
                found.append(command)
    return found


class Studio:
    """A manager in a session of its own, with its data in `var`."""

    def __init__(self, var, port=None, **environment):
        self.var, self.port = var, port or free_port()
        names = ("DATABASE_URL", "REDIS_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "STUDIO_MODEL")
        inherited = {name: value for name, value in os.environ.items() if name not in names}
        self.environment = {**inherited, "STUDIO_VAR": str(var), **environment}
        self.output = ""

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "studio.serve", "--port", str(self.port)],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def read_until(self, text):
        for line in self.process.stdout:
            self.output += line
            if text in line:
                return
        raise AssertionError(f"It ended before it printed {text!r}:\n{self.output}")

    def wait(self):
        rest, _ = self.process.communicate(timeout=SECONDS)
        self.output += rest
        return self.process.returncode


def worker_of(studio):
    """The process id of its worker; embedded beat is a child of that one."""
    manager = studio.process.pid
    for pid in Path(f"/proc/{manager}/task/{manager}/children").read_text().split():
        if b"--beat" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
            return int(pid)
    raise AssertionError(f"No worker:\n{studio.output}")


def installation_of(studio):
    """What its containers are labelled with."""
    return subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "--command", PRINT_INSTALLATION],
        cwd=ROOT,
        env=studio.environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()


def left_by_a_worker(engine, image, studio):
    """A container as a worker leaves it when it is killed."""
    labels = {INSTALLATION_LABEL: installation_of(studio), RUN_LABEL: "run"}
    return engine.containers.create(image, "true", labels=labels)


@pytest.fixture
def empty_image(engine):
    """An image without files, for a container that never starts."""
    name = "sandbox-studio-test-empty"
    engine.api.import_image_from_data(bytes(tarfile.RECORDSIZE), repository=name, tag="latest")
    yield name
    engine.images.remove(name)


@pytest.fixture
def var():
    # Not pytest's folder: the path of the broker's socket must be short.
    folder = Path(tempfile.mkdtemp(prefix="studio-"))
    yield folder
    shutil.rmtree(folder)


def test_a_port_in_use_is_refused_with_what_to_do(var):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with Studio(var, port) as studio:
            assert studio.wait() == 2
    assert f"port {port}" in studio.output
    assert "scripts/serve --port" in studio.output
    assert "Traceback" not in studio.output


def test_a_folder_too_deep_for_a_socket_is_refused_with_what_to_do(var):
    deep = var / ("x" * 100)
    with Studio(deep) as studio:
        assert studio.wait() == 2
    assert "too long" in studio.output
    assert "STUDIO_VAR=" in studio.output
    assert not processes_of(deep)


@pytest.mark.slow
def test_a_senseless_setting_is_named_and_nothing_keeps_running(var):
    with Studio(var, STUDIO_CONCURRENCY="many") as studio:
        assert studio.wait() == 2
    assert "STUDIO_CONCURRENCY" in studio.output
    assert "Traceback" not in studio.output
    assert not processes_of(var)


@pytest.mark.engine
@pytest.mark.slow
def test_it_greets_with_a_link_that_signs_in_once_and_ctrl_c_stops_everything(var):
    with Studio(var) as studio:
        studio.read_until("Ctrl-C")
        address, link = re.findall(r"http://localhost:\d+\S*", studio.output)
        assert address == f"http://localhost:{studio.port}"
        with httpx.Client(trust_env=False) as alice, httpx.Client(trust_env=False) as charlie:
            page = alice.get(link, follow_redirects=True)
            assert (page.status_code, str(page.url)) == (200, f"{address}/")
            assert charlie.get(link).status_code == 410
        with Studio(var) as second:
            assert second.wait() == 2
        assert "already running" in second.output
        names = " ".join(processes_of(var))
        assert all(name in names for name in ("valkey-server", "uvicorn", "celery"))

        studio.process.send_signal(signal.SIGINT)
        assert studio.wait() == 0
    assert not processes_of(var)
    assert "Traceback" not in studio.output
    assert not (var / "run" / "valkey.sock").exists()


@pytest.mark.engine
@pytest.mark.slow
def test_sandboxes_wait_while_it_runs_and_the_worker_removes_them_when_it_stops(var, engine):
    with Studio(var, STUDIO_WARM="5") as studio:
        studio.read_until("Ctrl-C")
        waiting = {"label": f"{INSTALLATION_LABEL}={installation_of(studio)}"}
        deadline = time.monotonic() + SECONDS
        while len(engine.containers.list(filters=waiting)) < 5:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        studio.process.send_signal(signal.SIGINT)
        assert studio.wait() == 0
    # Nothing was left for the clean-up that follows.
    assert "Removed 0 sandboxes." in studio.output
    assert engine.containers.list(all=True, filters=waiting) == []


@pytest.mark.engine
@pytest.mark.slow
def test_a_worker_that_dies_stops_everything_and_its_sandboxes_are_removed(
    var, engine, empty_image
):
    with Studio(var) as studio:
        studio.read_until("Ctrl-C")
        sandbox = left_by_a_worker(engine, empty_image, studio)
        os.kill(worker_of(studio), signal.SIGKILL)
        assert studio.wait() == 1
    assert "worker ended by itself" in studio.output
    assert str(var / "log" / "worker.log") in studio.output
    assert not processes_of(var)
    with pytest.raises(docker.errors.NotFound):
        engine.containers.get(sandbox.id)


class Web:
    """The process that answers, alone and as the manager starts it."""

    def __init__(self, var, **environment):
        self.port = free_port()
        self.environment = {**os.environ, "STUDIO_VAR": str(var), **environment}

    async def start(self, name, command, **options):
        self.command = command

    def __enter__(self):
        asyncio.run(start_web(self, "127.0.0.1", self.port))
        self.process = subprocess.Popen(self.command, cwd=ROOT, env=self.environment)
        deadline = time.monotonic() + SECONDS
        while not self.answers():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.wait()

    def answers(self):
        with suppress(httpx.ConnectError), httpx.Client(trust_env=False) as client:
            return client.get(f"http://localhost:{self.port}/healthz", timeout=SECONDS).is_success
        return False

    def most_memory(self):
        """The most bytes that it has had in memory so far."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) << 10

    def written(self):
        """The bytes that it has written into files so far."""
        told = Path(f"/proc/{self.process.pid}/io").read_text()
        return int(re.search(r"wchar: (\d+)", told)[1])

    def said_to(self, head, pieces):
        """How many bytes it takes of a request with this head, and what it answers."""
        sent = 0
        with socket.create_connection(("127.0.0.1", self.port), SECONDS) as connection:
            connection.sendall("\r\n".join([*head, "", ""]).encode())
            if "upgrade: websocket" in head:
                assert b" 101 " in connection.recv(65536)
            with suppress(ConnectionError):
                for piece in pieces:
                    connection.sendall(piece)
                    sent += len(piece)
            answer = b""
            with suppress(ConnectionError):
                while data := connection.recv(65536):
                    answer += data
        return sent, answer


@pytest.fixture
def web(var, redis_url, settings, transactional_db):
    """One with the test's database."""
    secret = {"STUDIO_SECRET_KEY": settings.SECRET_KEY}
    with Web(var, DATABASE_URL=database(), REDIS_URL=redis_url, **secret) as running:
        yield running


@pytest.mark.slow
def test_a_gigabyte_is_refused_with_the_memory_of_a_form_and_nothing_on_the_disk(web):
    piece, told = bytes(1 << 16), f"content-length: {1 << 30}"
    chunked, chunk = "transfer-encoding: chunked", b"10000\r\n%b\r\n" % piece
    memory, written = web.most_memory(), web.written()
    for path, length, each, code, most in (
        ("/accounts/login/", chunked, chunk, b" 413 ", BUFFERED),
        ("/accounts/login/", told, piece, b" 413 ", BUFFERED),
        # Of who has no account files are taken and dropped, however large.
        ("/projects/new/", told, piece, b" 403 ", 1 << 30),
    ):
        head = [f"POST {path} HTTP/1.1", f"host: localhost:{web.port}", "connection: close"]
        sent, answer = web.said_to([*head, length], (each for _ in range(1 << 14)))
        assert sent <= most
        assert not answer or code in answer.partition(b"\r\n")[0]
    assert web.most_memory() - memory < MEMORY
    assert web.written() - written < MEMORY
    assert web.answers()


@pytest.mark.slow
def test_a_message_of_100_mb_ends_its_socket(web, project, alices_browser):
    cookies = "; ".join(f"{name}={item.value}" for name, item in alices_browser.cookies.items())
    head = [
        f"GET /ws/projects/{project.pk}/ HTTP/1.1",
        f"host: localhost:{web.port}",
        f"origin: http://localhost:{web.port}",
        f"cookie: {cookies}",
        "connection: upgrade",
        "upgrade: websocket",
        "sec-websocket-version: 13",
        "sec-websocket-key: MTIzNDU2Nzg5MDEyMzQ1Ng==",
    ]
    before = web.most_memory()
    for count in (1, 2000):
        sent, answer = web.said_to(head, frames(count, 100_000_000 // count))
        assert sent < BUFFERED
        assert not answer or (1009).to_bytes(2, "big") in answer
    assert web.most_memory() - before < MEMORY
    assert web.answers()


def frames(count, size):
    """A text in so many masked frames."""
    for number in range(count):
        first = number == 0
        last = number == count - 1
        yield bytes([last << 7 | first, 0x80 | 127]) + size.to_bytes(8, "big") + bytes(4)
        for start in range(0, size, 1 << 16):
            yield bytes(min(1 << 16, size - start))
