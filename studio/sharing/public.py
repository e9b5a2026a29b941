"""What is for everybody: the gallery of what people listed, and what other sites ask for."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from studio.artifacts import links
from studio.sharing import picture, reach
from studio.sharing.models import Share
from studio.web import UserRequest

ON_A_PAGE = 24
# Of an embedded frame, in CSS pixels.
WIDTH, HEIGHT, LEAST = 800, 500, 200


@login_not_required
@require_safe
def explore(request: UserRequest) -> HttpResponse:
    """What people have listed, newest first."""
    # What got a password while somebody else listed it has both, and is not for everybody.
    listed = Share.objects.open().filter(listed=True, password="")
    listed = listed.select_related("project", "artifact")
    page = Paginator(listed.order_by("-created", "-pk"), ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    shown = []
    for share in page.object_list:
        cover = reach.cover(share)
        if cover and share.path:
            links.sign(request, [cover], reach.through(share))
            count = reach.shown_versions(share).count()
            shown.append({"share": share, "cover": cover, "count": count})
    return render(request, "sharing/explore.html", {"page_obj": page, "shown": shown})


@login_not_required
@require_safe
@cache_control(max_age=3600)
def robots(request: UserRequest) -> HttpResponse:
    """What search engines may read. Links that are not listed say themselves that they must not
    be found, which is read only where reading is allowed; and previews need it, too.
    """
    lines = ["User-agent: *", "Disallow: /", "Allow: /explore/", "Allow: /s/", "Allow: /static/"]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@login_not_required
@require_safe
def oembed(request: UserRequest) -> HttpResponse:
    """How another site shows a share in a frame, for its address (https://oembed.com)."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=501)
    share, token = share_at(request, request.GET.get("url", ""))
    if share.password:
        return HttpResponse(status=401)
    width, height = bounded(request, "maxwidth", WIDTH), bounded(request, "maxheight", HEIGHT)
    frame = request.build_absolute_uri(reverse("shared:embed", args=[token]))
    about = {"address": frame, "title": share.title, "width": width, "height": height}
    answer = {
        "version": "1.0",
        "type": "rich",
        "title": share.title,
        "provider_name": "Sandbox Studio",
        "provider_url": request.build_absolute_uri("/"),
        "width": width,
        "height": height,
        "html": render_to_string("sharing/_frame.html", about).strip(),
    }
    if (found := picture.of(reach.shown(share))) and found.width and found.height:
        answer |= {
            "thumbnail_url": request.build_absolute_uri(reverse("shared:preview", args=[token])),
            "thumbnail_width": found.width,
            "thumbnail_height": found.height,
        }
    response = JsonResponse(answer)
    if not share.listed:
        response["X-Robots-Tag"] = "noindex"
    return response


def share_at(request: UserRequest, url: str) -> tuple[Share, str]:
    """The open share that an address of this host leads to; 404 otherwise."""
    try:
        parts = urlsplit(url)
        match = resolve(parts.path)
    except (ValueError, Resolver404):
        raise Http404 from None
    if parts.netloc != request.get_host() or match.app_name != "shared":
        raise Http404
    token = match.kwargs["token"]
    share = Share.objects.open().with_token(token).select_related("project", "artifact").first()
    if share is None:
        raise Http404
    return share, token


def bounded(request: UserRequest, name: str, usual: int) -> int:
    """The side of a frame that is asked for, if it is less than the usual one and not too small."""
    asked = request.GET.get(name, "")
    if not (asked.isascii() and asked.isdecimal()):
        return usual
    return max(LEAST, min(usual, int(asked[:5])))
