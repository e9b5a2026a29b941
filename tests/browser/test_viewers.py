"""Each kind of file is shown for what it is."""

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

FILES = r"""cd output
cat > page.html <<'H'
<title>x</title><h1>Hello</h1>
<script>document.body.append("script ran")</script>
H
cat > shape.svg <<'H'
<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><path d="M0 0h40v30"/></svg>
H
printf 'name,size\nbeta,10\nalpha,9\n' > table.csv
echo '{"title": "Deep", "parts": [{"n": 1}]}' > tree.json
printf '# Notes\n<b>not bold</b>\n' > notes.md
python3 - <<'P'
import struct, wave
with wave.open("tone.wav", "wb") as file:
    file.setparams((1, 2, 8000, 0, "NONE", ""))
    file.writeframes(b"".join(struct.pack("<h", (i % 40) * 300) for i in range(16000)))
notes = b"".join(bytes([0, 0x90, pitch, 80, 48, 0x80, pitch, 0]) for pitch in (60, 64, 67))
track = b"\0\xff\x51\x03\x07\xa1\x20" + notes + b"\0\xff\x2f\0"
head = b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96)
open("tune.mid", "wb").write(head + b"MTrk" + struct.pack(">I", len(track)) + track)
P
python3 -m zipfile -c bundle.zip notes.md"""


@pytest.fixture(scope="module")
def projects():
    """The path of the project that has one file of each kind, made once."""
    return []


@pytest.fixture
def show(studio, script, open_page, ask, until_ended, projects):
    """Opens the viewer of a file."""
    page = open_page(studio)
    if not projects:
        script.say(bash(FILES), submit("One of each."))
        ask(page, "One file of each kind")
        until_ended(page)
        expect(page.locator(".card")).to_have_count(8)
        projects.append(page.url)

    def show_(name):
        page.goto(f"{projects[0]}files/{name}")
        return page

    return show_


def test_a_page_runs_in_a_frame_with_device_widths_and_stores_in_its_own_origin(show):
    page = show("page.html")
    frame = page.frame_locator(".device iframe")
    expect(frame.get_by_role("heading", name="Hello")).to_be_visible()
    expect(frame.get_by_text("script ran")).to_be_visible()
    page.get_by_role("button", name="Phone").click()
    expect(page.locator(".device iframe")).to_have_css("width", "390px")
    # Private windows, as tests have them, let nothing be stored in frames of another site.
    with page.expect_popup() as waiting:
        page.get_by_role("link", name="Open in a new tab").click()
    alone = waiting.value
    assert alone.evaluate("localStorage.seen = 1, localStorage.seen") == "1"
    assert ".artifacts.localhost" in alone.evaluate("location.host")


def test_a_table_sorts_by_its_numbers(show):
    page = show("table.csv")
    cells = page.locator("tbody tr td:first-child")
    expect(cells).to_have_text(["beta", "alpha"])
    page.get_by_role("button", name="size").click()
    expect(cells).to_have_text(["alpha", "beta"])
    expect(page.locator("th", has_text="size")).to_have_attribute("aria-sort", "ascending")


def test_json_is_a_tree(show):
    tree = show("tree.json").locator("[data-tree]")
    expect(tree).to_contain_text('title: "Deep"')
    expect(tree).not_to_contain_text("n: 1")
    tree.locator("summary").last.click()
    expect(tree).to_contain_text("n: 1")


def test_text_is_shown_as_it_is_written(show):
    expect(show("notes.md").locator("[data-source]")).to_have_text("# Notes\n<b>not bold</b>")


def test_a_picture_zooms_with_keys_and_fits_again(show):
    page = show("shape.svg")
    picture = page.locator("[data-canvas] img")
    page.keyboard.press("1")
    expect(picture).to_have_css("width", "40px")
    page.keyboard.press("+")
    expect(picture).to_have_css("width", "50px")
    page.keyboard.press("0")
    expect(page.locator("[data-canvas]")).to_have_attribute("data-fit", "")


def test_sound_has_a_player_that_knows_its_length(show):
    page = show("tone.wav")
    expect(page.locator(".player-time")).to_have_text("0:00 / 0:02")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_midi_shows_its_notes(show):
    page = show("tune.mid")
    expect(page.locator("[data-facts]")).to_contain_text("Notes: 3")
    expect(page.locator("[data-facts]")).to_contain_text("Beats a minute: 120")


def test_what_has_no_preview_can_be_downloaded(show):
    page = show("bundle.zip")
    expect(page.get_by_text("It can't be shown here")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download").click()
    assert waiting.value.suggested_filename == "bundle.zip"


def test_arrow_keys_go_through_the_files_and_escape_leads_back(show, projects):
    page = show("notes.md")
    page.locator("[data-source]").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: "/files/" in url and not url.endswith("notes.md"))
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/files/notes.md")
    page.keyboard.press("Escape")
    page.wait_for_url(projects[0])
