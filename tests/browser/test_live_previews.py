"""What is being made shows while it is made, and what is open changes with its file."""

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit
from tests.browser.axe import serious
from tests.browser.looks import DESK, NIGHT_PHONE

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

RENDER = """python3 - <<'P'
import os, time, wave
from PIL import Image, ImageDraw
sound = wave.open("draft.wav", "wb")
sound.setparams((1, 2, 8000, 0, "NONE", ""))
for n in range(1, 161):
    frame = Image.new("RGB", (640, 360), (30, 40 + n, 120))
    ImageDraw.Draw(frame).ellipse((3 * n, 120, 3 * n + 120, 240), fill=(255, 170, 60))
    frame.save("new.png")
    os.rename("new.png", "preview.png")
    sound.writeframes(bytes(8000))
    sound._file.flush()
    print(f"frame {n}/160", end="\\r", flush=True)
    time.sleep(0.2)
P
"""
LENGTH = """async (audio) => {
  if (!audio.duration) await new Promise((told) => audio.addEventListener("loadedmetadata", told));
  return audio.duration;
}"""
EDITIONS = """for n in $(seq 12); do
  echo "<!doctype html><title>News</title><h1>Edition $n</h1>" >news.part
  mv news.part output/news.html
  sleep 2
done"""


def test_frames_sound_and_progress_show_while_they_are_made_and_an_open_page_follows(
    studio, script, open_page, ask, until_ended, show_files
):
    script.say(bash(RENDER), bash(EDITIONS), submit("Done."))
    page = open_page(studio, look=DESK)
    ask(page, "Make a film")
    project = page.url
    phone = open_page(studio, project.removeprefix(studio.url), NIGHT_PHONE)
    show_files(phone)
    for look, seen in ((DESK, page), (NIGHT_PHONE, phone)):
        what_is_made_is_shown(seen, look)

    card = page.locator(".card[data-path='news.html']")
    expect(card).to_be_visible(timeout=60_000)
    for seen in (page, phone):
        expect(seen.locator("[data-live]")).to_be_hidden()

    page.goto(f"{project}files/news.html")
    edition = page.frame_locator("[data-viewer] iframe").get_by_role("heading")
    expect(edition).to_be_visible()
    read = edition.text_content()
    page.evaluate("window.stayed = true")
    expect(edition).not_to_have_text(read, timeout=30_000)
    expect(page.get_by_text("It was written anew")).to_be_visible()
    assert page.evaluate("window.stayed")
    page.goto(project)
    until_ended(page)
    expect(page.locator("[data-live]")).to_be_hidden()


def what_is_made_is_shown(page, look):
    tile = page.locator("[data-live]")
    progress = tile.get_by_role("progressbar", name=look.say("Progress"))
    frame = tile.locator("[data-live-frame] img")
    expect(progress).to_be_visible(timeout=60_000)
    expect(tile).to_contain_text("/160")
    if not look.phone:
        expect(page.locator("[data-status-facts]")).to_contain_text("%")
    expect(frame).to_be_visible(timeout=30_000)
    expect(tile).to_contain_text("preview.png")
    assert frame.evaluate("image => image.naturalWidth") == 640
    assert 0 < float(progress.get_attribute("value")) < 1
    first = frame.get_attribute("src")
    expect(frame).not_to_have_attribute("src", first, timeout=15_000)
    sound = tile.locator("audio")
    expect(sound).to_be_visible()
    # Not `wait_for_function`: what it does later than at once, the page's policy forbids.
    assert sound.evaluate(LENGTH) > 0
    assert serious(page) == []
