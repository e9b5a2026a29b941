from __future__ import annotations

from dataclasses import asdict

from django.conf import settings
from ninja import Router

from studio.api import schemas
from studio.api.tokens import Request
from studio.endpoints import choices
from studio.projects import quota
from studio.runs.models import Spending
from studio.runs.spending import today

router = Router(tags=["Me"])


@router.get("/me", response=schemas.Me, summary="See who you are")
def me(request: Request):
    """What you have used, what you may use, and what you can choose from."""
    user, token = request.user, request.auth
    spent = Spending.objects.filter(user=user, day=today()).first() or Spending()
    return {
        "username": user.get_username(),
        "token": token.name,
        "scope": token.scope,
        "expires": token.expires,
        "bytes": {"used": quota.used(user.pk), "most": quota.allowance(user.pk)},
        "day": {
            "tokens": spent.tokens,
            "most_tokens": settings.DAY_TOKENS,
            "cost": spent.cost,
            "most_cost": settings.DAY_COST,
            "currency": settings.CURRENCY,
        },
        "models": [asdict(each) for each in choices.offered("")],
        "networks": settings.NETWORKS,
    }
