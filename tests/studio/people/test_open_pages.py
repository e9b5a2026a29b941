"""What somebody who is taken out of a project has open at that moment."""

from __future__ import annotations

import pytest
from channels.db import database_sync_to_async
from django.test import Client

from studio.accounts.models import User
from studio.projects.models import Member
from studio.runs import consumers
from studio.runs.models import Run
from tests.studio.conftest import signed_in
from tests.studio.runs.test_consumers import Page, say

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bobs_browser(run: Run) -> Client:
    bob = User.objects.create_user("bob")
    Member.objects.create(project=run.project, user=bob)
    return signed_in(bob)


async def test_a_page_hears_nothing_any_more_as_soon_as_its_reader_is_out(
    run: Run, bobs_browser: Client, alices_browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It does not come to look by itself.
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 3600)
    page = Page(bobs_browser, run.pk)
    assert await page.connect()
    await say(run, "between us")
    await page.read_until("between us")
    member = await Member.objects.aget()
    path = f"/projects/{run.project_id}/people/{member.pk}/remove/"
    await database_sync_to_async(alices_browser.post)(path)
    while page.code is None:
        await page.read()
    assert page.code == consumers.NOT_FOUND
    again = Page(bobs_browser, run.pk)
    assert await again.connect()
    await again.read()
    assert again.code == consumers.NOT_FOUND
