"""From a drawing on the start page to a run that makes what was filled in, by keyboard alone."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_pages import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


def test_a_starting_point_is_filled_in_and_asked_for(recipes_studio, open_page):
    page = open_page(recipes_studio, viewport=PHONE)
    page.get_by_role("link", name="All starting points").click()
    page.wait_for_load_state()
    page.get_by_role("link", name="Music", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".point")).to_have_count(2)
    expect(page.get_by_role("link", name="Music", exact=True)).to_be_focused()
    assert page.url.endswith("/start/?kind=music")
    page.get_by_role("link", name="Make my own: A piano piece for the evening").focus()
    page.keyboard.press("Enter")
    asked = page.locator("#asked blockquote")
    expect(asked).to_have_text("A calm piano piece in A minor, one minute, with the sheet music")
    page.get_by_label("Mood", exact=True).focus()
    page.keyboard.type("wist")
    page.get_by_label("Length", exact=True).select_option("30")
    prompt = "A wistful piano piece in A minor, 30 seconds, with the sheet music"
    expect(asked).to_have_text(prompt)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.get_by_role("button", name="Make it").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-run] .request-text")).to_have_text(prompt)
    expect(page.locator("[data-run]")).to_contain_text("a wistful piece for piano in A minor")
    page.get_by_role("button", name="Stop").first.click()
    expect(page.locator("[data-run]")).to_have_attribute("data-state", "ended")


def test_a_starting_point_is_gone_on_with_in_words(recipes_studio, open_page):
    page = open_page(recipes_studio, "/start/en/road-trip/")
    page.get_by_label("To", exact=True).fill("Kristiansund")
    expect(page.locator("#asked")).to_contain_text("Kristiansund")
    page.get_by_role("link", name="Go on in words").click()
    expect(page.get_by_role("textbox")).to_have_value(
        "A road-trip map titled “Across the mountains”, light theme: "
        "Bergen, Ålesund, Trondheim, Lillehammer, Kristiansund"
    )
    page.go_back()
    page.get_by_label("By way of", exact=True).fill("")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_label("By way of", exact=True)).to_be_focused()
