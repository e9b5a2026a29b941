"""A run is watched, steered and watched once more."""

import json
import re
import sqlite3
import threading
from contextlib import closing

import pytest
from playwright.sync_api import expect

from agent.models import Reply
from agent.testing import bash, submit
from tests.browser.test_pages import AXE, FINDINGS, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

WIDE = {"width": 1440, "height": 900}
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90" width="90" height="90">
<rect width="60" height="60"/></svg>"""
PAGE = "<!doctype html><title>Tea</title><body style='background:#345;color:#fff'><h1>Tea</h1>"
COLOURS = r"printf '\033[31mred\033[0m \033[38;5;208morange\033[0m plain\n'"


class Held:
    """An answer that calls a command once it is let go; `asked` is set when the model is asked."""

    def __init__(self, command):
        self.asked, self.go = threading.Event(), threading.Event()
        self.arguments = json.dumps({"command": command})

    def __call__(self, handler):
        self.asked.set()
        self.go.wait(60)
        call = {"name": "execute_bash", "arguments": self.arguments}
        message = {"role": "assistant", "content": None, "tool_calls": [
            {"id": "held", "type": "function", "function": call}
        ]}  # fmt: skip
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        body = json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]}).encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)


def test_a_run_is_steered_and_its_newest_file_stands_on_the_stage(
    studio, script, open_page, ask, until_ended
):
    page = open_page(studio, viewport=WIDE)
    first = Held(f'{COLOURS}; echo "{PAGE}" > output/tea.html')
    script.say(first)
    ask(page, "A page about tea")
    assert first.asked.wait(60)
    expect(page.locator("[data-status-facts]")).to_contain_text(":")
    field = page.get_by_role("textbox", name="Say something while it works")
    field.fill("In <b>blue</b>")
    page.keyboard.press("Enter")
    waiting = page.locator(".word")
    expect(waiting).to_have_text("In <b>blue</b>")
    expect(page.get_by_text("Will be read at the next turn")).to_be_visible()
    expect(field).to_have_value("")
    field.fill("And big")
    page.keyboard.press("Enter")
    expect(waiting).to_have_count(2)
    waiting.nth(1).get_by_role("button", name="Take it back").click()
    expect(waiting).to_have_count(1)

    first.go.set()
    expect(page.locator(".log .request")).to_have_text("In <b>blue</b>")
    expect(waiting).to_have_count(0)
    step = page.locator(".step").first
    step.locator("summary").click()
    expect(step.locator(".ansi-ink-red")).to_have_text("red")
    orange = step.locator(".step-output span[style]")
    expect(orange).to_have_css("color", "rgb(255, 135, 0)")
    expect(step.locator(".step-output")).to_have_text("red orange plain")

    stage = page.locator(".card").first.locator(".staged[data-ready]")
    expect(stage.frame_locator("iframe").get_by_role("heading")).to_have_text("Tea")
    assert stage.bounding_box()["width"] > 800
    expect(
        page.locator(".card").first.get_by_role("link", name="tea.html", exact=True)
    ).to_be_visible()

    page.reload()
    expect(page.locator(".log .request")).to_have_text("In <b>blue</b>")
    # What is still being typed when the run ends is not lost.
    field.fill("Too late")
    script.say(submit("Here is the page."))
    until_ended(page)
    request = page.get_by_role("textbox", name="Ask for a change or something new")
    expect(request).to_have_value("Too late")
    expect(request).to_be_focused()
    expect(field).to_be_hidden()

    # Nor is what the model was not told any more.
    run = page.locator("[data-run]").get_attribute("data-run").replace("-", "")
    with closing(sqlite3.connect(studio.var / "studio.sqlite3")) as database, database:
        database.execute("INSERT INTO runs_word (run_id, text) VALUES (?, 'In red')", [run])
    page.reload()
    expect(page.get_by_text("Came too late to be read")).to_be_visible()
    page.get_by_role("button", name="Ask for it now").click()
    expect(request).to_have_value("Too late\n\nIn red")


@pytest.fixture
def made(studio, script, open_page, ask, until_ended):
    """The path of a finished project of two files."""
    page = open_page(studio)
    ask(page, "Two pictures")
    script.say(
        Reply("First one.", calls=bash(f"echo '{DRAWING}' > output/one.svg").calls),
        Reply("Now the other.", calls=bash("cp output/one.svg output/two.svg").calls),
        submit("Both are here."),
    )
    until_ended(page)
    expect(page.locator(".card")).to_have_count(2)
    page.get_by_role("link", name="Watch it being made").click()
    expect(page).to_have_url(re.compile("/replay/1/$"))
    return page


def test_a_finished_run_is_replayed_at_any_speed(made, studio, open_page):
    page = made
    speed = page.get_by_role("combobox", name="Speed")
    speed.select_option("60")
    expect(page.get_by_text("Both are here.").filter(visible=True)).to_have_count(1)
    expect(page.locator(".card")).to_have_count(2)
    toggle = page.locator("[data-toggle]")
    expect(toggle).to_have_attribute("aria-label", "Play")
    expect(page.locator("[data-marks] i")).to_have_count(2)

    # Back to the beginning, on to when the first file came, and the second.
    page.locator("[data-scroll]").focus()
    page.keyboard.press("Home")
    expect(page.locator(".card")).to_have_count(0)
    expect(page.locator(".step")).to_have_count(0)
    expect(page.locator("[data-ended]")).to_be_hidden()
    page.keyboard.press(".")
    expect(page.locator(".card-name")).to_have_text(["one.svg"])
    page.keyboard.press(".")
    expect(page.locator(".card-name")).to_have_text(["two.svg", "one.svg"])
    page.keyboard.press(",")
    expect(page.locator(".card-name")).to_have_text(["one.svg"])
    expect(page.locator(".step")).to_have_count(1)
    page.get_by_label("Skip waiting").uncheck()
    expect(page.locator(".card-name")).to_have_text(["one.svg"])
    speed.select_option("30")
    page.locator("[data-scroll]").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Both are here.").filter(visible=True)).to_have_count(1)
    expect(page.locator("[data-seek]")).to_have_attribute(
        "aria-valuetext", re.compile(r"^(\d+:\d\d) of \1$")
    )
    assert "?v=" in page.locator(".card-name").first.get_attribute("href")
    path = page.url.removeprefix(studio.url)
    for scheme, locale in (("light", "en"), ("dark", "zh-CN")):
        phone = open_page(studio, path, viewport=PHONE, color_scheme=scheme, locale=locale)
        phone.locator("[data-scroll]").focus()
        phone.keyboard.press("End")
        expect(phone.locator("[data-toggle]")).to_be_in_viewport()
        assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        phone.evaluate(AXE.read_text())
        assert phone.evaluate(FINDINGS) == []


def test_who_points_at_an_element_asks_with_its_words(studio, script, open_page, ask, until_ended):
    page = open_page(studio)
    ask(page, "A page about tea")
    script.say(bash(f'echo "{PAGE}<p>Green</p>" > output/tea.html'), submit("Here."))
    until_ended(page)
    page.get_by_role("link", name="tea.html", exact=True).last.click()
    tool = page.get_by_role("button", name="Point at what should change")
    frame = page.frame_locator("iframe")
    listening = frame.locator("script")
    expect(frame.get_by_text("Green")).to_be_visible()
    tool.click()
    expect(page.get_by_text("Click on what should change.")).to_be_visible()
    expect(listening).to_have_count(1)
    page.keyboard.press("Escape")
    expect(tool).to_have_attribute("aria-pressed", "false")
    expect(listening).to_have_count(0)
    tool.click()
    expect(listening).to_have_count(1)
    frame.get_by_text("Green").click()
    expect(page.locator(".point-spot")).to_have_text("Element: Green")
    page.get_by_role("textbox", name="What should change here?").fill("Make it black")
    script.say(submit("It is black."))
    page.keyboard.press("Enter")
    until_ended(page)
    expect(page.locator(".request-text").last).to_have_text(
        "Make it black [This is about an element of output/tea.html: body > p, “Green”.]"
    )
