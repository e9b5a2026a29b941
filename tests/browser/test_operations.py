"""The operators' page of a studio that runs."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import in_every_look

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


@in_every_look
def test_the_workers_of_a_running_studio_have_reported(recipes_studio, open_page, look):
    page, say = open_page(recipes_studio, "/admin/status/", look), look.say
    workers = page.get_by_role("region", name=say("Workers")).get_by_role("row")
    # Somebody who comes early sees them as soon as they report: the page asks again by itself.
    expect(workers).to_have_count(3)
    in_use = say("%(used)s in use, %(ready)s ready", used=r"\d+", ready=r"\d+")
    expect(workers.nth(1)).to_contain_text(re.compile(in_use))
    expect(page.get_by_text(say("None has reported so far."))).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
