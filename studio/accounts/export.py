"""Everything that the studio keeps of a person, as one zip that is made while it is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from zipstream import ZipStream

from studio.accounts.models import User
from studio.artifacts.archive import Archive, add_whole
from studio.artifacts.readme import text
from studio.notices.models import Letters, Subscription
from studio.people.models import Invitation
from studio.projects import quota
from studio.projects.models import Project
from studio.runs.models import Spending
from studio.sharing.models import Share


def everything(user: User) -> ZipStream:
    """The account as JSON, and each project as a folder with all that is kept of it."""
    archive = Archive()
    projects = list(Project.objects.filter(owner=user).order_by("created"))
    archive.text("account.json", lambda: told(user))
    for number, project in enumerate(projects, 1):
        # The number keeps projects of the same title apart.
        add_whole(archive, project, f"projects/{number} {project.title.replace('/', '_')}/")
    return archive.zipped(lambda names: about(user, projects))


def told(user: User) -> Iterator[str]:
    yield json.dumps(account(user), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)


def account(user: User) -> dict[str, Any]:
    """What is kept of the person; what proves who they are, such as the password, is left out."""
    return {
        "username": user.username,
        "name": user.get_full_name(),
        "email": user.email,
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "exported": timezone.now(),
        "bytes_used": quota.used(user.pk),
        "email_addresses": rows(
            EmailAddress.objects.filter(user=user), "email", "verified", "primary"
        ),
        "identity_providers": rows(
            SocialAccount.objects.filter(user=user), "provider", "uid", "date_joined", "extra_data"
        ),
        "sessions": rows(
            UserSession.objects.filter(user=user),
            *("ip", "user_agent", "created_at", "last_seen_at"),
        ),
        "spending": rows(
            Spending.objects.filter(user=user).order_by("day"), "day", "tokens", "cost"
        ),
        "projects": rows(
            Project.objects.filter(owner=user).order_by("created"),
            *("id", "title", "network", "model", "created", "updated"),
        ),
        "members_of_own_projects": rows(
            Project.objects.filter(owner=user, members__isnull=False).order_by("created"),
            *("id", "members__user__username", "members__role", "members__created"),
        ),
        "member_of": rows(
            user.memberships.order_by("created"), "project", "project__title", "role", "created"
        ),
        "invitations": rows(
            Invitation.objects.filter(made_by=user).order_by("created"),
            *("project", "role", "most", "uses", "created", "expires"),
        ),
        "shared_links": rows(
            Share.objects.filter(Q(creator=user) | Q(project__owner=user)).order_by("created"),
            *("project", "artifact__path", "pinned", "listed", "allow_download", "show_prompts"),
            *("allow_replay", "views", "created", "expires", "revoked"),
        ),
        "tokens": rows(
            user.tokens.order_by("created"), "name", "scope", "created", "used", "expires"
        ),
        "webhooks": rows(user.webhooks.all(), "url", "active", "created"),
        "stars": rows(user.stars.order_by("pk"), "artifact__project", "artifact__path"),
        "tags": rows(user.tags.all(), "name", "artifacts__project", "artifacts__path"),
        "letters": rows(Letters.objects.filter(user=user), "site", "language"),
        "push_messages": rows(Subscription.objects.filter(user=user), "endpoint", "language"),
    }


def rows(queryset, *fields: str) -> list[dict[str, Any]]:
    return list(queryset.values(*fields))


def about(user: User, projects: list[Project]) -> str:
    """What lies beside it, in the reader's language."""
    lines = [
        f"# {text(user.shown_name)}",
        "",
        gettext("Everything that the studio kept of you when you asked for it."),
        "",
        f"- `account.json`: {gettext('your account, and what you spent')}",
        *(
            f"- `projects/{number} …`: {text(project.title)}"
            for number, project in enumerate(projects, 1)
        ),
        "",
        gettext(
            "In each project, “files” are as you see them, “versions” the older ones, “inputs” "
            "what you gave, and “trajectory” what happened in each request."
        ),
        "",
    ]
    return "\n".join(lines)
