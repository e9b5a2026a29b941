"""Versions of files: compared, brought back, and found again by the next request."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit
from tests.browser.looks import in_every_look

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


@pytest.fixture(scope="module")
def made():
    return []


@pytest.fixture
def project(studio, script, open_page, ask, until_ended, made):
    """The path of a project of which each file has two versions, made once."""
    if not made:
        page = open_page(studio)
        given = {"name": "guests.csv", "mimeType": "text/csv", "buffer": b"name\nMia\n"}
        for work, request, files in (
            (FIRST, "Something in blue", [given]),
            (SECOND, "Now in red", []),
        ):
            script.say(bash(work), submit("Done."))
            ask(page, request, files)
            until_ended(page)
        made.append(page.url.removeprefix(studio.url))
    return made[0]


@in_every_look
def test_versions_are_compared(studio, open_page, project, look):
    page, address = open_page(studio, project, look), studio.url + project
    lines_are_compared(page, address, look.say)
    pictures_are_compared(page, address, look.say)
    sounds_play_in_step(page, address)
    pages_are_compared(page, address, look.say)


def test_the_version_brought_back_is_what_the_next_request_finds(
    studio, open_page, project, script, ask, until_ended, show_files, look, say
):
    page, address = open_page(studio, f"{project}files/notes.txt", look), studio.url + project
    number = a_version_is_brought_back(page, say, 1)
    expect(page).to_have_url(f"{address}files/notes.txt")
    page.get_by_role("button", name=f"v{number}", exact=True).click()
    newest = page.get_by_role("link", name=re.compile(rf"^v{number}\b"))
    expect(newest).to_contain_text(say("Brought back from version %(number)d", number=1))
    now = datetime.now(UTC)
    lately = {re.escape(look.when(now - timedelta(minutes=ago))) for ago in range(3)}
    expect(newest).to_contain_text(re.compile("|".join(lately)))

    page.goto(address)
    show_files(page)
    a_file_is_removed_and_given_back(page, say)
    page.goto(address)
    script.say(bash("tail -n 1 output/notes.txt"), submit("Read."))
    ask(page, "What is in the last line?")
    until_ended(page)
    told = page.locator("[data-run]").last.locator(".step-output").first
    expect(told).to_contain_text("line 60")

    page.goto(f"{address}files/notes.txt")
    a_version_is_brought_back(page, say, 2)


def a_version_is_brought_back(page, say, version):
    """Returns the number that it has as the newest one."""
    versions = page.get_by_role("button", name=re.compile(r"^v\d+$"))
    number = int(versions.inner_text()[1:]) + 1
    versions.click()
    back = say("Bring version %(number)s back", number=version)
    page.get_by_role("button", name=back, exact=True).click()
    told = say("Version %(old)s is back as version %(number)s.", old=version, number=number)
    expect(page.get_by_text(told)).to_be_visible()
    return number


def lines_are_compared(page, address, say):
    page.goto(f"{address}compare/notes.txt?a=1&b=2")
    changes = say("Lines added: {added}. Lines removed: {removed}.", added=2, removed=1)
    expect(page.locator("[data-lines-facts]")).to_have_text(changes)
    expect(page.locator("td[data-sign='-']")).to_contain_text("line 30")
    expect(page.locator("td[data-sign='+'] mark")).to_have_text("thirty")
    expect(page.get_by_text("line 10", exact=True)).to_have_count(0)
    page.locator(".folded button").first.click()
    expect(page.get_by_text("line 10", exact=True)).to_be_visible()
    page.get_by_role("button", name=say("In two columns")).click()
    pair = page.locator("tr", has=page.locator("td[data-sign='-']"))
    expect(pair).to_contain_text("thirty")


def pictures_are_compared(page, address, say):
    page.goto(f"{address}compare/poster.png?a=1&b=2")
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
    page.get_by_role("button", name=say("Difference")).click()
    expect(page.locator(".picture-a")).to_have_css("mix-blend-mode", "difference")
    page.get_by_role("link", name=say("Swap the sides")).click()
    expect(page.locator("select[name=a]")).to_have_value("2")


def sounds_play_in_step(page, address):
    page.goto(f"{address}compare/tone.wav?a=1&b=2")
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


def pages_are_compared(page, address, say):
    page.goto(f"{address}compare/page.html?a=1&b=2")
    for side, colour in (("A", "blue"), ("B", "red")):
        frame = page.frame_locator(f"[data-side={side}] iframe")
        expect(frame.get_by_role("heading", name=colour)).to_be_visible()
    page.get_by_role("button", name=say("One at a time")).click()
    expect(page.locator("[data-side=B]")).to_be_hidden()
    page.keyboard.press("x")
    expect(page.locator("[data-side=B]")).to_be_visible()
    page.get_by_role("button", name=say("Source")).click()
    expect(page.locator("td[data-sign='+']")).to_contain_text("red")


def a_file_is_removed_and_given_back(page, say):
    remove = page.get_by_role("button", name=say("Remove %(name)s", name="guests.csv"))
    remove.click()
    expect(page.get_by_text(say("“%(name)s” was removed.", name="guests.csv"))).to_be_visible()
    page.get_by_role("button", name=say("Undo")).click()
    expect(remove).to_be_visible()


def test_a_page_is_packed(studio, open_page, project):
    page = open_page(studio, f"{project}files/page.html")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Make it self-contained").click()
    page.get_by_role("link", name="page.standalone.html is ready").click(timeout=60_000)
    page.wait_for_url("**/files/page.standalone.html")
    expect(page.frame_locator("iframe").get_by_role("heading", name="red")).to_be_visible()
