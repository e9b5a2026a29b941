"""Somebody is invited, makes an account on a phone, looks, changes, and is taken out again."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

PHONE = {"width": 375, "height": 780}


@pytest.fixture
def newcomer(browser):
    """The page of somebody who has no account, on a phone and in Chinese."""
    context = browser.new_context(viewport=PHONE, locale="zh-CN", reduced_motion="reduce")
    yield context.new_page()
    context.close()


def open_people(page):
    page.locator("[popovertarget=project-menu]").click()
    page.locator("[data-opens=people]").click()
    dialog = page.get_by_role("dialog", name="People")
    expect(dialog.get_by_role("heading", name="Invite with a link")).to_be_visible()
    return dialog


def fits(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_project_is_shared_with_people(recipes_studio, open_page, newcomer, ask, until_ended):
    owner = open_page(recipes_studio)
    ask(owner, "A greeting card for our neighbours")
    owner.locator("[data-stop]").click()
    until_ended(owner, "stopped")
    project = owner.url

    people = open_people(owner)
    people.get_by_role("button", name="Make a link").click()
    link = people.get_by_label("The new link")
    expect(link).to_be_focused()
    newcomer.goto(link.input_value())
    expect(newcomer.get_by_role("heading")).to_have_text("A greeting card for our neighbours")
    assert fits(newcomer)
    newcomer.get_by_role("link", name="注册账号").click()
    newcomer.get_by_label("用户名").fill("bob")
    newcomer.locator("[name=password1]").fill("of the builders")
    newcomer.locator("[name=password2]").fill("of the builders")
    newcomer.locator("main form[method=post]").last.get_by_role("button").click()

    # Looking: the whole conversation, and no way to change anything.
    newcomer.wait_for_url(project)
    expect(newcomer.locator(".request-text")).to_have_text("A greeting card for our neighbours")
    expect(newcomer.get_by_role("textbox")).to_have_count(0)
    expect(newcomer.locator("[data-retry]")).to_have_count(0)
    assert fits(newcomer)

    # Changing, as soon as the owner says so.
    people.get_by_role("button", name="Close").click()
    people = open_people(owner)
    expect(people.locator(".row", has_text="bob")).to_be_visible()
    with owner.expect_response("**/role/"):
        people.get_by_label("What bob may do").select_option("2")
    newcomer.reload()
    ask(newcomer, "Another one")
    newcomer.locator("[data-stop]").click()
    until_ended(newcomer, "stopped")

    # Taken out: nothing is there any more, on the open page neither.
    expect(newcomer.locator("[data-watched]")).to_have_count(1)
    owner.once("dialog", lambda dialog: dialog.accept())
    people.get_by_role("button", name="Take bob out").click()
    expect(people.locator(".row", has_text="bob")).to_have_count(0)
    expect(newcomer.locator(".lost")).to_be_visible()
    assert newcomer.reload().status == 404
    owner.keyboard.press("Escape")
    expect(people).to_be_hidden()
