"""A video's card, through whose frames the keyboard leads."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CARD = """async () => {
  document.body.innerHTML = `<article class="card"><a href="#film">A film</a>
    <span data-strip="/strip.png"></span></article><a href="#next">The next one</a>`;
  (await import("/js/cards.js")).cards(document.body);
}"""
# As long as two frames stand.
A_WHILE = 900


def strip():
    told = io.BytesIO()
    Image.new("RGB", (4 * 160, 90), "teal").save(told, "PNG")
    return told.getvalue()


def test_frames_go_by_while_a_card_has_the_focus_and_not_after_it(lone_page):
    held = []
    lone_page.route("**/strip.png", lambda route: held.append(route))
    lone_page.evaluate(CARD)
    lone_page.keyboard.press("Tab")
    while not held:
        lone_page.wait_for_timeout(20)
    lone_page.keyboard.press("Tab")
    with lone_page.expect_event("requestfinished"):
        held[0].fulfill(body=strip(), content_type="image/png")
    lone_page.wait_for_timeout(A_WHILE)
    frame = lone_page.locator(".poster-frame")
    expect(frame).to_have_count(0)

    lone_page.keyboard.press("Shift+Tab")
    for left in ("0%", "100%", "0%"):
        expect(frame).to_have_css("background-position-x", left)
    lone_page.keyboard.press("Tab")
    expect(frame).to_have_count(0)
