"""One starting point from the first step to its picture: real worker, sandbox and inspection."""

from __future__ import annotations

import pytest
from django.test import Client

from studio.inspections.models import Role
from studio.runs import worker
from studio.starting import making
from studio.starting.catalogue import point
from studio.starting.models import Result
from tests.studio.inspections.conftest import inspect_all

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.engine, pytest.mark.slow]


def test_a_card_is_made_and_shown(engine, alices_browser: Client) -> None:
    card = point("zh", "birthday-card")
    assert card
    assert making.begin(card)
    result = Result.objects.get()
    run = result.project.runs.get()
    worker.execute(run.pk)
    inspect_all()
    run.refresh_from_db()
    assert (run.reason, run.model) == ("submitted", "recipes")
    assert list(Result.objects.good()) == [result]
    picture = result.project.artifacts.get(kind="image").latest.inspection
    assert picture.previews.filter(role=Role.POSTER).exists()
    page = alices_browser.get("/start/", headers={"accept-language": "zh-CN"}).content.decode()
    assert f"{result.project_id}.artifacts.localhost" in page
    assert result.share.path in page
