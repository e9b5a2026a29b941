"""A run that pauses and asks: the question, its answers, and what happens to the page meanwhile."""

import json
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from agent.testing import ScriptedEndpoint, bash, submit
from tests.browser.axe import serious
from tests.browser.conftest import Script, running_studio
from tests.browser.looks import DESK
from tests.browser.test_pages import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

QUESTION = "All turns of this run are used up."
WORKING = [bash("echo one > output/one.txt"), bash("echo 2 > notes.txt")]


@pytest.fixture(scope="module")
def model():
    return Script()


@pytest.fixture
def told(model):
    """What the model of `brief_studio` says in this test."""
    yield model
    model.end()


@pytest.fixture(scope="module")
def brief_studio(engine, model):
    """A studio whose runs ask after two turns."""
    with (
        ScriptedEndpoint(model) as endpoint,
        running_studio(
            OPENAI_BASE_URL=endpoint.base_url,
            OPENAI_API_KEY="key",
            STUDIO_MODEL="scripted",
            STUDIO_RUN_TURNS="2",
            STUDIO_DAY_TOKENS="1000",
        ) as running,
    ):
        yield running


@pytest.fixture
def pause(brief_studio, told, open_page, ask):
    """Opens a page with a run that has paused and asks."""

    def pause_(look=DESK):
        told.say(*WORKING)
        page = open_page(brief_studio, look=look)
        ask(page, "Two files")
        expect(page.get_by_text(look.say(QUESTION)).first).to_be_visible(timeout=60_000)
        return page

    return pause_


@pytest.fixture
def paused(pause):
    return pause()


def test_a_run_asks_goes_on_and_ends_with_its_file(pause, told, until_ended, look, say):
    page = pause(look)
    panel = page.get_by_role("region", name=say("Paused. Go on?"))
    turns = say("%(turns)d turn", "%(turns)d turns", turns=2)
    expect(panel).to_contain_text(turns)
    expect(panel.get_by_role("list")).to_contain_text(turns)
    assert page.title().startswith("? ")
    expect(page.get_by_role("log")).to_contain_text(say("Paused. Go on?"))
    expect(page.locator("[data-status]")).to_be_hidden()
    request = page.get_by_placeholder(say("Ask for a change or something new"))
    expect(request).to_be_visible()

    page.reload()
    expect(panel).to_be_visible()
    expect(page.locator(".step")).to_have_count(2)
    assert page.title().startswith("? ")

    panel.get_by_role("button", name=say("Go on")).focus()
    page.keyboard.press("Enter")
    expect(panel).to_be_hidden()
    expect(page.locator("[data-status]")).to_be_visible()
    expect(request).to_be_hidden()
    assert page.title().startswith("● ")
    told.say(bash("cat notes.txt > output/two.txt"), submit("Both."))
    until_ended(page)
    expect(page.locator(".card")).to_have_count(2)
    expect(page.locator(".step")).to_have_count(4)
    remarks = [say("Paused: {question}", question=say(QUESTION)), say("Went on")]
    expect(page.locator(".remark")).to_have_text(remarks)
    expect(page.locator("[data-run]")).to_have_count(1)
    turns = say("%(turns)d turn", "%(turns)d turns", turns=4)
    expect(page.locator(".ended .ended-facts")).to_contain_text(turns)


def test_going_on_in_another_tab_is_seen_here(paused, told, brief_studio, open_page, until_ended):
    other = open_page(brief_studio, paused.url.removeprefix(brief_studio.url))
    other.get_by_role("button", name="Go on").click()
    expect(paused.locator("[data-paused]")).to_be_hidden()
    expect(paused.locator("[data-status]")).to_be_visible()
    told.say(submit("Done."))
    until_ended(paused)
    until_ended(other)


def test_stop_here_ends_it_with_its_files(paused, until_ended):
    expect(paused.get_by_text("Going on allows up to 2 turns and 30 min more.")).to_be_visible()
    paused.get_by_role("button", name="Stop here").click()
    until_ended(paused, "turn_limit")
    expect(paused.locator("[data-paused]")).to_be_hidden()
    expect(paused.locator(".ended-title:visible")).to_have_text("Ended: the turns were used up")
    expect(paused.locator(".card")).to_have_count(1)
    assert not re.match(r"[?!●]", paused.title())


