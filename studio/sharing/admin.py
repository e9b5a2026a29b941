"""Links for the operator: who shared what, and the way to close it."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from studio.sharing.models import Share

SHOWN = ("title", "creator", "listed", "views", "created", "expires", "revoked")


class ShareAdmin(admin.ModelAdmin):
    """Neither the link nor the password is shown; to make or change one takes the project."""

    list_display = SHOWN
    list_filter = ["listed", "created"]
    list_select_related = ["project", "artifact", "creator"]
    search_fields = ["project__title", "artifact__path", "creator__username"]
    actions = ["close"]
    fields = readonly_fields = SHOWN

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Share | None = None) -> bool:
        return False

    @admin.display(description=_("title"))
    def title(self, share: Share) -> str:
        return share.title

    @admin.action(description=_("Revoke the selected links"), permissions=["delete"])
    def close(self, request: HttpRequest, shares: QuerySet[Share]) -> None:
        for share in shares.filter(revoked=None):
            share.revoke()


admin.site.register(Share, ShareAdmin)
