"""From what the studio has made of a starting point to a run of one's own, by keyboard alone."""

import os
import subprocess
import sys
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


@dataclass(frozen=True)
class Point:
    """A starting point of one language, what is filled in, and what it then asks for."""

    key: str
    title: str
    usual: str
    mood: str
    downs: int
    length: str
    prompt: str
    said: str


POINTS = {
    "en": Point(
        key="en/piano",
        title="A piano piece for the evening",
        usual="A calm piano piece in A minor, one minute, with the sheet music",
        mood="Mood",
        downs=1,
        length="Length",
        prompt="A wistful piano piece in A minor, 30 seconds, with the sheet music",
        said="a wistful piece for piano in A minor",
    ),
    "zh-hans": Point(
        key="zh/guzheng",
        title="荷塘边的古筝曲",
        usual="写一首一分钟的古筝曲，D大调，中国风，配简谱",
        mood="感觉",
        downs=2,
        length="长度",
        prompt="写一首30秒的古筝曲，D大调，思念，配简谱",
        said="忧伤",
    ),
}


@pytest.fixture(scope="module")
def with_results(recipes_studio):
    """A studio that has made of these points what it shows of them, and of no others."""
    command = [sys.executable, "-m", "tests.browser.seeding"]
    command += [point.key for point in POINTS.values()]
    environment = {**os.environ, "STUDIO_VAR": str(recipes_studio.var)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return recipes_studio


def test_what_came_of_a_starting_point_is_seen_and_the_point_filled_in_and_asked_for(
    with_results, open_page, look, say
):
    page, point = open_page(with_results, look=look), POINTS[look.language]
    tile = page.locator(".tile", has=page.locator(".poster-picture"))
    expect(tile).to_contain_text(point.title)
    picture = tile.locator(".poster-picture")
    picture.scroll_into_view_if_needed()
    expect(picture).not_to_have_js_property("naturalWidth", 0)
    page.get_by_role("link", name=say("All starting points")).click()
    page.wait_for_load_state()
    music = page.get_by_role("link", name=say("Music"), exact=True)
    music.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".point")).to_have_count(2)
    expect(music).to_be_focused()
    assert page.url.endswith("/start/?kind=music")
    made = page.locator(".point", has_text=point.title)
    made.get_by_role("button", name=say("Play")).focus()
    page.keyboard.press("Enter")
    expect(made.locator("[data-begun]")).to_be_attached()
    expect(made.locator("audio")).to_have_js_property("duration", 1)
    page.get_by_role("link", name=f"{say('See the result')}: {point.title}").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=point.title, level=1)).to_be_visible()
    expect(page.locator(".card-name")).to_have_count(2)
    page.go_back()
    page.get_by_role("link", name=f"{say('Make my own')}: {point.title}").focus()
    page.keyboard.press("Enter")
    asked = page.locator("#asked blockquote")
    expect(asked).to_have_text(point.usual)
    came = page.get_by_role("region", name=say("What came of it here"))
    expect(came.locator(".card-name")).to_have_text(["piece.wav", "sheet.jpg"])
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
