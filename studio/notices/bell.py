"""What the page's bell offers to somebody."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from studio.accounts.models import User
from studio.notices import push
from studio.notices.models import Letters


def bell(user: User) -> dict[str, Any]:
    """For the template: e-mails only where there are a mail server and an address."""
    return {
        "push_key": push.public_key(),
        "letters_possible": bool(settings.MAIL and user.email),
        "letters_wanted": Letters.objects.filter(user=user).exists(),
    }
