"""The artifact origin: `<project>.<STUDIO_ARTIFACT_HOST>` serves what runs made, and nothing else.

No cookie, session or page of the app is within reach here. `/<token>/<path>` is the newest
version of a file (or the one with the digest `?v=`), `/<token>/.studio/all.zip` all of them, and
`/<token>/.studio/input/<name>` a file that the owner gave: no artifact's name begins with a dot.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit

from channels.db import database_sync_to_async
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.utils.translation import gettext, override
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.routing import Route
from zipstream import ZipStream

from studio.artifacts import links
from studio.artifacts.kinds import kind_and_type
from studio.artifacts.models import Artifact, Version
from studio.media import store
from studio.projects.models import Input
from studio.web import language

PINNED_SECONDS = 365 * 24 * 3600
DOCUMENT = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' data: blob:; "
    "form-action 'none'; base-uri 'self'"
)


class ArtifactHosts:
    """Sends requests for artifact hosts to their own app, and all others on to `app`."""

    def __init__(self, app) -> None:
        self.app = app
        self.suffix = "." + settings.ARTIFACT_HOST
        self.artifacts = Starlette(
            routes=[
                Route("/{token}/.studio/all.zip", all_files),
                Route("/{token}/.studio/input/{name:path}", input_file),
                Route("/{token}/{path:path}", artifact),
            ],
            exception_handlers={404: missing},
        )
        self.artifacts.router.redirect_slashes = False

    async def __call__(self, scope, receive, send) -> None:
        host = next((value for name, value in scope.get("headers", ()) if name == b"host"), b"")
        name = urlsplit(f"//{host.decode('latin-1')}").hostname or ""
        if not name.endswith(self.suffix):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebsocketDenier()(scope, receive, send)
        else:
            scope = {**scope, "project": name.removesuffix(self.suffix)}
            await self.artifacts(scope, receive, with_headers(Request(scope), send))


def with_headers(request: Request, send):
    """Add what every answer of this origin says to browsers, whatever made it."""
    # CSP has no syntax for IPv6 addresses: browsers complain of them in the console.
    app_hosts = " ".join(origin for origin in app_origins(request) if "[" not in origin)
    origin = request.headers.get("origin")

    async def send_with_headers(message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            policy = DOCUMENT
            if headers.get("content-type") == "image/svg+xml":
                policy += "; script-src 'none'"
            headers["Content-Security-Policy"] = f"{policy}; frame-ancestors {app_hosts}"
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "no-referrer"
            headers["Cross-Origin-Resource-Policy"] = "cross-origin"
            headers["X-Robots-Tag"] = "noindex"
            headers["Vary"] = "Origin"
            if origin in app_origins(request):
                headers["Access-Control-Allow-Origin"] = origin
        await send(message)

    return send_with_headers


def app_origins(request: Request) -> list[str]:
    """Where the app itself may be: these pages may frame and read artifacts."""
    port = f":{request.url.port}" if request.url.port else ""
    return [f"{request.url.scheme}://{host}{port}" for host in settings.ALLOWED_HOSTS]


async def artifact(request: Request) -> Response:
    project = authorised(request)
    path, digest = request.path_params["path"], request.query_params.get("v")
    versions = Version.objects.filter(artifact__project=project, artifact__path=path)
    wanted = versions.filter(**{"digest": digest} if digest else {"artifact__removed": False})
    newest = wanted.order_by("-number")
    version = await database_sync_to_async(lambda: newest.first())()
    if version is None:
        raise HTTPException(404)
    return file_response(request, path, version.digest, pinned=bool(digest))


async def input_file(request: Request) -> Response:
    project = authorised(request)
    inputs = Input.objects.filter(project=project, name=request.path_params["name"])
    file = await database_sync_to_async(inputs.first)()
    if file is None:
        raise HTTPException(404)
    return file_response(request, file.name, file.digest, pinned=False)


async def all_files(request: Request) -> Response:
    project = authorised(request)
    shown = Artifact.objects.shown().filter(project=project)
    artifacts = await database_sync_to_async(list)(shown)
    archive = ZipStream(sized=True)
    for name, item in archive_names(artifacts):
        if item.latest and (path := store().path(item.latest.digest)):
            archive.add_path(path, name)
    headers = {
        "Content-Disposition": disposition(f"{project}.zip"),
        "Content-Length": str(len(archive)),
        "Cache-Control": "no-store",
    }
    return StreamingResponse(iter(archive), media_type="application/zip", headers=headers)


def authorised(request: Request) -> str:
    """The project of the host, if the token in the path is for it.

    Raises:
        HTTPException: 404 otherwise.
    """
    project: str = request.scope["project"]
    if not links.valid(request.path_params["token"], project):
        raise HTTPException(404)
    return project


def file_response(request: Request, name: str, digest: str, *, pinned: bool) -> Response:
    path = store().path(digest)
    if path is None:
        raise HTTPException(404)
    headers = {
        "ETag": f'"{digest}"',
        "Cache-Control": f"private, max-age={PINNED_SECONDS}, immutable" if pinned else "no-cache",
    }
    if f'"{digest}"' in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "download" in request.query_params:
        headers["Content-Disposition"] = disposition(name.rpartition("/")[2])
    return FileResponse(path, media_type=kind_and_type(name)[1], headers=headers)


def disposition(name: str) -> str:
    """`attachment` under this name, in one line whatever the name is (RFC 6266)."""
    plain = "".join(
        char if char.isascii() and char.isprintable() and char not in '"\\%' else "_"
        for char in name
    )
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def archive_names(artifacts: list[Artifact]) -> Iterator[tuple[str, Artifact]]:
    """A different name for each artifact that stays below the folder where one unpacks it."""
    taken: set[str] = set()
    for item in artifacts:
        parts = [
            part.strip() or "_"
            for part in item.path.replace("\\", "_").replace(":", "_").split("/")
            if part.strip(". ")
        ]
        plain = ["".join(c if c.isprintable() else "_" for c in part) for part in parts]
        path = PurePosixPath(*plain) if plain else PurePosixPath("file")
        name, number = str(path), 2
        while name in taken:
            name, number = str(path.with_stem(f"{path.stem} ({number})")), number + 1
        taken.add(name)
        yield name, item


async def missing(request: Request, exc: Exception) -> Response:
    with override(language(request.scope)):
        title = gettext("This file is not here")
        text = gettext("The link is too old or the file is gone. Open it again from its project.")
    page = f"<!doctype html><meta charset=utf-8><title>{title}</title><h1>{title}</h1><p>{text}</p>"
    return HTMLResponse(page, status_code=404)
