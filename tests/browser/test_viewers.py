"""Each kind of file is shown for what it is."""

import re

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit
from tests.browser.axe import serious
from tests.browser.conftest import SECONDS
from tests.browser.looks import on_a_desk

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
cat > notes.md <<'M'
# Notes

<b>not bold</b> [the table](table.csv) [a script](javascript:alert(1)) ![shape](shape.svg) ![far](https://example.org/far.png)

- [x] done

```python
def greet(): return "hello"
```
M
printf 'def greet():\n    return "hello"  # said\n' > code.py
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\n' > solid.obj
echo '<h1>Busy</h1><script>while (true);</script>' > stuck.html
echo 'not a model' | tee broken.glb broken.png broken.mp4 > broken.json
: > empty.csv
cp "$(fc-list --format '%{file}\n' | grep -m1 '[.]ttf$')" letters.ttf
ffmpeg -v error -f lavfi -i testsrc=size=64x48:rate=10:duration=20 -pix_fmt yuv420p film.mp4
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
python3 -m zipfile -c bundle.zip notes.md
python3 - <<'P'
from reportlab.pdfgen.canvas import Canvas
pdf = Canvas("paper.pdf")
for words in ("First page", "Second page"):
    pdf.drawString(72, 720, words)
    pdf.showPage()
pdf.save()
P"""


def without_graphics(complaints):
    """Where there is no graphics card the browser says that it draws by itself, and how slowly."""
    complaints[:] = [text for text in complaints if "GL" not in text]


@pytest.fixture(scope="module")
def projects():
    """The path of the project that has one file of each kind, made once."""
    return []


@pytest.fixture
def show(studio, script, open_page, ask, until_ended, projects, look):
    """Opens the viewer of a file."""
    page = open_page(studio, look=look)
    if not projects:
        # What its check told the model of broken files it has heard once.
        script.say(bash(FILES), submit("One of each."), submit("Two of them are meant to be so."))
        ask(page, "One file of each kind")
        until_ended(page)
        expect(page.locator(".card")).to_have_count(19)
        projects.append(page.url)

    def show_(name):
        page.goto(f"{projects[0]}files/{name}")
        return page

    return show_


KINDS = [
    "page.html",
    "shape.svg",
    "film.mp4",
    "tone.wav",
    "tune.mid",
    "notes.md",
    "table.csv",
    "tree.json",
    "code.py",
    "solid.obj",
    "bundle.zip",
    "letters.ttf",
    "broken.png",
    "broken.json",
]


def test_every_viewer_is_for_all(show, open_page, look):
    for name in KINDS:
        page = show(name)
        expect(page.locator("[data-shown]")).to_be_attached(timeout=SECONDS * 1000)
        assert serious(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") == look.width, name
    without_graphics(open_page.complaints)


def test_a_page_runs_in_a_frame_with_device_widths_and_stores_in_its_own_origin(show, look, say):
    page = show("page.html")
    frame = page.frame_locator(".device iframe")
    expect(frame.get_by_role("heading", name="Hello")).to_be_visible()
    expect(frame.get_by_text("script ran")).to_be_visible()
    page.get_by_role("button", name=say("Phone")).click()
    expect(page.locator(".device iframe")).to_have_css("width", "375px")
    page.get_by_role("button", name=say("Rotate")).click()
    expect(page.locator(".device iframe")).to_have_css("width", "667px")
    # Private windows, as tests have them, let nothing be stored in frames of another site.
    if look.phone:
        page.get_by_role("button", name=say("More"), exact=True).click()
    with page.expect_popup() as waiting:
        page.get_by_role("link", name=say("Open in a new tab")).first.click()
    alone = waiting.value
    assert alone.evaluate("localStorage.seen = 1, localStorage.seen") == "1"
    assert ".artifacts.localhost" in alone.evaluate("location.host")


def test_a_table_sorts_by_its_numbers(show, say):
    page = show("table.csv")
    cells = page.locator("tbody tr td:first-child")
    expect(cells).to_have_text(["beta", "alpha"])
    page.get_by_role("button", name="size").click()
    expect(cells).to_have_text(["alpha", "beta"])
    expect(page.locator("th", has_text="size")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("searchbox").fill("bet")
    expect(cells).to_have_text(["beta"])
    expect(page.locator("[data-facts]")).to_have_text(
        say("{shown} of {rows} rows", shown=1, rows=2)
    )


def test_json_is_a_tree(show):
    page = show("tree.json")
    tree = page.locator("[data-tree]")
    expect(tree).to_contain_text('title: "Deep"')
    expect(tree.locator(".glance", has_text="n: 1").last).to_be_visible()
    page.get_by_role("searchbox").fill("n")
    page.get_by_role("searchbox").press("Enter")
    expect(tree.locator(".found")).to_have_text("n: 1")


def test_markdown_reads_well_and_nothing_of_it_is_html(show, say):
    page = show("notes.md")
    text = page.locator("[data-rendered]")
    expect(text.get_by_role("heading", name="Notes")).to_be_visible()
    expect(text).to_contain_text("<b>not bold</b>")
    expect(text.get_by_role("link")).to_have_text(["the table", "far"])
    expect(text.get_by_role("img", name="shape")).to_have_js_property("naturalWidth", 40)
    expect(text).to_contain_text("☑ done")
    expect(text.locator("pre .hljs-string")).to_have_text('"hello"')
    page.get_by_role("button", name=say("Source")).click()
    expect(page.locator("[data-source] .line").first).to_have_text("# Notes")
    page.get_by_role("button", name=say("Reading")).click()
    text.get_by_role("link", name="the table").click()
    page.wait_for_url("**/files/table.csv")


def test_code_has_colours_numbers_and_lines_that_wrap(show, say):
    page = show("code.py")
    source = page.locator("[data-source]")
    expect(source.locator(".line")).to_have_text(["def greet():", '    return "hello"  # said'])
    expect(source.locator(".hljs-comment")).to_have_text("# said")
    page.keyboard.press("w")
    expect(source).to_have_css("white-space-collapse", "preserve")
    expect(source).to_have_css("text-wrap-mode", "wrap")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=say("Copy"), exact=True).click()
    page.get_by_role("button", name=say("Copied")).wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("def greet():\n")


def test_a_picture_zooms_with_keys_and_fits_again(show):
    page = show("shape.svg")
    expect(page.locator("[data-shown]")).to_be_attached()
    picture = page.locator("[data-canvas] img")
    page.keyboard.press("1")
    expect(picture).to_have_css("width", "40px")
    page.keyboard.press("+")
    expect(picture).to_have_css("width", "50px")
    page.keyboard.press("0")
    expect(page.locator("[data-canvas]")).to_have_attribute("data-fit", "")


def test_sound_has_a_player_that_knows_its_length(show, say):
    page = show("tone.wav")
    expect(page.locator(".player-time")).to_have_text("0:00 / 0:02")
    page.get_by_role("button", name=say("Play"), exact=True).click()
    expect(page.get_by_role("button", name=say("Pause"), exact=True)).to_be_visible()


def test_midi_shows_its_notes(show, say):
    page = show("tune.mid")
    expect(page.locator("[data-facts]")).to_contain_text(say("Notes: {count}", count=3))
    expect(page.locator("[data-facts]")).to_contain_text(say("Beats a minute: {count}", count=120))


@on_a_desk
def test_a_video_is_played_with_the_keys_alone(show):
    page = show("film.mp4")
    expect(page.locator("[data-shown]")).to_be_attached()
    video = page.locator("video")
    expect(page.locator(".player-time")).to_have_text("0:00 / 0:20")
    page.locator("[data-speed]").select_option("2")
    expect(video).to_have_js_property("playbackRate", 2)
    video.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(video).to_have_js_property("currentTime", 10)
    page.keyboard.press("ArrowLeft")
    expect(video).to_have_js_property("currentTime", 5)
    page.keyboard.press(".")
    expect(video).not_to_have_js_property("currentTime", 5)
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("k")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator(".theatre:fullscreen")).to_be_attached()
    page.keyboard.press("f")
    expect(page.locator(":fullscreen")).to_have_count(0)
    page.keyboard.press("]")
    page.wait_for_url(lambda url: "/files/" in url and not url.endswith("film.mp4"))


@on_a_desk
def test_a_model_turns(show, open_page):
    page = show("solid.obj")
    expect(page.locator(".model canvas")).to_be_visible(timeout=SECONDS * 1000)
    expect(page.locator("[data-facts]")).to_have_text("Triangles: 3")
    page.keyboard.press("w")
    expect(page.get_by_role("button", name="Wires")).to_have_attribute("aria-pressed", "true")
    without_graphics(open_page.complaints)


@on_a_desk
def test_what_cannot_be_shown_says_why_and_what_to_do(show, open_page):
    page = show("broken.glb")
    reload = page.get_by_role("button", name="Reload the page")
    why = page.locator("[data-plain] [data-why]")
    expect(why).to_contain_text("it may be damaged")
    expect(page.get_by_role("link", name="Download").last).to_be_visible()
    expect(reload).to_be_visible()
    show("broken.png")
    expect(why).to_contain_text("it may be damaged")
    show("broken.mp4")
    expect(why).to_contain_text("This browser can’t play it")
    show("empty.csv")
    expect(why).to_have_text("The file is empty.")
    show("broken.json")
    expect(page.locator("[data-tree]")).to_have_text("not a model")
    expect(page.locator("[data-note]")).to_contain_text("This is not valid JSON")
    page.route("**/viewers/code.js", lambda route: route.abort())
    show("code.py")
    expect(why).to_contain_text("A part of this page could not be loaded")
    page.unroute("**/viewers/code.js")
    reload.click()
    expect(page.locator("[data-source]")).to_contain_text("def greet()")
    files = re.compile(r"[.]artifacts[.]localhost")
    page.route(files, lambda route: route.abort())
    show("page.html")
    expect(why).to_contain_text("Check the connection")
    page.unroute(files)
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    show("solid.obj")
    expect(why).to_contain_text("can’t draw in 3D", timeout=SECONDS * 1000)
    open_page.complaints.clear()


# The page comes as it would from hours ago, once.
AGED = """if (!sessionStorage.aged && location.pathname.endsWith("NAME")) {
  sessionStorage.aged = true;
  const aged = (url) => url.replace(/(artifacts[.]localhost:[0-9]+)[/][^/]+/, "$1/too.old.token");
  new MutationObserver(() => {
    for (const element of document.querySelectorAll("[data-url], [src], [poster]")) {
      for (const name of ["data-url", "src", "poster"]) {
        const url = element.getAttribute(name);
        if (url && aged(url) !== url) element.setAttribute(name, aged(url));
      }
    }
  }).observe(document, { childList: true, subtree: true });
}"""


@on_a_desk
@pytest.mark.parametrize("name", ["page.html", "shape.svg", "film.mp4", "notes.md"])
def test_a_link_that_is_too_old_is_renewed_and_a_file_that_is_gone_told_of(show, open_page, name):
    page = show("table.csv")
    page.add_init_script(AGED.replace("NAME", name))
    show(name)
    old = re.compile("too.old.token")
    expect(page.locator("[data-viewer]")).not_to_have_attribute("data-url", old)
    assert any("404" in complaint for complaint in open_page.complaints)
    expect(page.locator("[data-shown]")).to_be_attached()
    expect(page.locator("[data-plain]")).to_be_hidden()

    everybody = {"access-control-allow-origin": "*"}
    gone = re.compile(rf"[.]artifacts[.]localhost.*/{re.escape(name)}")
    page.route(gone, lambda route: route.fulfill(status=404, headers=everybody))
    show(name)
    expect(page.locator("[data-plain] [data-why]")).to_contain_text("The file is no longer here.")
    open_page.complaints.clear()


@on_a_desk
def test_a_pdf_shows_its_pages_where_the_browser_has_no_viewer(show):
    page = show("notes.md")
    page.add_init_script(
        "Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => false })"
    )
    show("paper.pdf")
    expect(page.get_by_role("img")).to_have_count(2)
    second = page.get_by_role("img", name="Page 2 of 2")
    second.scroll_into_view_if_needed()
    expect(second).to_have_text("Second page")


@on_a_desk
def test_a_font_is_written_with(show):
    page = show("letters.ttf")
    page.get_by_role("textbox").fill("Words of mine")
    expect(page.locator("[data-lines] p").first).to_have_text("Words of mine")
    assert page.evaluate("[...document.fonts].some(({ family }) => family === 'Specimen')")


@on_a_desk
def test_a_page_that_hangs_can_be_stopped(show):
    page = show("notes.md")
    # No clock of the test's own: it is put into every frame, and this one answers nothing.
    page.goto(page.url.replace("notes.md", "stuck.html"), wait_until="commit")
    page.get_by_role("button", name="Stop it").click()
    expect(page.get_by_text("The page was stopped.")).to_be_visible()
    expect(page.locator("iframe")).to_have_count(0)


def test_an_archive_lists_what_is_in_it_and_is_downloaded(show, look, say):
    page = show("bundle.zip")
    expect(page.locator("[data-members] li")).to_contain_text(["notes.md"])
    if look.phone:
        page.get_by_role("button", name=say("More"), exact=True).click()
    with page.expect_download() as waiting:
        page.get_by_role("link", name=say("Download")).locator("visible=true").click()
    assert waiting.value.suggested_filename == "bundle.zip"


@on_a_desk
def test_arrow_keys_go_through_the_files_and_escape_leads_back(show, projects):
    page = show("notes.md")
    page.get_by_role("heading", name="Notes").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: "/files/" in url and not url.endswith("notes.md"))
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/files/notes.md")
    page.keyboard.press("Escape")
    page.wait_for_url(f"{projects[0]}#files")
