"""Versions of files: compared, brought back, and found again by the next request."""

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

MAKE = r"""cd output
seq 1 60 | sed 's/^/line /' > notes.txt
printf '<!doctype html><html lang="en"><title>x</title><h1>%s</h1>' COLOUR > page.html
python3 - <<'P'
import struct, wave
from PIL import Image
poster = Image.new("RGB", (80, 60), "COLOUR")
poster.paste("white", (10, 10, 30, 20))
poster.save("poster.png")
with wave.open("tone.wav", "wb") as file:
    file.setparams((1, 2, 8000, 0, "NONE", ""))
    file.writeframes(b"".join(struct.pack("<h", (i % 40) * 300) for i in range(8000 * SECONDS)))
P
"""
FIRST = MAKE.replace("COLOUR", "blue").replace("SECONDS", "3")
SECOND = MAKE.replace("COLOUR", "red").replace("SECONDS", "5") + (
    "sed -i -e 's/^line 30$/line thirty/' -e '$a last' notes.txt"
)
MUTED = "[...document.querySelectorAll('audio')].map((each) => each.muted)"


@pytest.fixture
def project(studio, script, open_page, ask, until_ended):
    """The page of a project of which each file has two versions, and its address."""
    page = open_page(studio)
    given = {"name": "guests.csv", "mimeType": "text/csv", "buffer": b"name\nMia\n"}
    for work, request, files in (
        (FIRST, "Something in blue", [given]),
        (SECOND, "Now in red", []),
    ):
        script.say(bash(work), submit("Done."))
        ask(page, request, files)
        until_ended(page)
    return page, page.url


def test_versions_are_compared_and_the_one_brought_back_is_what_the_next_request_finds(
    project, script, ask, until_ended
):
    page, address = project
    lines_are_compared(page, address)
    pictures_are_compared(page, address)
    sounds_play_in_step(page, address)
    pages_are_compared(page, address)
    a_page_is_packed(page, address)

    page.goto(f"{address}files/notes.txt")
    page.get_by_role("button", name="v2").click()
    page.get_by_role("button", name="Bring version 1 back").click()
    expect(page.get_by_text("Version 1 is back as version 3.")).to_be_visible()
    expect(page).to_have_url(f"{address}files/notes.txt")
    page.get_by_role("button", name="v3").click()
    expect(page.get_by_text("Brought back from version 1")).to_be_visible()

    page.goto(address)
    a_file_is_removed_and_given_back(page)
    script.say(bash("tail -n 1 output/notes.txt"), submit("Read."))
    ask(page, "What is in the last line?")
    until_ended(page)
    told = page.locator("[data-run]").last.locator(".step-output").first
    expect(told).to_contain_text("line 60")


def lines_are_compared(page, address):
    page.goto(f"{address}compare/notes.txt")
    expect(page.locator("[data-lines-facts]")).to_have_text("Lines added: 2. Lines removed: 1.")
    expect(page.locator("td[data-sign='-']")).to_contain_text("line 30")
    expect(page.locator("td[data-sign='+'] mark")).to_have_text("thirty")
    expect(page.get_by_text("line 10", exact=True)).to_have_count(0)
    page.get_by_role("button", name="lines that are the same").first.click()
    expect(page.get_by_text("line 10", exact=True)).to_be_visible()
    page.get_by_role("button", name="In two columns").click()
    pair = page.locator("tr", has=page.locator("td[data-sign='-']"))
    expect(pair).to_contain_text("thirty")


def pictures_are_compared(page, address):
    page.goto(f"{address}compare/poster.png")
    part, stage = page.get_by_role("slider"), page.locator("[data-stage]")
    expect(page.locator(".picture-a img")).to_be_visible()
    expect(stage).to_be_in_viewport(ratio=1)
    expect(part).to_be_in_viewport()
    part.focus()
    page.keyboard.press("ArrowLeft")
    expect(part).to_have_value("49")
    box = stage.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 20)
    page.mouse.up()
    expect(part).to_have_value("80")
    page.get_by_role("button", name="Difference").click()
    expect(page.locator(".picture-a")).to_have_css("mix-blend-mode", "difference")
    page.get_by_role("link", name="Swap the sides").click()
    expect(page.locator("select[name=a]")).to_have_value("2")


def sounds_play_in_step(page, address):
    page.goto(f"{address}compare/tone.wav")
    expect(page.locator(".player-time")).to_have_text("0:00 / 0:05")
    expect(page.locator("[data-speed]")).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    # The shorter one stays at its end.
    first, second = page.locator("audio").all()
    expect(first).to_have_js_property("currentTime", 3)
    expect(second).to_have_js_property("currentTime", 5)
    page.keyboard.press("Home")
    page.keyboard.press("b")
    page.keyboard.press("Space")
    expect(page.locator(".player-time")).to_have_text("0:01 / 0:05")
    assert abs(float(page.locator("[data-players]").get_attribute("data-drift"))) < 0.4
    assert page.evaluate(MUTED) == [True, False]


def pages_are_compared(page, address):
    page.goto(f"{address}compare/page.html")
    for side, colour in (("A", "blue"), ("B", "red")):
        frame = page.frame_locator(f"[data-side={side}] iframe")
        expect(frame.get_by_role("heading", name=colour)).to_be_visible()
    page.get_by_role("button", name="One at a time").click()
    expect(page.locator("[data-side=B]")).to_be_hidden()
    page.keyboard.press("x")
    expect(page.locator("[data-side=B]")).to_be_visible()
    page.get_by_role("button", name="Source").click()
    expect(page.locator("td[data-sign='+']")).to_contain_text("red")


def a_page_is_packed(page, address):
    page.goto(f"{address}files/page.html")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Make it self-contained").click()
    page.get_by_role("link", name="page.standalone.html is ready").click(timeout=60_000)
    page.wait_for_url("**/files/page.standalone.html")
    expect(page.frame_locator("iframe").get_by_role("heading", name="red")).to_be_visible()


def a_file_is_removed_and_given_back(page):
    page.get_by_role("button", name="Remove guests.csv").click()
    expect(page.get_by_text("“guests.csv” was removed.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Remove guests.csv")).to_be_visible()
