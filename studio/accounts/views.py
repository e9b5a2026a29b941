from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from studio.accounts.models import SignInLink


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
