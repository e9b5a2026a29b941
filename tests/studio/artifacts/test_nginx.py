"""The proxy of docs/deploy.md, in front of a studio of its own."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from studio.artifacts import links
from studio.asgi import application
from studio.runs.models import Run
from tests.studio.artifacts.test_origin import get
from tests.studio.conftest import asked, save

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

DOCUMENT = Path(__file__).parents[3] / "docs" / "deploy.md"
# Its folders belong to the system's own; and where it is started by root it works as nobody.
AROUND = """
daemon off;
user {user};
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    {paths}
    {server}
}}
"""
SOCKET = {
    "connection": "upgrade",
    "upgrade": "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "c3R1ZGlvIHN0dWRpbyEhIQ==",
}
PATHS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def until_it_listens(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on {port}")


@pytest.fixture
def upstream() -> Iterator[int]:
    port = free_port()
    config = uvicorn.Config(application, port=port, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until_it_listens(port)
    yield port
    server.should_exit = True
    thread.join()


@pytest.fixture
def nginx(upstream: int, tmp_path: Path, settings) -> Iterator[int]:
    settings.ACCEL = "/protected/"
    port = free_port()
    block = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert block
    server = re.sub(r"^ *ssl_.*\n", "", block[1], flags=re.MULTILINE)
    for documented, here in (
        ("443 ssl", f"127.0.0.1:{port}"),
        ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
        ("/var/lib/studio/media/", f"{settings.MEDIA}/"),
        ("studio.example.com *.artifacts.example.com", "localhost *.artifacts.localhost"),
    ):
        assert documented in server
        server = server.replace(documented, here)
    user = subprocess.check_output(["id", "-un"], text=True).strip()
    paths = "".join(f"{name}_temp_path {tmp_path}/{name};" for name in PATHS)
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(AROUND.format(user=user, folder=tmp_path, paths=paths, server=server))
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    process = subprocess.Popen(
        [program, "-p", str(tmp_path), "-e", f"{tmp_path}/error.log", "-c", str(configuration)]
    )
    try:
        until_it_listens(port)
        yield port
    finally:
        process.terminate()
        process.wait(10)


def test_behind_nginx_files_are_the_same_and_nginx_sends_them(
    nginx: int, run: Run, settings
) -> None:
    content = bytes(range(256)) * 1000
    digest = save(run, "film.mp4", content)
    save(run, "音 乐.html", b"<h1>page")
    request = asked(host=f"localhost:{nginx}")

    def link(path: str, **query: str) -> httpx.URL:
        return httpx.URL(links.address(request, run.project_id, path, **query))

    with httpx.Client(trust_env=False) as client:

        def through_nginx(url: httpx.URL, method: str = "GET", **headers: str) -> httpx.Response:
            direct = url.copy_with(host="127.0.0.1")
            return client.request(method, direct, headers={"host": url.netloc.decode(), **headers})

        film = link("film.mp4", v=digest)
        answer = through_nginx(film)
        assert (answer.status_code, answer.content) == (200, content)
        part = through_nginx(film, range="bytes=256-511")
        assert (part.status_code, part.content) == (206, content[256:512])
        assert part.headers["content-range"] == f"bytes 256-511/{len(content)}"
        assert through_nginx(film, range="bytes=999999999-").status_code == 416
        head = through_nginx(film, "HEAD")
        assert (head.content, head.headers["content-length"]) == (b"", str(len(content)))
        again = through_nginx(film, **{"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
        ours = through_nginx(film, **{"if-none-match": f'"{digest}"'})
        assert ours.status_code == 304

        # With the headers that the studio itself gives.
        settings.ACCEL = ""
        page, app = link("音 乐.html", download="1"), f"http://localhost:{nginx}"
        alone = asyncio.run(get(str(page), origin=app)).headers
        settings.ACCEL = "/protected/"
        headers = through_nginx(page, origin=app).headers
        assert headers["server"].startswith("nginx")
        for name in set(alone) - {"etag"}:
            assert headers.get_list(name) == alone.get_list(name), name

        # Nothing but what was signed for, and no way around the studio.
        for path in (f"/protected/{digest[:2]}/{digest}", f"/x/{film.path.split('/')[2]}"):
            assert through_nginx(film.copy_with(path=path)).status_code == 404
        zipped = through_nginx(link(".studio/all.zip"))
        assert zipped.content.startswith(b"PK")
        assert through_nginx(httpx.URL(f"{app}/accounts/login/")).status_code == 200
        # A socket reaches what refuses it for its origin; as a plain request it would find nothing.
        socket_url = httpx.URL(f"{app}{run.socket_path}")
        assert through_nginx(socket_url, **SOCKET).status_code == 403
