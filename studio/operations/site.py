"""The administration, for operators."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from studio.operations.views import status


class StudioAdminSite(AdminSite):
    """For staff; for who is signed in otherwise there is no such place."""

    site_title = site_header = _("Administration")
    index_title = "Sandbox Studio"
    empty_value_display = "–"

    def get_urls(self):
        return [path("status/", self.admin_view(status), name="status"), *super().get_urls()]

    def has_permission(self, request: HttpRequest) -> bool:
        allowed = super().has_permission(request)
        if request.user.is_authenticated and not allowed:
            raise Http404
        return allowed

    @method_decorator(never_cache)
    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context=None) -> HttpResponse:
        home = reverse("admin:index")
        if self.has_permission(request):
            return redirect(home)
        return redirect_to_login(request.GET.get(REDIRECT_FIELD_NAME, home))