def test_a_new_request_leaves_the_paused_one(paused, told, ask, until_ended):
    told.say(bash("cat notes.txt"), submit("There is a 2."))
    ask(paused, "What is in the notes?")
    until_ended(paused)
    first, last = paused.locator("[data-run]").all()
    expect(first).to_have_attribute("data-reason", "turn_limit")
    expect(last.locator(".step-output").first).to_contain_text("2")


def test_the_question_for_phones_screen_readers_and_in_chinese(paused, brief_studio, open_page):
    path = paused.url.removeprefix(brief_studio.url)
    for scheme in ("light", "dark"):
        page = open_page(
            brief_studio,
            path,
            viewport=PHONE,
            locale="zh-CN",
            color_scheme=scheme,
            reduced_motion="reduce",
        )
        panel = page.get_by_role("region", name="已暂停。继续吗？")
        expect(panel).to_contain_text("这次的轮数已用完。")
        expect(panel.get_by_role("button", name="到此为止")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        page.wait_for_load_state("networkidle")
        assert serious(page) == []
    page = open_page(brief_studio, "/projects/")
    expect(page.locator(".cover").first).to_contain_text("Waits for your answer")


def test_a_day_that_is_used_up_is_said_where_going_on_is_asked_for(paused, brief_studio, open_page):
    with closing(sqlite3.connect(brief_studio.var / "studio.sqlite3")) as database, database:
        database.execute(
            "INSERT INTO runs_spending (user_id, day, tokens, cost) SELECT id, ?, 1200, 0 "
            "FROM accounts_user",
            [datetime.now(UTC).date().isoformat()],
        )
    try:
        paused.get_by_role("button", name="Go on").click()
        alert = paused.locator("#paused-error")
        expect(alert).to_contain_text("You have used 1,200 tokens today; a day allows 1,000")
        expect(paused.locator("[data-run]")).to_have_attribute("data-state", "paused")
        expect(paused.get_by_role("button", name="Go on")).to_be_enabled()
        assert "429" in open_page.complaints.pop()
    finally:
        with closing(sqlite3.connect(brief_studio.var / "studio.sqlite3")) as database, database:
            database.execute("DELETE FROM runs_spending")


def test_an_answer_that_does_not_get_through_is_said(paused, open_page):
    paused.route("**/go-on/", lambda route: route.abort(), times=1)
    paused.get_by_role("button", name="Go on").click()
    expect(paused.locator("#paused-error")).to_have_text(
        "The studio did not answer. Try again in a moment."
    )
    assert "ERR_FAILED" in " ".join(open_page.complaints)
    open_page.complaints.clear()
    paused.get_by_role("button", name="Stop here").click()
    expect(paused.locator("#paused-error")).to_be_hidden()


def test_what_the_model_is_doing_is_shown_while_it_is_waited_for(
    brief_studio, told, open_page, ask, until_ended
):
    sockets, messages = [], []

    def pass_on(socket):
        def note(text):
            messages.append(text)
            socket.send(text)

        sockets.append(socket)
        socket.connect_to_server().on_message(note)

    page = open_page(brief_studio)
    page.route_web_socket(re.compile("/ws/runs/"), pass_on)
    ask(page, "Something")
    status, typing = page.locator("[data-status-text]"), page.locator("[data-typing]")
    # What happens after a hint takes its place: from here on the run waits for its model.
    for _ in range(600):
        if any("sandbox.ready" in text for text in messages):
            break
        page.wait_for_timeout(100)
    expect(status).to_have_text("Preparing the sandbox")

    def hint(**said):
        sockets[-1].send(json.dumps({"hint": {"after": 1000, **said}}))

    hint(kind="waiting", why="busy", seconds=3)
    expect(status).to_have_text("Waiting for the model: busy, again in 3 s")
    expect(status).to_have_text("Waiting for the model: busy, again in 1 s")
    expect(status).to_have_text("Waiting for the model: busy")
    hint(kind="thinking", text="First I look around, ")
    expect(status).to_have_text("Thinking…")
    expect(typing).to_have_text("First I look around, ")
    hint(kind="typing", text="I begin.")
    expect(typing).to_have_text("I begin.")
    hint(kind="waiting", why="connection", seconds=0)
    expect(status).to_have_text("Waiting for the model: no connection")
    expect(typing).to_be_hidden()
    told.say(submit("Done."))
    until_ended(page)
