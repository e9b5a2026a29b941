"""The whole way with the keyboard alone: the pointer is never touched."""

import os
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit
from tests.browser.conftest import ROOT
from tests.browser.keyboard import Keyboard
from tests.browser.looks import DESK
from tests.browser.test_watching import Held

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

NAME, PASSWORD = "kim", "of the keyboard"
KIM = f"""
from studio.accounts.models import User
User.objects.create_user({NAME!r}, password={PASSWORD!r})
"""
PAGE = "<!doctype html><html lang=en><title>Tea</title><h1>Tea</h1><button>Pour</button>"


@pytest.fixture
def page(studio, browser):
    """The page to sign in, for somebody who has an account and no pointer."""
    environment = {**os.environ, "STUDIO_VAR": str(studio.var)}
    command = [sys.executable, "manage.py", "shell", "--command", KIM]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    context = browser.new_context(reduced_motion="reduce", **DESK.options)
    page = context.new_page()
    page.goto(f"{studio.url}/accounts/login/")
    yield page
    context.close()


def button(place, name):
    return place.get_by_role("button", name=name, exact=True)


def link(place, name):
    return place.get_by_role("link", name=name, exact=True)


def test_everything_is_done_with_the_keyboard_alone(page, script, until_ended):
    keys = Keyboard(page)
    signs_in(page, keys)
    skips_to_the_content(page, keys)
    takes_a_starting_point(page, keys)
    asks_watches_steers_and_stops(page, keys, script, until_ended)
    opens_a_file_and_its_tools(page, keys)
    shares_it(page, keys)
    asks_for_a_change(page, keys, script, until_ended)
    tidies_the_library(page, keys)
    sets_a_name(page, keys)
    keys.enter(button(page, "Account and settings"))
    keys.enter(button(page, "Sign out"))
    expect(page.get_by_role("textbox", name="User name or e-mail address")).to_be_visible()


def signs_in(page, keys):
    keys.all_stops()
    keys.to(page.locator("[name=login]"))
    keys.type(NAME)
    keys.to(page.locator("[name=password]"))
    keys.type(PASSWORD)
    keys.press("Enter")
    expect(page.get_by_role("heading", name="What shall we make?")).to_be_visible()


def skips_to_the_content(page, keys):
    keys.enter(link(page, "Projects"), "Shift+Tab")
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    keys.enter(link(page, "Skip to content"))
    expect(page.get_by_role("main")).to_be_focused()
    keys.tab()
    assert page.get_by_role("main").evaluate("main => main.contains(document.activeElement)")
    keys.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    keys.is_somewhere()
    keys.press("g", "n")
    expect(page.get_by_role("textbox", name="What shall we make?")).to_be_focused()


def takes_a_starting_point(page, keys):
    keys.enter(link(page, "All starting points"))
    keys.enter(link(page, "Music"))
    expect(page.locator(".point")).to_have_count(2)
    expect(link(page, "Music")).to_be_focused()
    keys.enter(link(page, "Make my own: A piano piece for the evening"))
    expect(page.locator("#asked")).to_contain_text("A calm piano piece")
    keys.all_stops()
    keys.to(page.get_by_label("Mood", exact=True))
    keys.press("ArrowDown")
    expect(page.locator("#asked")).to_contain_text("A wistful piano piece")
    keys.enter(link(page, "Go on in words"))
    request = page.get_by_role("textbox", name="What shall we make?")
    expect(request).to_have_value(
        "A wistful piano piece in A minor, one minute, with the sheet music"
    )
    keys.all_stops()


def asks_watches_steers_and_stops(page, keys, script, until_ended):
    first, second = Held(f"echo '{PAGE}' > output/tea.html"), Held("sleep 600")
    script.say(first, second)
    keys.to(page.get_by_role("textbox", name="What shall we make?"))
    keys.type("A page about tea")
    keys.press("Control+Enter")
    expect(page.locator("[data-run] .request-text")).to_have_text("A page about tea")
    assert first.asked.wait(60)
    keys.to(page.get_by_role("textbox", name="Say something while it works"))
    keys.type("In green")
    keys.press("Enter")
    expect(page.locator(".word")).to_have_text("In green")
    first.go.set()
    expect(page.locator(".log .request")).to_have_text("In green")
    keys.enter(page.locator(".step summary").first, "Shift+Tab")
    expect(page.locator(".step-command").first).to_be_visible()
    second.go.set()
    expect(page.locator(".step")).to_have_count(2)
    expect(page.get_by_role("log")).to_contain_text("sleep 600")
    keys.enter(button(page, "Stop"))
    keys.is_somewhere()
    until_ended(page, "stopped")
    keys.is_somewhere()
    keys.all_stops()


