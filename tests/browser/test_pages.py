"""Pages: what they take, keep and say, on phones and in two languages."""

import re

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

PHONE = {"width": 375, "height": 760}


@pytest.fixture(scope="module")
def made():
    return []


@pytest.fixture
def project(studio, script, open_page, ask, until_ended, made):
    """The path of a project with a run, a summary and a file, made once."""
    if not made:
        script.say(bash("echo words > output/a.txt"), submit("One **file**."))
        page = open_page(studio)
        ask(page, "A very long request " + "without-any-space-in-it" * 8)
        until_ended(page)
        made.append(page.url.removeprefix(studio.url))
    return made[0]


def test_a_long_word_fits_a_phone(studio, open_page, project):
    page = open_page(studio, project, viewport=PHONE)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_a_phone_switches_between_conversation_and_files(studio, open_page, project):
    page = open_page(studio, project, viewport=PHONE)
    expect(page.locator(".card")).to_be_hidden()
    page.get_by_role("button", name="Files 1").click()
    expect(page.locator(".card")).to_be_visible()
    expect(page.get_by_role("textbox")).to_be_hidden()
    page.get_by_role("link", name="a.txt", exact=True).click()
    page.get_by_role("link", name="Back to the project").click()
    expect(page.locator(".card")).to_be_visible()


def test_pages_speak_the_browsers_language(studio, open_page, project):
    page = open_page(studio, project, locale="zh-CN")
    expect(page.get_by_role("heading", name="文件")).to_be_visible()
    expect(page.locator(".ended-title")).to_have_text("完成")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")


def test_a_sign_in_link_works_once(studio, browser):
    link = studio.new_link()
    first, second = browser.new_context().new_page(), browser.new_context().new_page()
    first.goto(link)
    expect(first.get_by_role("heading", name="What shall we make?")).to_be_visible()
    second.goto(link)
    expect(second.get_by_role("heading", name="This link is used up")).to_be_visible()
    for page in (first, second):
        page.context.close()


def test_files_are_dropped_listed_and_removed(studio, open_page):
    page = open_page(studio)
    page.evaluate("""() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["a,b"], "one.csv"));
      dataTransfer.items.add(new File(["0123456789"], "two.txt"));
      const drop = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector(".hero").dispatchEvent(drop("dragenter"));
      document.querySelector(".hero").dispatchEvent(drop("drop"));
    }""")
    chips = page.locator(".composer .chip")
    expect(chips).to_have_text(["one.csv3 bytes", "two.txt10 bytes"])
    page.get_by_role("button", name="Remove one.csv").click()
    expect(chips).to_have_text(["two.txt10 bytes"])
    assert page.locator("input[type=file]").evaluate("input => input.files.length") == 1


def test_a_picture_is_pasted_but_not_that_of_pasted_words(studio, open_page):
    page = open_page(studio)
    paste = """(box, [name, words]) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(["x"], name));
      for (const type of words) clipboardData.setData(type, "one two");
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }"""
    box, chips = page.get_by_role("textbox"), page.locator(".composer .chip-name")
    box.evaluate(paste, ["cells.png", ["text/plain", "text/html"]])
    box.evaluate(paste, ["from a page.png", ["text/html"]])
    box.evaluate(paste, ["from a folder.png", ["text/plain"]])
    expect(chips).to_have_text(["from a page.png", "from a folder.png"])


def test_an_empty_request_is_answered_in_the_page(studio, open_page):
    page = open_page(studio)
    page.locator("input[type=file]").set_input_files(
        {"name": "kept.txt", "mimeType": "text/plain", "buffer": b"x"}
    )
    with page.expect_response("**/projects/new/") as answer:
        page.get_by_role("button", name="Make it").click()
    assert answer.value.status == 422
    expect(page.get_by_role("alert")).to_contain_text("Say what you would like to have")
    expect(page.locator(".composer .chip")).to_contain_text("kept.txt")
    assert "422" in open_page.complaints.pop()


def test_a_project_is_renamed_and_deleted_only_after_a_question(
    studio, script, open_page, ask, until_ended
):
    script.say(bash("echo x > output/a.txt"), submit("Done."))
    page = open_page(studio)
    ask(page, "Something short-lived")
    until_ended(page)
    menu = page.get_by_role("button", name="Project menu")
    menu.click()
    page.get_by_role("button", name="Rename…").click()
    page.get_by_role("textbox", name="Name").fill("A better name")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_role("heading", name="A better name")).to_be_visible()
    menu.click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_role("heading", name="A better name")).to_be_visible()
    menu.click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Delete project").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    expect(page.get_by_role("link", name="A better name")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="A better name")).to_be_visible()


def test_what_is_typed_outlives_a_reload_and_a_lost_connection(
    studio, script, open_page, until_ended
):
    page = open_page(studio, service_workers="allow")
    box = page.get_by_role("textbox")
    box.fill("A map of three days")
    page.reload()
    expect(box).to_have_value("A map of three days")
    page.evaluate("navigator.serviceWorker.ready.then(({ active }) => active.state)")
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline")).to_be_visible()
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("alert")).to_contain_text("Your text and files are still here")
    expect(box).to_have_value("A map of three days")
    page.goto(f"{studio.url}/projects/")
    expect(page.get_by_role("heading", name="The studio is out of reach")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    page.goto(studio.url)
    expect(box).to_have_value("A map of three days")
    script.say(submit("Here are the three days."))
    page.keyboard.press("Control+Enter")
    until_ended(page)
    page.goto(studio.url)
    expect(box).to_have_value("")
    open_page.complaints.clear()


def test_whoever_is_signed_out_meanwhile_keeps_what_was_typed(studio, open_page):
    page = open_page(studio)
    page.get_by_role("textbox").fill("A poster")
    page.context.clear_cookies(name="sessionid")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("You are not signed in any more")).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_value("A poster")


def test_a_page_from_before_another_sign_in_says_so(studio, open_page):
    page = open_page(studio)
    box = page.get_by_role("textbox")
    box.fill("A poster")
    page.context.clear_cookies(name="csrftoken")
    page.keyboard.press("Control+Enter")
    page.get_by_text("This page is too old").get_by_role("link", name="Reload the page").click()
    expect(page.get_by_text("This page is too old")).to_be_hidden()
    expect(box).to_have_value("A poster")
    box.fill("")
    assert all("403" in complaint for complaint in open_page.complaints)
    open_page.complaints.clear()


def test_whoever_is_signed_out_meanwhile_is_told_what_did_not_arrive(studio, open_page, project):
    page = open_page(studio, f"{project}files/a.txt")
    page.context.clear_cookies(name="sessionid")
    star = page.get_by_role("button", name="Star a.txt")
    star.click()
    expect(page.get_by_text("You are not signed in any more")).to_be_visible()
    expect(star).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Share…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("You are not signed in any more")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("You are not signed in any more")).to_be_hidden()


def test_cards_stay_although_whoever_sees_them_is_signed_out(studio, open_page, project):
    page = open_page(studio, project)
    page.context.clear_cookies(name="sessionid")
    with page.expect_response("**/accounts/login/**"):
        page.evaluate("""() => {
          const later = Date.now() + 6 * 3_600_000;
          Date.now = () => later;
          document.dispatchEvent(new Event("visibilitychange"));
        }""")
    page.evaluate("fetch('/healthz').then((answer) => answer.text())")
    expect(page.locator(".card")).to_have_text(re.compile("a.txt"))
