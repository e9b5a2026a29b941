"""The tile of what is being made, told by hints."""

import io
import wave

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TILE = """async (markup) => {
  document.body.innerHTML = `<div>${markup}</div>`;
  const { LiveTile } = await import("/js/live-tile.js");
  window.tile = new LiveTile(document.querySelector("[data-live]"), () => {});
  window.heard = (seconds) => {
    tile.hint({ kind: "glimpse", media: "audio", path: "a.wav", url: `/sound/${seconds}` });
  };
}"""
# Whether it plays on, later than this second.
BEYOND = """async (audio, second) => {
  const deadline = Date.now() + 60_000;
  const beyond = () => !audio.paused && audio.currentTime > second;
  while (!beyond() && Date.now() < deadline) await new Promise((again) => setTimeout(again, 50));
  return beyond();
}"""


def sound(seconds):
    """A silent WAV."""
    told = io.BytesIO()
    with wave.open(told, "wb") as file:
        file.setparams((1, 1, 8000, 0, "NONE", ""))
        file.writeframes(b"\x80" * 8000 * seconds)
    return told.getvalue()


@pytest.fixture
def tile(lone_page):
    lone_page.route(
        "**/sound/*",
        lambda route: route.fulfill(
            body=sound(int(route.request.url.split("/")[-1])), content_type="audio/wav"
        ),
    )
    lone_page.evaluate(TILE, render_to_string("projects/_live.html"))
    return lone_page


def test_who_listens_to_the_sound_so_far_goes_on_with_what_has_come_since(tile):
    audio = tile.locator("audio")
    tile.evaluate("heard(1)")
    expect(audio).to_be_visible()
    audio.evaluate("audio => audio.play()")
    tile.evaluate("heard(90)")
    assert audio.evaluate(BEYOND, 1)
    tile.evaluate("tile.clear()")
    expect(audio).to_be_visible()
    audio.evaluate("audio => audio.pause()")
    expect(tile.locator("[data-live]")).to_be_hidden()
