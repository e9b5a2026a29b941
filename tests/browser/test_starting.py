"""From a drawing on the start page to a run that makes what was filled in, by keyboard alone."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


@dataclass(frozen=True)
class Point:
    """A starting point of one language, what is filled in, and what it then asks for."""

    title: str
    usual: str
    mood: str
    downs: int
    length: str
    prompt: str
    said: str


POINTS = {
    "en": Point(
        title="A piano piece for the evening",
        usual="A calm piano piece in A minor, one minute, with the sheet music",
        mood="Mood",
        downs=1,
        length="Length",
        prompt="A wistful piano piece in A minor, 30 seconds, with the sheet music",
        said="a wistful piece for piano in A minor",
    ),
    "zh-hans": Point(
        title="荷塘边的古筝曲",
        usual="写一首一分钟的古筝曲，D大调，中国风，配简谱",
        mood="感觉",
        downs=2,
        length="长度",
        prompt="写一首30秒的古筝曲，D大调，思念，配简谱",
        said="忧伤",
    ),
}


def test_a_starting_point_is_filled_in_and_asked_for(recipes_studio, open_page, look, say):
    page, point = open_page(recipes_studio, look=look), POINTS[look.language]
    page.get_by_role("link", name=say("All starting points")).click()
    page.wait_for_load_state()
    music = page.get_by_role("link", name=say("Music"), exact=True)
    music.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".point")).to_have_count(2)
    expect(music).to_be_focused()
    assert page.url.endswith("/start/?kind=music")
    page.get_by_role("link", name=f"{say('Make my own')}: {point.title}").focus()
    page.keyboard.press("Enter")
    asked = page.locator("#asked blockquote")
    expect(asked).to_have_text(point.usual)
    page.get_by_label(point.mood, exact=True).focus()
    for _ in range(point.downs):
        page.keyboard.press("ArrowDown")
    page.get_by_label(point.length, exact=True).select_option("30")
    expect(asked).to_have_text(point.prompt)
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    page.get_by_role("button", name=say("Make it")).focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-run] .request-text")).to_have_text(point.prompt)
    expect(page.locator("[data-run]")).to_contain_text(point.said)
    page.get_by_role("button", name=say("Stop"), exact=True).click()
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
    expect(page.locator("#asked")).to_contain_text("“By way of” can’t be used like this.")
    assert "422" in open_page.complaints.pop()
