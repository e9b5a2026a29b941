"""The artifact origin: `<project>.<STUDIO_ARTIFACT_HOST>` serves what runs made, and nothing else.

No cookie, session or page of the app is within reach here. `/<token>/<path>` is the newest
version of a file (or the one with the digest `?v=`), `/<token>/.studio/all.zip` all of them,
`/<token>/.studio/project.zip` also what else is kept of the project,
`/<token>/.studio/files.zip` files of several projects, which `?files=` names and signs, and
`/<token>/.studio/input/<name>` a file that the owner gave: no artifact's name begins with a dot.
`/<token>/.studio/preview/<digest>` is a picture or the like that was made to show one of them, and
`/<token>/.studio/glimpse/<name>` what a run is making just now.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from channels.db import database_sync_to_async
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port
from django.utils.translation import gettext, override
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from zipstream import ZipStream

from studio.artifacts import archive, bundles, glimpses, links
from studio.artifacts.delivery import CHANGING, PINNED, deliver
from studio.artifacts.granted import seen_by, wanted_version
from studio.artifacts.kinds import kind_and_type
from studio.artifacts.links import Grant, Reader, Through
from studio.artifacts.picking import with_picker
from studio.artifacts.policy import with_headers
from studio.artifacts.readme import requests
from studio.inspections.models import Preview, Role
from studio.inspections.queue import of_project
from studio.inspections.results import ENDINGS
from studio.projects import networks
from studio.projects.models import Input, Project
from studio.sharing import reach
from studio.web import language


class ArtifactHosts:
    """Sends requests for artifact hosts to their own app, and all others on to `app`."""

    def __init__(self, app) -> None:
        self.app = app
        self.suffix = "." + settings.ARTIFACT_HOST
        self.artifacts = Starlette(
            routes=[
                Route("/{token}/.studio/all.zip", all_files),
                Route("/{token}/.studio/project.zip", whole_project),
                Route("/{token}/.studio/files.zip", bundle),
                Route("/{token}/.studio/input/{name:path}", input_file),
                Route("/{token}/.studio/preview/{digest}", preview),
                Route("/{token}/.studio/glimpse/{name}", glimpse),
                Route("/{token}/{path:path}", artifact),
            ],
            exception_handlers={404: missing},
        )
        self.artifacts.router.redirect_slashes = False

    async def __call__(self, scope, receive, send) -> None:
        name, port = split_domain_port(Headers(scope=scope).get("host", ""))
        if not name.endswith(self.suffix):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebsocketDenier()(scope, receive, send)
        else:
            scope = {**scope, "project": name.removesuffix(self.suffix), "port": port}
            await self.artifacts(scope, receive, with_headers(Request(scope), send))


async def authorised(request: Request, *, shared: bool = False) -> Grant:
    """What the token in the path opens, if it is for the project of the host and its reader may
    still look at that.

    One that was given through a share opens what is `shared` only, and as long as the share is
    open; that is in the request's scope then.

    Raises:
        HTTPException: 404 otherwise.
    """
    grant = links.read(request.path_params["token"])
    # A worker of this kind stays in the browser and could answer for files that are newer.
    if (
        not grant
        or grant.project != request.scope["project"]
        or "service-worker" in request.headers
    ):
        raise HTTPException(404)
    if isinstance(grant.to, Through):
        share = await database_sync_to_async(reach.still_open)(grant.to) if shared else None
        saves = "download" in request.query_params
        if share is None or (saves and not share.allow_download):
            raise HTTPException(404)
        request.scope["share"] = share
    network = await database_sync_to_async(network_of)(grant)
    if network is None:
        raise HTTPException(404)
    request.scope["network"] = networks.effective(network)
    return grant


def network_of(grant: Grant) -> str | None:
    """What its project's pages may reach; nothing if whom it was given to may not look any more."""
    if isinstance(grant.to, Reader) and grant.project not in seen_by(grant.to, {grant.project}):
        return None
    there = Project.objects.filter(pk=grant.project, deleted=None)
    return there.values_list("network", flat=True).first()


