"""The library: looked through, searched, sorted and tidied, with the pointer, a finger and keys."""

import os
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.axe import serious
from tests.browser.conftest import ROOT
from tests.browser.looks import NIGHT_PHONE, in_every_look

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

COUNT = 110
WORDS = "Lanterns along the river"
SEED = f"""
from tests.browser import seeding
from django.db import transaction
from studio.inspections.models import Text
from studio.projects.models import Project

with transaction.atomic():
    project = seeding.seed({COUNT})
    file = project.artifacts.get(path__startswith="menu-005")
    Text.objects.create(inspection=file.latest.inspection, text={WORDS!r})
    Project.objects.create(owner=project.owner, title="Another book")
print(project.pk)
"""
SHIFTS = """() => {
  window.shift = 0;
  const add = (list) => list.getEntries().forEach(({ value }) => (window.shift += value));
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.fixture(scope="module")
def project(studio):
    """The key of a project with many pictures."""
    command = [sys.executable, "-c", SEED]
    environment = {**os.environ, "STUDIO_VAR": str(studio.var)}
    return subprocess.check_output(command, cwd=ROOT, env=environment, text=True).strip()


def items(page):
    return page.locator("[data-item]:visible")


@pytest.mark.parametrize("path", ["library/?project={}", "projects/{}/"])
def test_nothing_moves_while_files_come_as_one_scrolls(studio, open_page, show_more, project, path):
    page = open_page(studio, "/help/models/", viewport={"width": 1440, "height": 900})
    page.context.add_init_script(f"({SHIFTS})()")
    page.goto(f"{studio.url}/{path.format(project)}")
    expect(items(page).first.locator(".poster-picture")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shift") == 0
    files = page.locator("[data-item]")
    show_more(page, files, COUNT)
    expect(files).to_have_count(COUNT)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shift") == 0


def pick(page, look, *numbers):
    """Selects files: with the pointer by their boxes, with a finger that rests on the first."""
    for number in numbers:
        if not look.phone:
            items(page).nth(number).hover()
            items(page).nth(number).get_by_role("checkbox").check()
            continue
        link = items(page).nth(number).locator(".cover-link")
        if page.locator(".picked").is_visible():
            link.tap()
            continue
        link.dispatch_event("pointerdown", {"pointerType": "touch"})
        expect(page.locator(".picked")).to_be_visible()
        link.dispatch_event("pointerup", {"pointerType": "touch"})
        link.dispatch_event("click", {"detail": 1})


@in_every_look
def test_files_are_searched_sorted_and_tidied(studio, open_page, project, look):
    page = open_page(studio, f"/library/?project={project}", look)
    files_are_searched(page, look.say)
    keys_go_through_files(page, look)
    files_are_tagged(page, look)
    files_are_deleted_and_come_back(page, look.say)
    files_are_moved_and_come_back(page, look)
    files_are_downloaded(page, look)
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name=look.say("Projects"), exact=True)).to_be_visible()


def files_are_searched(page, say):
    page.keyboard.press("/")
    page.keyboard.type("地图 999")
    expect(page).to_have_url(re.compile(r"q=%E5%9C%B0"))
    expect(items(page)).to_have_count(0)
    page.get_by_role("searchbox").fill("地图")
    expect(items(page).first).to_contain_text("京都地图")
    expect(items(page)).to_have_count(len(range(1, COUNT, 6)))
    page.get_by_role("searchbox").fill(WORDS)
    expect(items(page)).to_have_count(1)
    expect(items(page)).to_contain_text("menu-005")
    page.locator("[name=until]").fill("2000-01-01")
    expect(page.get_by_text(say("Nothing found"))).to_be_visible()
    page.locator("[name=until]").fill("")
    page.locator("[name=since]").fill("2000-01-01")
    expect(items(page)).to_have_count(1)
    page.get_by_text(say("Sound"), exact=True).click()
    expect(page.get_by_text(say("Nothing found"))).to_be_visible()
    page.get_by_role("link", name=say("Show everything")).click()
    expect(page.get_by_role("searchbox")).to_have_value("")
    expect(items(page).first).to_be_visible()


def keys_go_through_files(page, look):
    say = look.say
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name=say("Keys"))).to_contain_text(say("Select it"))
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name=say("Keys"))).to_be_hidden()
    for key in ("j", "j", "ArrowRight", "k"):
        page.keyboard.press(key)
    second = items(page).nth(1)
    expect(second.locator(".cover-link")).to_be_focused()
    page.keyboard.press("s")
    expect(second.locator("[data-star]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("x")
    expect(page.get_by_text(say("{count} selected", count=1))).to_be_visible()
    items(page).nth(4).locator(".cover-link").click(modifiers=["Shift"])
    expect(page.get_by_text(say("{count} selected", count=4))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".picked")).to_be_hidden()
    page.get_by_text(say("With a star")).click()
    expect(items(page)).to_have_count(1)
    items(page).locator(".cover-link").focus()
    page.keyboard.press("s")
    expect(items(page).locator("[data-star]")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("link", name=say("Clear")).click()
    expect(page).to_have_url(re.compile("/library/$"))
    expect(items(page)).to_have_count(36)
    page.keyboard.press("a")
    expect(page.get_by_text(say("{count} selected", count=36))).to_be_visible()
    page.keyboard.press("Escape")


def files_are_tagged(page, look):
    say, tag = look.say, f"to print {look.width} {look.scheme}"
    pick(page, look, 0)
    items(page).nth(1).locator(".cover-link").click()
    page.get_by_role("button", name=say("Tag…")).click()
    page.get_by_role("combobox", name=say("Tags, with commas between them")).press_sequentially(tag)
    page.keyboard.press("Enter")
    tagged = say("%(count)d file tagged.", "%(count)d files tagged.", count=2)
    expect(page.get_by_text(tagged)).to_be_visible()
    expect(items(page).nth(1).locator("[data-tags]")).to_contain_text(tag)
    assert serious(page) == []


def the_link_of(item):
    """Of this very file: others may have its name."""
    address = item.locator(".cover-link").get_attribute("href")
    return item.page.locator(f".cover-link[href='{address}']")


def files_are_deleted_and_come_back(page, say):
    file = the_link_of(items(page).nth(1))
    page.get_by_role("button", name=say("Delete")).click()
    gone = say("%(count)d file deleted.", "%(count)d files deleted.", count=2)
    expect(page.get_by_text(gone)).to_be_visible()
    expect(file).to_be_hidden()
    page.get_by_role("button", name=say("Undo")).click()
    back = say("%(count)d file is back.", "%(count)d files are back.", count=2)
    expect(page.get_by_text(back)).to_be_visible()
    expect(file).to_be_visible()


def files_are_moved_and_come_back(page, look):
    say = look.say
    file = the_link_of(items(page).nth(1))
    pick(page, look, 1)
    page.get_by_role("button", name=say("Copy or move…")).click()
    projects = page.get_by_role("combobox", name=say("Into the project"))
    projects.select_option("Another book")
    assert serious(page) == []
    page.get_by_role("button", name=say("Move", context="files"), exact=True).click()
    values = {"count": 1, "project": "Another book"}
    moved = say(
        "%(count)d file moved to “%(project)s”.",
        "%(count)d files moved to “%(project)s”.",
        **values,
    )
    expect(page.get_by_text(moved)).to_be_visible()
    expect(projects).to_be_hidden()
    expect(file).to_be_hidden()
    page.get_by_role("button", name=say("Undo")).click()
    back = say("%(count)d file is back.", "%(count)d files are back.", count=1)
    expect(page.get_by_text(back)).to_be_visible()
    expect(file).to_be_visible()


def files_are_downloaded(page, look):
    pick(page, look, 0, 2)
    with page.expect_download() as download:
        page.get_by_role("button", name=look.say("Download")).click()
    assert download.value.suggested_filename == "files.zip"


def test_a_finger_that_rests_on_a_file_selects_it(studio, open_page, project):
    page = open_page(studio, f"/library/?project={project}", NIGHT_PHONE)
    say = NIGHT_PHONE.say
    assert page.evaluate("document.documentElement.scrollWidth") == NIGHT_PHONE.width
    pick(page, NIGHT_PHONE, 0)
    expect(page.get_by_text(say("{count} selected", count=1))).to_be_visible()
    pick(page, NIGHT_PHONE, 1)
    expect(page.get_by_text(say("{count} selected", count=2))).to_be_visible()
    page.get_by_role("button", name=say("Select none")).tap()
    items(page).nth(1).locator(".cover-link").tap()
    expect(page).to_have_url(re.compile("/files/"))


def test_a_project_is_deleted_undone_and_duplicated(studio, open_page, project, look, say):
    page = open_page(studio, f"/projects/{project}/", look)
    menu = page.get_by_role("button", name=say("Project menu"))
    menu.click()
    page.get_by_role("button", name=say("Delete…")).click()
    page.get_by_role("button", name=say("Delete project")).click()
    gone = say("“%(title)s” is in the trash.", title="A book of pictures")
    expect(page.get_by_text(gone)).to_be_visible()
    page.get_by_role("button", name=say("Undo")).click()
    expect(page.get_by_role("heading", name="A book of pictures")).to_be_visible()
    menu.click()
    page.get_by_role("button", name=say("Duplicate")).click()
    copied = say("%(title)s (copy)", title="A book of pictures")
    expect(page.get_by_role("heading", name=copied)).to_be_visible()
    expect(page.locator("[data-file-count]:visible")).to_have_text(str(COUNT))


def test_a_tag_finds_files_and_the_trash_gives_them_back_or_not(
    studio, open_page, project, look, say
):
    page, tag = open_page(studio, f"/library/?project={project}", look), f"going {look.width}"
    pick(page, look, 0, 1, 2)
    page.get_by_role("button", name=say("Tag…")).click()
    page.get_by_role("combobox", name=say("Tags, with commas between them")).fill(tag)
    page.keyboard.press("Enter")
    tagged = say("%(count)d file tagged.", "%(count)d files tagged.", count=3)
    expect(page.get_by_text(tagged)).to_be_visible()
    page.goto(f"{studio.url}/library/")
    page.locator("select[name=tag]").select_option(tag)
    expect(items(page)).to_have_count(3)
    names = items(page).locator(".find-name").all_inner_texts()
    pick(page, look, 0)
    page.keyboard.press("a")
    page.get_by_role("button", name=say("Delete")).click()
    expect(items(page)).to_have_count(0)

    page.goto(f"{studio.url}/trash/")
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    # Copies of what was moved and taken back are there as well.
    rows = page.locator(".row", has_text="A book of pictures")
    rows.get_by_role("button", name=say("Bring %(name)s back", name=names[0])).click()
    expect(rows.get_by_text(names[0], exact=True)).to_have_count(0)
    rows.get_by_role("button", name=say("Delete %(name)s for good", name=names[1])).click()
    expect(rows.get_by_text(names[1], exact=True)).to_have_count(0)
    expect(rows.get_by_text(names[2], exact=True)).to_be_visible()
    page.get_by_role("button", name=say("Empty the trash…")).click()
    dialog = page.get_by_role("dialog", name=say("Empty the trash?"))
    expect(dialog.get_by_role("button", name=say("Keep it"))).to_be_focused()
    assert serious(page) == []
    dialog.get_by_role("button", name=say("Empty the trash"), exact=True).click()
    expect(page.get_by_role("heading", name=say("The trash is empty"))).to_be_visible()

    page.goto(f"{studio.url}/library/?tag={tag}")
    expect(items(page)).to_have_count(1)
    expect(items(page)).to_contain_text(names[0])
