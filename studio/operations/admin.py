"""People, projects and runs in the administration: to be looked at, with little to be changed."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from studio.accounts.house import people
from studio.accounts.leaving import is_last_operator, leave
from studio.accounts.models import User
from studio.projects import quota
from studio.projects.models import Project
from studio.runs.models import Run


class ForSuperusers(admin.ModelAdmin):
    """Seen and changed by superusers, whatever other rights somebody has."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj=None) -> bool:
        return request.user.is_superuser

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission


# Django's own page of people brings them along; nothing here asks who is in one.
admin.site.unregister(Group)


@admin.register(User)
class PersonAdmin(UserAdmin, ForSuperusers):
    list_display = ["username", "get_full_name", "email", "files", "last_login", "is_active"]
    list_filter = ["is_active", "is_staff", "is_superuser"]
    ordering = ["username"]
    readonly_fields = ["files", "last_login", "date_joined"]
    filter_horizontal = []
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (_("Person"), {"fields": ["first_name", "last_name", "email"]}),
        (_("Files"), {"fields": ["room", "files"]}),
        (_("Rights"), {"fields": ["is_active", "is_staff", "is_superuser"]}),
        (_("Times"), {"fields": ["last_login", "date_joined"]}),
    ]

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).filter(pk__in=people())

    @admin.display(description=_("files take"))
    def files(self, user: User) -> str:
        return filesizeformat(quota.used(user.pk))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return allowed and not (obj and is_last_operator(obj))

    def get_actions(self, request: HttpRequest) -> dict:
        """One at a time: each deletion shows what goes with it."""
        return {}

    def get_deleted_objects(self, objs, request: HttpRequest):
        """The projects by name; what belongs to them goes without being listed."""
        projects = Project.objects.filter(owner__in=objs)
        told = [str(user) for user in objs] + [str(project) for project in projects]
        return told, {_("users"): len(objs), _("projects"): len(projects)}, set(), []

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        leave(obj)


class LookedAt(ForSuperusers):
    """Rows that the studio alone writes."""

    def has_add_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    has_delete_permission = has_change_permission


@admin.register(Project)
class ProjectAdmin(LookedAt):
    list_display = ["id", "title", "owner", "updated", "network"]
    list_filter = ["network"]
    list_select_related = ["owner"]
    search_fields = ["id", "title", "owner__username"]
    fields = ["id", "title", "owner", "network", "model", "created", "updated"]


@admin.register(Run)
class RunAdmin(LookedAt):
    """What a run took and how it ended; what was asked for is between the user and the model."""

    list_display = ["id", "owner", "status", "reason", "model", "created", "ended"]
    list_filter = ["status", "reason"]
    list_select_related = ["project__owner"]
    search_fields = ["id", "project__id", "project__owner__username"]
    fields = [
        *("id", "project", "number", "status", "reason", "message", "model", "sandbox"),
        *("created", "started", "paused", "ended", "lease_until"),
        *("turns", "tokens_in", "tokens_out", "tokens_cached", "cost", "resources"),
    ]

    @admin.display(description=_("owner"), ordering="project__owner__username")
    def owner(self, run: Run) -> str:
        return run.project.owner.username