async def artifact(request: Request) -> Response:
    grant = await authorised(request, shared=True)
    path, digest = request.path_params["path"], request.query_params.get("v", "")
    share = request.scope.get("share")
    find = partial(reach.wanted, share) if share else wanted_version
    version = await database_sync_to_async(find)(grant, path, digest)
    if version is None:
        raise HTTPException(404)
    kind, media_type = kind_and_type(path)
    if kind == "html" and not share and "pick" in request.query_params:
        return await with_picker(version.digest)
    cache = lasting(request) if digest else CHANGING
    name = path.rpartition("/")[2]
    return await deliver(request, name, version.digest, media_type, cache=cache)


def lasting(request: Request) -> str:
    """How long browsers keep what never changes: what a share opens is asked for each time, since
    it may be closed.
    """
    return CHANGING if "share" in request.scope else PINNED


async def input_file(request: Request) -> Response:
    grant = await authorised(request)
    inputs = Input.objects.filter(project=grant.project, name=request.path_params["name"])
    file = await database_sync_to_async(inputs.first)()
    if file is None:
        raise HTTPException(404)
    media_type = kind_and_type(file.name)[1]
    return await deliver(request, file.name, file.digest, media_type, cache=CHANGING)


async def preview(request: Request) -> Response:
    grant, digest = await authorised(request, shared=True), request.path_params["digest"]
    share = request.scope.get("share")
    if share and not await database_sync_to_async(reach.shows)(share, grant, digest):
        raise HTTPException(404)
    found = Preview.objects.filter(of_project(grant.project, "inspection__"), digest=digest)
    role = await database_sync_to_async(found.values_list("role", flat=True).first)()
    if role is None:
        raise HTTPException(404)
    # What is kept for a role begins as its media type does: nothing else is believed.
    name = f"preview.{ENDINGS[Role(role)]}"
    return await deliver(request, name, digest, kind_and_type(name)[1], cache=lasting(request))


async def glimpse(request: Request) -> Response:
    """A picture or sound that is being made, for the page that was told of it."""
    grant = await authorised(request)
    shown = glimpses.shown(request.path_params["name"], grant.project)
    if shown is None:
        raise HTTPException(404)
    return await deliver(request, "", shown.digest, shown.media_type, cache="no-store")


async def all_files(request: Request) -> Response:
    grant = await authorised(request, shared=True)
    share = request.scope.get("share")
    if share is None:
        return await zipped(request, grant, archive.all_files)
    if not share.allow_download:
        raise HTTPException(404)
    shown = reach.shown_versions(share).order_by("artifact__path")
    versions = shown.select_related("artifact", "inspection")
    asked = requests(reach.asked(share), answers=False)
    make = partial(archive.these_files, share.title, versions, asked)
    return await archive.send(request, share.title, make, language(request.scope))


async def whole_project(request: Request) -> Response:
    return await zipped(request, await authorised(request), archive.whole_project)


async def zipped(request: Request, grant: Grant, make: Callable[[Project], ZipStream]) -> Response:
    project = await Project.objects.aget(pk=grant.project)
    return await archive.send(
        request, project.title, lambda: make(project), language(request.scope)
    )


async def bundle(request: Request) -> Response:
    """Files of several projects, all of which the address was signed for."""
    who = (await authorised(request)).to
    assert isinstance(who, Reader)
    signed = request.query_params.get("files", "")
    versions = await database_sync_to_async(bundles.versions)(signed, who)
    if not versions:
        raise HTTPException(404)
    return await archive.send(
        request, "files", lambda: archive.bundle(versions), language(request.scope)
    )


async def missing(request: Request, exc: Exception) -> Response:
    with override(language(request.scope)):
        title = gettext("This file is not here")
        text = gettext("The link is too old or the file is gone. Open it again from its project.")
    page = f"<!doctype html><meta charset=utf-8><title>{title}</title><h1>{title}</h1><p>{text}</p>"
    return HTMLResponse(page, status_code=404)
