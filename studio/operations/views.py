from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from studio.operations.status import overview


def status(request: HttpRequest) -> HttpResponse:
    """How the studio is; the page asks for the inner part of itself again and again."""
    inner = request.headers.get("HX-Request") == "true"
    context = {**admin.site.each_context(request), "title": _("Status"), "now": overview()}
    return render(request, f"admin/{'_status' if inner else 'status'}.html", context)
