"""What visitors see who come with a link. No page here needs an account, but to make their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, cast

from csp.decorators import csp_replace, csp_update
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from studio.artifacts import links
from studio.artifacts.models import Artifact
from studio.artifacts.viewers import OWN_ARROWS, POLICIES
from studio.projects import networks
from studio.projects.views import start_page
from studio.sharing import counting, picture, reach, unlocking
from studio.sharing.models import Share
from studio.web import UserRequest

# So many cards a page of the wall has.
WALL = 24
# Pages elsewhere may show this one page; nobody can do anything in it but look.
FRAMED = {"frame-ancestors": ["*"]}

View = Callable[..., HttpResponse]


def opened(view: View) -> View:
    """Give the view the share of its token; whoever must not see it gets a page that says so."""

    @never_cache
    @wraps(view)
    def answer(request: UserRequest, token: str, **where: str | int) -> HttpResponse:
        shares = Share.objects.open().with_token(token)
        share = shares.select_related("project", "artifact").first()
        if share is None:
            response = closed(request)
        elif not unlocking.unlocked(share, request.COOKIES.get(unlocking.COOKIE)):
            response = locked(request, share, token)
        else:
            response = view(request, share, token, **where)
        if share is None or not share.listed:
            response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return answer


def closed(request: UserRequest) -> HttpResponse:
    """Says that a link opens nothing, and not why."""
    return render(request, "sharing/closed.html", {"framed": framed(request)}, status=404)


def framed(request: UserRequest) -> bool:
    """Whether the page may be a part of another one: then nobody can be tricked to press here."""
    return bool(request.resolver_match and request.resolver_match.url_name == "embed")


def locked(request: UserRequest, share: Share, token: str) -> HttpResponse:
    """Asks for the password, wherever in the share somebody wants to go; tells nothing else."""
    home = reverse("shared:page", args=[token])
    context = {"home": home, "framed": framed(request), "problem": ""}
    status = 403
    if request.method == "POST":
        try:
            unlocking.attempt(request, share)
        except unlocking.Refused as refused:
            context["problem"], status = str(refused), refused.status
        else:
            response = redirect(home)
            unlocking.remember(response, share, home)
            return response
    return render(request, "sharing/locked.html", context, status=status)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
@opened
def page(request: UserRequest, share: Share, token: str) -> HttpResponse:
    """The share: a wall of files, or its one file in full. Its password is posted here."""
    if request.method == "POST":
        return redirect("shared:page", token)
    if share.artifact_id is None:
        return wall(request, share, token, "sharing/project.html")
    counting.count(request, share)
    return shown_file(request, share, token, 0)


@login_not_required
@require_safe
@opened
def file(request: UserRequest, share: Share, token: str, path: str) -> HttpResponse:
    """One file of a shared project in full."""
    return shown_file(request, share, token, place(reach.shown(share), path))


@login_not_required
@require_safe
@xframe_options_exempt
@csp_replace(FRAMED)
@opened
def embed(request: UserRequest, share: Share, token: str) -> HttpResponse:
    """The share as a part of somebody else's page."""
    if share.artifact_id is None:
        return wall(request, share, token, "sharing/embed_wall.html")
    counting.count(request, share)
    return shown_file(request, share, token, 0, "sharing/embed_file.html")


@login_not_required
@require_safe
@opened
def open_file(request: UserRequest, share: Share, token: str, path: str) -> HttpResponse:
    """To the bytes, as a download if `download` is given and allowed."""
    files = reach.shown(share)
    artifact = files[place(files, path)]
    assert artifact.latest
    query = {"download": "1"} if "download" in request.GET else {}
    if query and not share.allow_download:
        raise Http404
    through = reach.through(share)
    return redirect(
        links.version_address(request, artifact, artifact.latest, through=through, **query)
    )


@login_not_required
@require_safe
@opened
def all_files(request: UserRequest, share: Share, token: str) -> HttpResponse:
    if not share.allow_download:
        raise Http404
    zip_path, through = ".studio/all.zip", reach.through(share)
    return redirect(
        links.address(request, share.project_id, zip_path, through=through, lang=get_language())
    )


