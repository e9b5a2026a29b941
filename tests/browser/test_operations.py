"""The operators' page of a studio that runs."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


@pytest.mark.parametrize("width", [1440, 375])
def test_the_workers_of_a_running_studio_have_reported(width, recipes_studio, open_page):
    viewport = {"width": width, "height": 800}
    page = open_page(recipes_studio, "/admin/status/", viewport=viewport)
    workers = page.get_by_role("region", name="Workers").get_by_role("row")
    # Somebody who comes early sees them as soon as they report: the page asks again by itself.
    expect(workers).to_have_count(3)
    expect(workers.nth(1)).to_contain_text("in use")
    expect(page.get_by_text("Nobody carries out runs")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
