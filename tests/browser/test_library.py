"""The library: looked through, searched, sorted and tidied, with the pointer, a finger and keys."""

import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

COUNT = 110
SHIFTS = """() => {
  window.shift = 0;
  const add = (list) => list.getEntries().forEach(({ value }) => (window.shift += value));
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.fixture(scope="module")
def project(studio):
    """The key of a project with many pictures."""
    command = [sys.executable, "-m", "tests.browser.seeding", str(COUNT)]
    environment = {**os.environ, "STUDIO_VAR": str(studio.var)}
    return subprocess.check_output(command, cwd=ROOT, env=environment, text=True).strip()


def items(page):
    return page.locator("[data-item]:visible")


def all_seen(page, shown):
    """Scrolls until all files are there."""
    while page.locator(".more, .more-cards").count():
        before = shown.count()
        page.locator(".more, .more-cards").scroll_into_view_if_needed()
        expect(shown.nth(before)).to_be_attached()
    expect(shown).to_have_count(COUNT)


@pytest.mark.parametrize("path", ["library/?project={}", "projects/{}/"])
def test_nothing_moves_while_files_come_as_one_scrolls(studio, open_page, project, path):
    page = open_page(studio, "/help/models/", viewport={"width": 1440, "height": 900})
    page.context.add_init_script(f"({SHIFTS})()")
    page.goto(f"{studio.url}/{path.format(project)}")
    expect(items(page).first.locator(".poster-picture")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shift") == 0
    all_seen(page, page.locator("[data-item]"))
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shift") == 0


def test_files_are_searched_sorted_and_tidied(studio, open_page, project):
    page = open_page(studio, f"/library/?project={project}")
    files_are_searched(page)
    keys_go_through_files(page)
    files_are_tagged(page)
    files_are_deleted_and_come_back(page)
    files_are_downloaded(page)
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="Projects", exact=True)).to_be_visible()


def files_are_searched(page):
    page.keyboard.press("/")
    page.keyboard.type("地图 999")
    expect(page).to_have_url(re.compile(r"q=%E5%9C%B0"))
    expect(items(page)).to_have_count(0)
    page.get_by_role("searchbox").fill("地图")
    expect(items(page).first).to_contain_text("京都地图")
    expect(items(page)).to_have_count(len(range(1, COUNT, 6)))
    page.get_by_text("Sound", exact=True).click()
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_role("link", name="Show everything").click()
    expect(page.get_by_role("searchbox")).to_have_value("")
    expect(items(page).first).to_be_visible()


def keys_go_through_files(page):
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("Select it")
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    for key in ("j", "j", "ArrowRight", "k"):
        page.keyboard.press(key)
    second = items(page).nth(1)
    expect(second.locator(".cover-link")).to_be_focused()
    page.keyboard.press("s")
    expect(second.locator("[data-star]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("x")
    expect(page.get_by_text("1 selected")).to_be_visible()
    items(page).nth(4).locator(".cover-link").click(modifiers=["Shift"])
    expect(page.get_by_text("4 selected")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".picked")).to_be_hidden()
    page.get_by_text("With a star").click()
    expect(items(page)).to_have_count(1)
    page.get_by_role("link", name="Clear").click()
    expect(page).to_have_url(re.compile("/library/$"))
    expect(items(page)).to_have_count(36)
    page.keyboard.press("a")
    expect(page.get_by_text("36 selected")).to_be_visible()
    page.keyboard.press("Escape")


def files_are_tagged(page):
    items(page).nth(0).hover()
    items(page).nth(0).get_by_role("checkbox").check()
    items(page).nth(1).locator(".cover-link").click()
    page.get_by_role("button", name="Tag…").click()
    page.get_by_role("combobox", name="Tags").press_sequentially("to print")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 files tagged.")).to_be_visible()
    expect(items(page).nth(1).locator("[data-tags]")).to_have_text("to print")


def files_are_deleted_and_come_back(page):
    name = items(page).nth(1).locator(".find-name").inner_text()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("2 files deleted.")).to_be_visible()
    expect(page.get_by_text(name, exact=True)).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 files are back.")).to_be_visible()
    expect(page.get_by_text(name, exact=True)).to_be_visible()


def files_are_downloaded(page):
    for number in (0, 2):
        items(page).nth(number).hover()
        items(page).nth(number).get_by_role("checkbox").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "files.zip"


def test_a_finger_that_rests_on_a_file_selects_it(studio, open_page, project):
    phone = {"viewport": {"width": 375, "height": 760}, "has_touch": True, "is_mobile": True}
    page = open_page(studio, f"/library/?project={project}", **phone)
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    link = items(page).first.locator(".cover-link")
    link.dispatch_event("pointerdown", {"pointerType": "touch"})
    expect(page.get_by_text("1 selected")).to_be_visible()
    link.dispatch_event("pointerup", {"pointerType": "touch"})
    link.dispatch_event("click", {"detail": 1})
    items(page).nth(1).locator(".cover-link").tap()
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.get_by_role("button", name="Select none").tap()
    items(page).nth(1).locator(".cover-link").tap()
    expect(page).to_have_url(re.compile("/files/"))


def test_a_project_is_deleted_undone_and_duplicated(studio, open_page, project):
    page = open_page(studio, f"/projects/{project}/")
    page.get_by_role("button", name="Project menu").click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Delete project").click()
    expect(page.get_by_text("is in the trash.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="A book of pictures")).to_be_visible()
    page.get_by_role("button", name="Project menu").click()
    page.get_by_role("button", name="Duplicate").click()
    expect(page.get_by_role("heading", name="A book of pictures (copy)")).to_be_visible()
    expect(page.locator(".stage-head .count")).to_have_text(str(COUNT))