@login_not_required
@require_safe
@opened
def preview(request: UserRequest, share: Share, token: str) -> HttpResponse:
    """To the picture that other sites show beside a link to the share."""
    found = picture.of(reach.shown(share))
    if found is None:
        raise Http404
    path, through = f".studio/preview/{found.digest}", reach.through(share)
    at = found.inspection.version
    return redirect(links.address(request, share.project_id, path, at=at, through=through))


@require_safe
@opened
def own(request: UserRequest, share: Share, token: str) -> HttpResponse:
    """The start page with what was asked for here: signed in, anybody makes something of it."""
    files = reach.shown(share)
    asked = request.GET.get("file")
    artifact = files[place(files, asked)] if asked else None
    return start_page(request, prompt(share, files, artifact))


def prompt(share: Share, files: Sequence[Artifact], artifact: Artifact | None = None) -> str:
    """What was asked for, if visitors may know: for one of the files that they are shown, or for
    the project at first.
    """
    if not share.show_prompts:
        return ""
    if share.artifact_id:
        artifact = files[0] if files else None
    run = reach.request(share, artifact.latest) if artifact and artifact.latest else None
    if run is None and share.artifact_id is None:
        run = share.project.runs.first()
    return run.prompt if run else ""


def place(files: list[Artifact], path: str) -> int:
    """Where in the list the file with this path is; 404 if it is not there."""
    for at, artifact in enumerate(files):
        if artifact.path == path:
            return at
    raise Http404


def wall(request: UserRequest, share: Share, token: str, template: str) -> HttpResponse:
    """The files of a project, a page at a time: those behind the file `after`, if one is named."""
    context = context_of(request, share, token)
    files, after = context["files"], request.GET.get("after")
    begin = place(files, after) + 1 if after else 0
    cards = files[begin : begin + WALL]
    links.sign(request, cards, reach.through(share))
    context |= {"cards": cards, "more": len(files) > begin + WALL}
    if request.htmx:
        context["target"] = template != "sharing/project.html"
        return render(request, "sharing/_cards.html", context)
    counting.count(request, share)
    return render(request, template, context)


def context_of(request: UserRequest, share: Share, token: str) -> dict[str, Any]:
    """What all pages of a share tell."""
    files = reach.shown(share)
    home = reverse("shared:page", args=[token])
    return {
        "share": share,
        "token": token,
        "home": home,
        "address": request.build_absolute_uri(home),
        "preview": picture.of(files),
        "preview_address": request.build_absolute_uri(reverse("shared:preview", args=[token])),
        "oembed_address": request.build_absolute_uri(reverse("oembed")),
        "stamp": reach.stamp(share),
        "files": files,
        "prompt": prompt(share, files),
        "replay": reach.runs(share).first(),
        "network": networks.effective(share.project.network),
        "shared": True,
    }


def shown_file(
    request: UserRequest,
    share: Share,
    token: str,
    at: int,
    template: str = "sharing/file.html",
) -> HttpResponse:
    """The viewer of the file at this place, allowed what its kind needs."""
    context = context_of(request, share, token)
    files = context["files"]
    if not files:
        return closed(request)
    artifact = files[at]
    links.sign(request, [artifact], reach.through(share))
    take = f"{reverse('shared:open', args=[token, artifact.path])}?download=1"
    context |= {
        "artifact": artifact,
        "version": artifact.latest,
        "kind": artifact.kind,
        "own_arrows": artifact.kind in OWN_ARROWS,
        "previous": files[at - 1] if at else None,
        "next": files[at + 1] if at + 1 < len(files) else None,
        "take_url": take if share.allow_download else "",
        "prompt": prompt(share, files, artifact),
        "replay": reach.runs(share).filter(versions=artifact.latest).first() or context["replay"],
    }

    def rendered(request: HttpRequest) -> HttpResponse:
        return render(request, template, context)

    return cast(HttpResponse, csp_update(POLICIES.get(artifact.kind, {}))(rendered)(request))
