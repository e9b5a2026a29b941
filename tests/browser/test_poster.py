"""The whole way without a language model: sign in, ask, watch, open, follow up, take home."""

import os
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

EVENT = Path(__file__).parent / "data" / "event.json"
MINUTES = 4 * 60 * 1000


@pytest.fixture
def screenshot_path(tmp_path):
    """Where the picture of the README goes: into the docs only if somebody asks for that."""
    return os.environ.get("STUDIO_SCREENSHOT") or tmp_path / "screenshot.png"


def test_a_poster_appears_while_the_run_goes_on_and_is_opened_changed_and_taken_home(
    recipes_studio, open_page, ask, until_ended, tmp_path, screenshot_path
):
    page = open_page(recipes_studio, viewport={"width": 1440, "height": 900})
    expect(page.get_by_text("No language model is connected")).to_be_visible()
    ask(page, "Make an A3 poster from event.json", [EVENT])
    expect(page.locator(".request .chip")).to_contain_text("event.json")

    cards = page.locator(".card")
    expect(cards.first).to_be_visible(timeout=MINUTES)
    run = page.locator("[data-run]")
    assert run.get_attribute("data-state") == "running"
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    assert page.title().startswith("●")

    until_ended(page)
    expect(run.locator(".ended .ended-facts")).to_contain_text("no language model")
    poster = page.locator(".card[data-path$='.png'] .poster-picture")
    # One that can't be decoded is complete as well, but has no width.
    expect(poster).not_to_have_js_property("naturalWidth", 0)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=screenshot_path)

    page.locator(".card[data-path$='.png'] .card-name").click()
    picture = page.locator("[data-canvas] img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 2000
    page.keyboard.press("Escape")
    expect(page.locator("[data-gallery]")).to_be_visible()

    versions = {
        card.get_attribute("data-path"): card.get_attribute("data-digest") for card in cards.all()
    }
    ask(page, "Make it green")
    until_ended(page)
    expect(page.locator("[data-run]")).to_have_count(2)
    for path, digest in versions.items():
        card = page.locator(f".card[data-path='{path}']")
        expect(card).to_contain_text("v2")
        expect(card).not_to_have_attribute("data-digest", digest)

    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download all", exact=True).click()
    waiting.value.save_as(tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip") as files:
        assert files.testzip() is None
        assert {Path(name).name for name in files.namelist()} >= {Path(p).name for p in versions}
