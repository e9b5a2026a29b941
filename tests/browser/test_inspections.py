"""What is found in files appears on their cards, also when the run has long ended."""

import re

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

SECONDS = 1000
FILES = r"""cd output
cat > page.html <<'H'
<!doctype html><html lang=en><meta name=viewport content="width=device-width"><title>x</title>
<link rel=stylesheet href=style.css><h1>Hello</h1><p>Some words that people can read.</p>
H
python3 - <<'P'
import struct, wave, zlib
from PIL import Image, ImageDraw
picture = Image.new("RGB", (320, 200), "navy")
ImageDraw.Draw(picture).ellipse((40, 30, 200, 170), fill="gold")
picture.save("picture.png")
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
rows, side = zlib.compressobj(1), 50_000
with open("huge.png", "wb") as file:
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head))
    body = b"".join(rows.compress(bytes(side // 8 + 1)) for _ in range(side)) + rows.flush()
    file.write(chunk(b"IDAT", body) + chunk(b"IEND", b""))
notes = b"".join(bytes([0, 0x90, pitch, 80, 48, 0x80, pitch, 0]) for pitch in (60, 64, 67))
track = b"\0\xff\x51\x03\x07\xa1\x20" + notes + b"\0\xff\x2f\0"
head = b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96)
open("tune.mid", "wb").write(head + b"MTrk" + struct.pack(">I", len(track)) + track)
with wave.open("half.wav", "wb") as file:
    file.setparams((1, 2, 8000, 0, "NONE", ""))
    loud = b"".join(struct.pack("<h", i % 40 * 300) for i in range(8000))
    file.writeframes(loud + bytes(len(loud)))
P
ffmpeg -v error -f lavfi -i testsrc2=s=320x180:d=3 -f lavfi -i sine=d=3 -pix_fmt yuv420p \
  -movflags +faststart film.mp4
sleep 4
echo 'h1 { color: teal }' > style.css"""


def card(page, path):
    return page.locator(f".card[data-path='{path}']")


def shown(page):
    """All cards with what was found, in the end."""
    for path in ("page.html", "picture.png", "film.mp4", "tune.mid", "half.wav"):
        badge = card(page, path).locator(".badge")
        expect(badge).to_have_attribute("data-verdict", "passed", timeout=120 * SECONDS)
    for picture in page.locator(".poster-picture").all():
        # One that is out of sight is not loaded, and one that can't be decoded has no width.
        picture.scroll_into_view_if_needed()
        expect(picture).not_to_have_js_property("naturalWidth", 0)
    loud_then_silent(card(page, "half.wav"))
    badge = card(page, "huge.png").locator(".badge")
    expect(badge).to_have_attribute(
        "data-verdict", re.compile("failed|unknown"), timeout=120 * SECONDS
    )


def loud_then_silent(place):
    """The wave of a player is as high as the sound: of this one the first half."""
    waves = place.locator(".with-wave .wave path")
    expect(waves).to_have_count(2)
    heights = [
        [1 - float(top) for top in re.findall(r"M[\d.]+ ([\d.]+)V", wave.get_attribute("d"))]
        for wave in waves.all()
    ]
    assert heights[0] == heights[1]
    half = len(heights[0]) // 2
    assert half >= 8
    assert min(heights[0][: half - 1]) > 0.8
    assert max(heights[0][half + 1 :]) < 0.1


def is_leafed_through(page, place):
    """Where the pointer is on a video's card decides which of its frames is seen."""
    place.scroll_into_view_if_needed()
    box, frame = place.bounding_box(), place.locator(".poster-frame")
    for part, left in ((0.01, "0%"), (0.99, "100%")):
        for away in range(600):
            # Until the frames are there it moves in vain.
            page.mouse.move(box["x"] + part * box["width"], box["y"] + 20 + away % 2)
            if frame.count():
                break
            page.wait_for_timeout(100)
        expect(frame).to_have_css("background-position-x", left)
    frames = frame.evaluate("each => parseFloat(getComputedStyle(each).backgroundSize) / 100")
    assert frames >= 3
    page.mouse.move(0, 0)
    expect(frame).to_have_count(0)


def test_cards_fill_in_while_the_run_goes_on_and_after_its_end(
    studio, script, open_page, ask, until_ended
):
    page = open_page(studio)
    # What its check told the model of broken files it has heard once: it may hand them over then.
    script.say(bash(FILES), submit("Here they are."), submit("They are meant to be so."))
    ask(page, "A page, a picture, a film, and a tune")
    expect(card(page, "picture.png").locator(".badge")).to_have_attribute(
        "data-verdict", "passed", timeout=60 * SECONDS
    )
    until_ended(page)
    shown(page)
    # The page was looked at before its style was there, and once more at the end.
    expect(card(page, "page.html").locator(".badge")).to_contain_text("Checked")
    assert page.locator("[data-run]").count() == 1
    page.reload()
    shown(page)
    expect(page.locator(".card")).to_have_count(7)
    is_leafed_through(page, card(page, "film.mp4"))
    project = page.url
    page.goto(f"{project}files/half.wav")
    loud_then_silent(page.locator("[data-listen]"))
    page.goto(f"{project}files/film.mp4")
    page.get_by_role("button", name="Checked").click()
    panel = page.get_by_role("region", name="Checks")
    expect(panel).to_contain_text("Nothing wrong was found.")
    expect(panel).to_contain_text("320x180")
    # On the stage the page was loaded before its style was there, too.
    assert all("Refused to apply style" in told for told in open_page.complaints)
    open_page.complaints.clear()