def opens_a_file_and_its_tools(page, keys):
    keys.enter(link(page.locator(".card"), "tea.html"))
    inside = page.frame_locator(".device iframe").get_by_role("button", name="Pour")
    expect(inside).to_be_visible()
    keys.all_stops()
    keys.to(inside)
    keys.enter(button(page, "Phone"))
    expect(page.locator(".device iframe")).to_have_css("width", "375px")
    more = button(page, "More")
    keys.enter(more)
    expect(button(page, "Share…")).to_be_visible()
    keys.press("Escape")
    expect(button(page, "Share…")).to_be_hidden()
    expect(more).to_be_focused()
    point = button(page, "Point at what should change")
    keys.enter(point, "Shift+Tab")
    expect(page.get_by_role("textbox", name="What should change here?")).to_be_focused()
    keys.press("Escape")
    expect(point).to_be_focused()


def shares_it(page, keys):
    more, dialog = button(page, "More"), page.get_by_role("dialog")
    keys.enter(more)
    keys.enter(button(page, "Share…"))
    make = button(dialog, "Make a link")
    expect(make).to_be_visible()
    keys.enter(make)
    expect(dialog.get_by_role("textbox", name="Link", exact=True)).to_be_focused()
    change = dialog.locator("summary", has_text="Change")
    keys.enter(change)
    keys.enter(button(dialog, "Save"))
    expect(button(dialog, "Save")).to_be_hidden()
    keys.is_somewhere()
    keys.press("Escape")
    expect(dialog).to_be_hidden()
    expect(more).to_be_focused()
    keys.press("Escape")
    page.wait_for_url("**/projects/*/#files")


def asks_for_a_change(page, keys, script, until_ended):
    menu = button(page, "Project menu")
    keys.enter(menu)
    keys.enter(button(page, "Rename…"))
    expect(page.get_by_role("dialog").get_by_role("textbox", name="Name")).to_be_focused()
    keys.press("Escape")
    expect(menu).to_be_focused()
    script.say(bash("echo mint > output/mint.txt"), submit("Mint, too."))
    keys.to(page.get_by_role("textbox", name="Ask for a change or something new"))
    keys.type("Now mint")
    keys.press("Control+Enter")
    expect(page.locator("[data-run]")).to_have_count(2)
    until_ended(page)
    expect(page.locator(".card")).to_have_count(2)


def tidies_the_library(page, keys):
    keys.enter(link(page, "Library"))
    items = page.locator("[data-item]:visible")
    expect(items).to_have_count(2)
    keys.all_stops()
    keys.press("j")
    expect(items.first.locator(".cover-link")).to_be_focused()
    keys.press("s", "x")
    expect(items.first.locator("[data-star]")).to_have_attribute("aria-pressed", "true")
    tag = button(page, "Tag…")
    keys.enter(tag)
    expect(page.get_by_role("combobox", name="Tags, with commas between them")).to_be_focused()
    keys.press("Escape")
    expect(tag).to_be_focused()
    keys.enter(button(page, "Delete"))
    expect(page.get_by_text("1 file deleted.")).to_be_visible()
    expect(items).to_have_count(1)
    expect(button(page, "Undo")).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_text("1 file is back.")).to_be_visible()
    expect(items.first.locator(".cover-link")).to_be_focused()
    keys.enter(button(page.locator("[data-toast]"), "Close"))
    expect(page.get_by_text("1 file is back.")).to_be_hidden()
    keys.is_somewhere()


def sets_a_name(page, keys):
    account = button(page, "Account and settings")
    keys.enter(account)
    keys.press("Escape")
    expect(account).to_be_focused()
    keys.press("Enter")
    keys.enter(link(page, "Settings"))
    expect(page.get_by_role("heading", name="Profile")).to_be_visible()
    keys.all_stops()
    keys.to(page.get_by_label("Name", exact=True))
    keys.type("Kim of the keys")
    keys.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
