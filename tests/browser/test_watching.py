"""A run is watched, steered and watched once more."""

import json
import re
import sqlite3
import threading
import time
from contextlib import closing

import pytest
from playwright.sync_api import expect

from agent.models import Reply
from agent.testing import bash, submit
from tests.browser.axe import serious
from tests.browser.conftest import SECONDS
from tests.browser.looks import in_every_look

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 90" width="90" height="90">
<rect width="60" height="60"/></svg>"""
PAGE = "<!doctype html><title>Tea</title><body style='background:#345;color:#fff'><h1>Tea</h1>"
KETTLE = """
import wave
with wave.open('output/kettle.wav', 'wb') as file:
    file.setparams((1, 2, 8000, 0, 'NONE', ''))
    file.writeframes(bytes(range(0, 256, 4)) * 17500)
"""
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


def otherwise(page):
    """Gives `tell(**other)`: from then on the next page hears that its run is otherwise."""
    sockets, states, said = [], [], {}

    def pass_on(socket):
        def note(text):
            message = json.loads(text)
            if "run" in message:
                states.append(message["run"])
                message["run"] = states[-1] | said
            socket.send(json.dumps(message))

        sockets.append(socket)
        socket.connect_to_server().on_message(note)

    def tell(**other):
        said.clear()
        said.update(other)
        sockets[-1].send(json.dumps({"run": states[-1] | said}))

    page.route_web_socket(re.compile("/ws/runs/"), pass_on)
    return tell


def test_a_run_is_steered_and_its_newest_file_stands_on_the_stage(
    studio, script, open_page, ask, until_ended, show_files, look, say
):
    page = open_page(studio, look=look)
    tell = otherwise(page)
    command = f'{COLOURS}; echo "{PAGE}" > output/tea.html'
    first = Held(command)
    script.say(first)
    ask(page, "A page about tea")
    assert first.asked.wait(60)
    status, facts = page.locator("[data-status-text]"), page.locator("[data-status-facts]")
    expect(facts).to_contain_text(":")
    wait = say("about %(n)d min", "about %(n)d min", n=4)
    tell(status="queued", queue_position=1, wait=wait, started=None)
    expect(status).to_have_text(say("Waiting for a free worker"))
    expect(facts).to_have_text(wait)
    tell(status="queued", queue_position=3, wait=wait, started=None)
    expect(status).to_have_text(say("Waiting, {count} before you", count=2))
    tell(turns=7, tokens_in=6_000, tokens_out=2_345, cost="$0.31")
    expect(status).to_have_text(say("Working"))
    turn, tokens = say("turn {count}", count=7), say("{count} tokens", count="8,345")
    expect(facts).to_have_text(re.compile(rf"^\d+:\d\d · {turn} · {tokens} · \$0[.]31$"))
    expect(facts).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    tell()
    field = page.get_by_role("textbox", name=say("Say something while it works"))
    field.fill("In <b>blue</b>")
    page.keyboard.press("Enter")
    waiting = page.locator(".word")
    expect(waiting).to_have_text("In <b>blue</b>")
    expect(page.get_by_text(say("Will be read at the next turn"))).to_be_visible()
    expect(field).to_have_value("")
    field.fill("And big")
    page.keyboard.press("Enter")
    expect(waiting).to_have_count(2)
    waiting.nth(1).get_by_role("button", name=say("Take it back")).click()
    expect(waiting).to_have_count(1)
    expect(field).to_be_focused()

    first.go.set()
    expect(page.locator(".log .request")).to_have_text("In <b>blue</b>")
    expect(waiting).to_have_count(0)
    step = page.locator(".step").first
    step.locator("summary").click()
    expect(step.locator(".ansi-ink-red")).to_have_text("red")
    orange = step.locator(".step-output span[style]")
    expect(orange).to_have_css("color", "rgb(255, 135, 0)")
    expect(step.locator(".step-output")).to_have_text("red orange plain")

    # Who hears the page is told of each thing once, and not of what is printed.
    ready = say("File ready: {name}", name="tea.html")
    expect(page.get_by_role("log").locator("p")).to_have_text([command[:200], ready])

    show_files(page)
    card = page.locator(".card").first
    expect(card.get_by_role("link", name="tea.html", exact=True)).to_be_visible()
    if not look.phone:
        stage = card.locator(".staged[data-ready]")
        expect(stage.frame_locator("iframe").get_by_role("heading")).to_have_text("Tea")
        assert stage.bounding_box()["width"] > 800

    page.reload()
    expect(page.locator(".log .request")).to_have_text("In <b>blue</b>")
    # What is still being typed when the run ends is not lost.
    field.fill("Too late")
    script.say(submit("Here is the page."))
    until_ended(page)
    request = page.get_by_role("textbox", name=say("Ask for a change or something new"))
    expect(request).to_have_value("Too late")
    expect(request).to_be_focused()
    expect(field).to_be_hidden()

    # Nor is what the model was not told any more.
    run = page.locator("[data-run]").get_attribute("data-run").replace("-", "")
    with closing(sqlite3.connect(studio.var / "studio.sqlite3")) as database, database:
        database.execute("INSERT INTO runs_word (run_id, text) VALUES (?, 'In red')", [run])
    page.reload()
    expect(page.get_by_text(say("Came too late to be read"))).to_be_visible()
    page.get_by_role("button", name=say("Ask for it now")).click()
    expect(request).to_have_value("Too late\n\nIn red")


def test_what_could_not_be_shown_yet_is_shown_once_it_can(
    studio, script, open_page, ask, until_ended
):
    half = Held(f"printf '%s' '{DRAWING[:60]}' > output/sign.svg")
    whole = Held(f"printf '%s' '{DRAWING}' > output/sign.svg")
    script.say(half, whole)
    page = open_page(studio)
    ask(page, "A sign")
    assert half.asked.wait(60)
    half.go.set()
    project = page.url
    page.locator(".card").get_by_role("link", name="sign.svg", exact=True).click()
    expect(page.get_by_role("button", name="Reload the page")).to_be_visible()
    assert whole.asked.wait(60)
    whole.go.set()
    expect(page.locator("[data-shown]")).to_be_attached()
    expect(page.locator("[data-canvas] img")).to_be_visible()
    script.say(submit("A sign."))
    page.goto(project)
    until_ended(page)


@pytest.fixture(scope="module")
def paths():
    return {}


def spread(studio, run, minutes=3):
    """The run took so long, as far as anybody can tell later."""
    with closing(sqlite3.connect(studio.var / "studio.sqlite3")) as database, database:
        database.execute(
            "UPDATE runs_event SET at = strftime('%Y-%m-%d %H:%M:%f', '2026-01-01', "
            "(? * seq / (SELECT last_seq FROM runs_run WHERE id = run_id)) || ' seconds') "
            "WHERE run_id = ?",
            [60.0 * minutes, run.replace("-", "")],
        )


@pytest.fixture
def pictures(studio, script, open_page, ask, until_ended, paths):
    """The path of a project of two pictures that took three minutes, made once."""
    if "pictures" not in paths:
        page = open_page(studio)
        ask(page, "Two pictures")
        script.say(
            Reply("First one.", calls=bash(f"echo '{DRAWING}' > output/one.svg").calls),
            Reply("Now the other.", calls=bash("cp output/one.svg output/two.svg").calls),
            submit("Both are here."),
        )
        until_ended(page)
        expect(page.locator(".card")).to_have_count(2)
        spread(studio, page.locator("[data-run]").get_attribute("data-run"))
        paths["pictures"] = page.url.removeprefix(studio.url)
    return paths["pictures"]


@in_every_look
def test_a_finished_run_is_replayed_at_any_speed(studio, open_page, pictures, look):
    page, say = open_page(studio, pictures, look), look.say
    page.get_by_role("link", name=say("Watch it being made")).click()
    expect(page).to_have_url(re.compile("/replay/1/$"))
    speed = page.get_by_role("combobox", name=say("Speed"))
    speed.select_option("60")
    expect(page.get_by_text("Both are here.").filter(visible=True)).to_have_count(1)
    expect(page.locator(".card")).to_have_count(2)
    toggle = page.locator("[data-toggle]")
    expect(toggle).to_have_attribute("aria-label", say("Play"))
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
    page.get_by_label(say("Skip waiting")).uncheck()
    expect(page.locator(".card-name")).to_have_text(["one.svg"])
    # More is left than the browser waits for here, but at the highest speed.
    seek = page.locator("[data-seek]")
    at, end = seek.evaluate("({ valueAsNumber, max }) => [valueAsNumber, Number(max)]")
    assert end - at > SECONDS * 1000
    speed.select_option("1")
    page.locator("[data-scroll]").focus()
    began = time.monotonic()
    page.keyboard.press("Space")
    page.wait_for_function("at => document.querySelector('[data-seek]').value > at", arg=at + 500)
    page.keyboard.press("Space")
    expect(toggle).to_have_attribute("aria-label", say("Play"))
    assert float(seek.input_value()) - at < 1000 * (time.monotonic() - began)
    speed.select_option("60")
    page.locator("[data-scroll]").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Both are here.").filter(visible=True)).to_have_count(1)
    at_end = say("{at} of {all}", at=r"(\d+:\d\d)", all=r"\1")
    expect(seek).to_have_attribute("aria-valuetext", re.compile(f"^{at_end}$"))
    assert "?v=" in page.locator(".card-name").first.get_attribute("href")
    expect(toggle).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    assert serious(page) == []


@in_every_look
def test_who_points_at_a_region_is_told_which(studio, open_page, pictures, look):
    page, say = open_page(studio, f"{pictures}files/one.svg", look), look.say
    expect(page.locator("[data-shown]")).to_be_attached()
    page.get_by_role("button", name=say("Point at what should change")).click()
    expect(page.get_by_text(say("Drag over what should change."))).to_be_visible()
    box = page.locator("[data-canvas] img").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.9)
    page.mouse.up()
    region = {"left": 25, "right": 75, "top": 50, "bottom": 90}
    told = say("Region: across {left}–{right}%%, down {top}–{bottom}%%", **region)
    expect(page.locator(".point-spot")).to_have_text(told)
    # Who drags goes on typing; who has no pointer takes the arrows.
    expect(page.get_by_role("textbox", name=say("What should change here?"))).to_be_focused()
    page.keyboard.press("Shift+Tab")
    arrows = say("Region: the arrow keys move it, with Shift they change its size")
    expect(page.get_by_role("application", name=arrows)).to_be_focused()
    for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    region = {"left": 20, "right": 75, "top": 45, "bottom": 90}
    told = say("Region: across {left}–{right}%%, down {top}–{bottom}%%", **region)
    expect(page.locator(".point-spot")).to_have_text(told)
    expect(page).to_have_url(re.compile("one.svg$"))
    page.get_by_role("button", name=say("Stop pointing")).click()
    expect(page.get_by_role("button", name=say("Point at what should change"))).to_be_focused()


@pytest.fixture
def tea(studio, script, open_page, ask, until_ended, paths):
    """The path of a project with a page and a sound, made once."""
    if "tea" not in paths:
        page = open_page(studio)
        ask(page, "A page about tea, and the kettle")
        work = f'echo "{PAGE}<p>Green</p>" > output/tea.html; python3 -c "{KETTLE}"'
        script.say(bash(work), submit("Here."))
        until_ended(page)
        paths["tea"] = page.url.removeprefix(studio.url)
    return paths["tea"]


def test_who_points_at_an_element_asks_with_its_words(
    studio, script, open_page, tea, until_ended, show_files, look, say
):
    page = open_page(studio, tea, look)
    show_files(page)
    page.locator(".card").get_by_role("link", name="tea.html", exact=True).click()
    tool = page.get_by_role("button", name=say("Point at what should change"))
    frame = page.frame_locator("iframe")
    listening = frame.locator("script")
    expect(frame.get_by_text("Green")).to_be_visible()
    tool.click()
    expect(page.get_by_text(say("Click on what should change."))).to_be_visible()
    expect(listening).to_have_count(1)
    page.keyboard.press("Escape")
    expect(tool).to_have_attribute("aria-pressed", "false")
    expect(listening).to_have_count(0)
    tool.click()
    expect(listening).to_have_count(1)
    frame.get_by_text("Green").click()
    expect(page.locator(".point-spot")).to_have_text(say("Element: {text}", text="Green"))
    page.get_by_role("textbox", name=say("What should change here?")).fill("Make it black")
    script.say(submit("It is black."))
    page.keyboard.press("Enter")
    until_ended(page)
    about = {"name": "output/tea.html", "selector": "body > p", "text": "Green"}
    told = say("This is about an element of %(name)s: %(selector)s, “%(text)s”.", **about)
    expect(page.locator(".request-text").last).to_have_text(f"Make it black [{told}]")


def test_who_points_without_a_pointer_goes_from_element_to_element(studio, open_page, tea):
    page = open_page(studio, f"{tea}files/tea.html")
    frame = page.frame_locator("iframe")
    page.get_by_role("button", name="Point at what should change").press("Enter")
    expect(frame.locator("script")).to_have_count(1)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".point-spot")).to_have_text("Element: Tea")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".point-spot")).to_have_text("Element: Green")


@in_every_look
def test_who_points_at_a_time_in_a_sound_is_told_which(studio, open_page, tea, look):
    page, say = open_page(studio, f"{tea}files/kettle.wav", look), look.say
    expect(page.locator("[data-shown]")).to_be_attached()
    page.get_by_role("button", name=say("Point at what should change")).click()
    told = page.locator(".point-spot")
    expect(told).to_have_text(say("At {time}", time="0:00"))
    seek = page.get_by_role("slider", name=say("Position"))
    seek.focus()
    page.keyboard.press("End")
    expect(told).to_have_text(say("At {time}", time="1:10"))
    assert page.locator("[name=spot]").input_value() == "time 70.0"
    expect(told).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    expect(page.get_by_role("button", name=say("Point at what should change"))).to_be_focused()


# What the page asks of the browser when nobody looks at it, and still gets.
TOLD = """
window.told = [];
Object.defineProperty(document, "hidden", { get: () => true });
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  told.push(Math.round(this.frequency.value));
  return begin.apply(this, when);
};
window.Notification = class extends Notification {
  constructor(title, options) {
    super(title, options);
    told.push(`${title}: ${options.body}`);
  }
};
"""


def test_who_does_not_look_is_told_when_it_is_done(
    studio, script, open_page, ask, until_ended, look, say
):
    held = Held("echo x > output/a.txt")
    script.say(held, submit("Done."))
    page = open_page(studio, look=look, permissions=["notifications"])
    page.context.add_init_script(TOLD)
    ask(page, "A file for later")
    assert held.asked.wait(60)
    bell = page.get_by_role("button", name=say("When it is done"))
    bell.click()
    for way in (say("Play a sound"), say("Show a notification")):
        page.get_by_role("switch", name=way).click()
        expect(page.get_by_role("switch", name=way)).to_be_checked()
    expect(page.locator("#notices")).to_be_in_viewport(ratio=1)
    page.evaluate("told.length = 0")
    page.keyboard.press("Escape")
    expect(page.locator("#notices")).to_be_hidden()
    expect(bell).to_be_focused()
    held.go.set()
    until_ended(page)
    expect(page).to_have_title(re.compile("^✓ "))
    page.wait_for_function("told.length === 4")
    title = page.title().removeprefix("✓ ")
    assert page.evaluate("told") == [523, 659, 784, f"{say('Done')}: {title}"]


def test_who_goes_on_from_an_earlier_request_gets_its_files_and_may_try_again(
    studio, script, open_page, ask, until_ended, tea, look, say
):
    page = open_page(studio, tea, look)
    script.say(bash("echo '<h1>Coffee</h1>' > output/tea.html"), submit("Coffee."))
    ask(page, "About coffee")
    until_ended(page)
    first, runs = page.locator("[data-run]").first, page.locator("[data-run]")
    first.get_by_role("button", name=say("Go on from here")).click()
    expect(
        page.get_by_text(say("On from request {number}, with its files", number=1))
    ).to_be_visible()
    script.say(bash("cat output/tea.html"), submit("Green."))
    ask(page, "Which colour has it?")
    until_ended(page)
    expect(runs.last).to_contain_text(say("Goes on from request %(number)s", number=1))
    expect(runs.last.locator(".step-output").first).to_contain_text("Green")

    count = runs.count()
    script.say(submit("Green, once more."))
    runs.last.get_by_role("button", name=say("Try again")).click()
    expect(runs).to_have_count(count + 1)
    until_ended(page)
    expect(runs.last.locator(".request-text")).to_have_text("Which colour has it?")
    expect(runs.last).to_contain_text("Green, once more.")
