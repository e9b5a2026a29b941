"""A server of one large file, in a process of its own: the artifact origin, or Django's own way.

`python -m benchmarks.film ours|django BYTES` prints the file's address once it listens.
"""

from __future__ import annotations

import os
import random
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import uvicorn

from benchmarks.peer import LOGS, ROOT

PIECE = 1 << 20
PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


class Film:
    """The server in a `with`: `url` leads to `size` bytes, the same ones whoever serves them."""

    def __init__(self, whose: str, size: int) -> None:
        self._command = [sys.executable, "-m", "benchmarks.film", whose, str(size)]
        self._log = LOGS / f"film-{whose}.log"

    def __enter__(self) -> Self:
        self._var = tempfile.TemporaryDirectory(prefix="film-")
        LOGS.mkdir(parents=True, exist_ok=True)
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=os.environ | {"STUDIO_VAR": self._var.name},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError(f"the server ended; {self._log} says why")
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.terminate()
        self._process.communicate()
        self._var.cleanup()

    def peak(self) -> int:
        """The most memory that the process had since the last time it was asked, in bytes."""
        found = PEAK.search(self._proc("status").read_text())
        assert found
        self._proc("clear_refs").write_text("5")
        return int(found[1]) * 1024

    def _proc(self, name: str) -> Path:
        return Path("/proc", str(self._process.pid), name)


def content(size: int) -> Iterator[bytes]:
    """Bytes that are the same whenever they are asked for."""
    chance = random.Random(size)
    for start in range(0, size, PIECE):
        yield chance.randbytes(min(PIECE, size - start))


def artifact_origin(size: int, port: int) -> tuple[Any, str]:
    """The studio's application with a project of one film, and the film's signed address."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings"
    import django

    # Models can't be imported before.
    django.setup()

    from django.core.management import call_command
    from django.test import RequestFactory
    from django.utils import timezone

    from studio.accounts.models import User
    from studio.artifacts import links
    from studio.artifacts.models import Artifact, Version
    from studio.asgi import application
    from studio.media import store
    from studio.projects.models import Project

    call_command("migrate", verbosity=0)
    alice = User.objects.create_user("alice")
    project = Project.objects.create(owner=alice, title="A film")
    now, blob = timezone.now(), store().put(content(size))
    film = Artifact.objects.create(project=project, path="film.mp4", kind="video", updated=now)
    film.latest = Version.objects.create(
        artifact=film,
        number=1,
        digest=blob.digest,
        size=size,
        media_type="video/mp4",
        created=now,
    )
    film.save()
    request = RequestFactory().get("/", headers={"host": f"localhost:{port}"})
    request.user = alice
    return application, links.version_address(request, film, film.latest)


def file_response(size: int, port: int) -> tuple[Any, str]:
    """Django with no more than a view that gives a `FileResponse`, and the view's address."""
    from django.conf import settings
    from django.core.asgi import get_asgi_application
    from django.http import FileResponse
    from django.urls import path

    file = Path(os.environ["STUDIO_VAR"], "film.mp4")
    with file.open("wb") as whole:
        whole.writelines(content(size))
    route = path("film.mp4", lambda request: FileResponse(file.open("rb")))
    settings.configure(ROOT_URLCONF=(route,), ALLOWED_HOSTS=["localhost"], SECRET_KEY="none")
    return get_asgi_application(), f"http://localhost:{port}/film.mp4"


if __name__ == "__main__":
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        name, number = listener.getsockname()
        whose = {"ours": artifact_origin, "django": file_response}[sys.argv[1]]
        application, address = whose(int(sys.argv[2]), number)
        print(address, flush=True)
        config = uvicorn.Config(application, log_level="error", lifespan="off")
        uvicorn.Server(config).run(sockets=[listener])
