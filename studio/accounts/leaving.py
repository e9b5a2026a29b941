"""The end of an account, and of everything that is its own."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from studio.accounts.models import User
from studio.projects.requests import BadRequest


def leave(user: User) -> None:
    """Delete a user with their projects; whoever works on a run of one notices that it is gone.

    Their files are gone from every address at once, and from the disk when the store is swept.
    Projects of others stay as they are.

    Raises:
        BadRequest: nobody else could administer the studio.
    """
    with transaction.atomic():
        # All of them, in order: of two who leave at the same time the second one stays.
        list(User.objects.filter(is_superuser=True).order_by("pk").select_for_update())
        if is_last_operator(user):
            raise BadRequest(
                _(
                    "Nobody else can administer this studio. Make somebody else a superuser in "
                    "the administration, then delete your account."
                )
            )
        user.delete()


def is_last_operator(user: User) -> bool:
    """Whether nobody could administer the studio without this user."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and not others.exists()
