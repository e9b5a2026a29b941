"""Webhooks are added by programs and on the page of the settings, where people see what came of
them.
"""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from studio import crypto
from studio.accounts.models import User
from studio.api import addresses, signing
from studio.api.models import URL_LENGTH, Webhook
from studio.api.problems import Refused
from studio.web import UserRequest

MOST = 20
# How many of its deliveries the page shows of each.
SHOWN = 10


def add(user: User, url: str) -> tuple[Webhook, str]:
    """A new webhook, and the secret that signs what is sent to it.

    Raises:
        Refused: the studio does not call this address, or the user has too many.
    """
    if len(url) > URL_LENGTH or not addresses.plausible(url):
        told = _("This is no address that the studio may call: take an https one that is public.")
        raise Refused("bad_address", told)
    secret = signing.new_secret()
    with transaction.atomic():
        # Nobody adds another one meanwhile.
        User.objects.select_for_update().get(pk=user.pk)
        if user.webhooks.count() >= MOST:
            told = _("You have %(most)d webhooks already. Delete one first.")
            raise Refused("too_many_webhooks", told % {"most": MOST}, 409)
        return user.webhooks.create(url=url, secret=crypto.encrypted(secret)), secret


@never_cache
@require_http_methods(["GET", "POST"])
def webhooks(request: UserRequest) -> HttpResponse:
    """The webhooks one has; the answer to the form shows a new one's secret, and nothing ever
    again.
    """
    url = request.POST.get("url", "").strip()
    secret = ""
    problem: Refused | None = None
    if request.method == "POST":
        try:
            _row, secret = add(request.user, url)
        except Refused as refused:
            problem = refused
    rows = request.user.webhooks.order_by("-pk")
    context = {
        "webhooks": [(row, row.deliveries.all()[:SHOWN]) for row in rows],
        "secret": secret,
        "problem": problem,
        "url": url if problem else "",
    }
    return render(request, "api/webhooks.html", context, status=problem.status if problem else 200)


@require_POST
def remove(request: UserRequest, webhook_id: int) -> HttpResponse:
    get_object_or_404(request.user.webhooks, pk=webhook_id).delete()
    return redirect("api:webhooks")
