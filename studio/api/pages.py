"""For people: their tokens, and what the API can do."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from studio.accounts.models import User
from studio.api import reference as described
from studio.api.forms import LIFETIMES, TokenForm
from studio.api.models import Scope, Token
from studio.api.v1 import api
from studio.web import UserRequest

MOST = 50


@never_cache
@require_http_methods(["GET", "POST"])
def tokens(request: UserRequest) -> HttpResponse:
    """The tokens one has; the answer to the form shows the new one, and nothing ever again."""
    made, problem, posted = "", "", request.method == "POST"
    form = TokenForm(request.POST) if posted else TokenForm()
    if posted and not form.is_valid():
        problem = _("Give it a name of at most 60 characters.")
    elif posted:
        made = issue(request.user, form)
        problem = "" if made else _("You have %(most)d tokens. Revoke one first.") % {"most": MOST}
    context = {
        "tokens": request.user.tokens.all(),
        "made": made,
        "problem": problem,
        "form": form,
        "scopes": Scope.choices,
        "lifetimes": LIFETIMES,
        "base": request.build_absolute_uri("/"),
    }
    return render(request, "api/tokens.html", context, status=422 if problem else 200)


def issue(user: User, form: TokenForm) -> str:
    """A new token, or nothing if its user has too many."""
    with transaction.atomic():
        # Nobody adds another one meanwhile.
        User.objects.select_for_update().get(pk=user.pk)
        if user.tokens.count() >= MOST:
            return ""
        about = form.cleaned_data
        return Token.objects.issue(user, about["name"], about["scope"], form.lifetime)


@require_POST
def revoke(request: UserRequest, token_id: int) -> HttpResponse:
    get_object_or_404(request.user.tokens, pk=token_id).delete()
    return redirect("api:tokens")


@require_GET
def reference(request: UserRequest) -> HttpResponse:
    """All that the API can do, from the same document that programs read."""
    base = request.build_absolute_uri("/api/v1")
    context = {"groups": described.groups(api.document(), base), "base": base}
    return render(request, "api/reference.html", context)
