"""Signing in with a link, and what somebody decides about their own account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from studio.accounts import export
from studio.accounts.forms import DeletionForm, ProfileForm
from studio.accounts.leaving import leave
from studio.accounts.models import SignInLink
from studio.artifacts.archive import gathered
from studio.projects import quota
from studio.projects.models import Project
from studio.projects.requests import BadRequest
from studio.runs import spending
from studio.web import UserRequest


@never_cache
@require_GET
@login_not_required
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in with a one-time link."""
    user = SignInLink.objects.redeem(token)
    if user is None or not user.is_active:
        return render(request, "accounts/link_expired.html", status=410)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("start")


@never_cache
@require_http_methods(["GET", "POST"])
def profile(request: UserRequest) -> HttpResponse:
    form = ProfileForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("accounts:profile")
    return render(request, "settings/profile.html", {"form": form})


@never_cache
@require_GET
def usage(request: UserRequest) -> HttpResponse:
    context = {
        "room": quota.usage(request.user.pk),
        "used": quota.used(request.user.pk),
        "shares": spending.shares(request.user.pk),
    }
    return render(request, "settings/usage.html", context)


@never_cache
@require_GET
def data(request: UserRequest) -> HttpResponse:
    return data_page(request, DeletionForm(request.user))


def data_page(request: UserRequest, form: DeletionForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "projects": Project.objects.filter(owner=request.user).count()}
    return render(request, "settings/data.html", context, status=status)


@require_POST
def export_data(request: UserRequest) -> StreamingHttpResponse:
    """Everything as a zip that no browser shows: an attachment, and nothing but a zip."""
    zipped = gathered(export.everything(request.user))
    name = f"sandbox-studio-{request.user.username}.zip"
    return StreamingHttpResponse(
        zipped,
        content_type="application/zip",
        headers={
            "Content-Disposition": content_disposition_header(True, name),
            "Cache-Control": "no-store",
        },
    )


@sensitive_post_parameters("password")
@require_POST
def delete(request: UserRequest) -> HttpResponse:
    form = DeletionForm(request.user, request.POST)
    if not form.is_valid():
        return data_page(request, form, 422)
    try:
        leave(request.user)
    except BadRequest as problem:
        form.add_error(None, str(problem))
        return data_page(request, form, problem.status)
    logout(request)
    messages.success(request, _("Your account is deleted, with everything that was in it."))
    return redirect("account_login")
