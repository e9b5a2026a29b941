from __future__ import annotations

import json

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET, require_POST

from studio.notices import push
from studio.notices.bell import bell
from studio.notices.models import Letters, Subscription
from studio.web import UserRequest

MOST = 10
OFFLINE_STYLES = [f"css/{name}.css" for name in ("tokens", "base", "components", "pages")]


def site(request: UserRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


@never_cache
@require_GET
def preferences(request: UserRequest) -> HttpResponse:
    """The page's bell among the settings."""
    about = {"mail": bool(settings.MAIL), "email_url": reverse("account_email")}
    return render(request, "notices/preferences.html", bell(request.user) | about)


@require_POST
def letters(request: UserRequest) -> HttpResponse:
    """Whether to send e-mails: `wanted` is 1 or 0."""
    Letters.objects.filter(user=request.user).delete()
    if request.POST.get("wanted") == "1" and settings.MAIL and request.user.email:
        Letters.objects.create(
            user=request.user, site=site(request), language=get_language() or "en"
        )
    return HttpResponse(status=204)


@require_POST
def subscribe(request: UserRequest) -> HttpResponse:
    """Push messages for this browser: the body is its `PushSubscription` as JSON."""
    try:
        endpoint, key, secret = push.checked(json.loads(request.body))
    except (ValueError, RecursionError) as error:
        return HttpResponse(str(error), status=422, content_type="text/plain")
    Subscription.objects.filter(endpoint=endpoint).delete()
    Subscription.objects.create(
        user=request.user,
        endpoint=endpoint,
        key=key,
        secret=secret,
        language=get_language() or "en",
    )
    old = Subscription.objects.filter(user=request.user).order_by("-pk")[MOST:]
    Subscription.objects.filter(pk__in=[row.pk for row in old]).delete()
    return HttpResponse(status=204)


@require_POST
def unsubscribe(request: UserRequest) -> HttpResponse:
    Subscription.objects.filter(
        user=request.user, endpoint=request.POST.get("endpoint", "")
    ).delete()
    return HttpResponse(status=204)


@require_GET
@login_not_required
@cache_control(max_age=0, must_revalidate=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker: below the root, as it is for all pages."""
    # Another language or other styles make it another script, which keeps its page anew.
    context = {
        "language": get_language(),
        "kept": json.dumps([static("img/rake.svg"), *map(static, OFFLINE_STYLES)]),
    }
    return render(request, "notices/worker.js", context, content_type="text/javascript")


@require_GET
@login_not_required
def offline(request: HttpRequest) -> HttpResponse:
    """What browsers keep and show while the studio can't be reached."""
    return render(request, "offline.html", {"styles": map(static, OFFLINE_STYLES)})
