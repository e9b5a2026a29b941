"""Somebody is invited, makes an account, looks, changes, and is taken out again."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import serious

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


@pytest.fixture
def newcomer(browser, look):
    """The page of somebody who has no account, and sees it in the opposite look."""
    context = browser.new_context(reduced_motion="reduce", **look.opposite.options)
    yield context.new_page()
    context.close()


def open_people(page, say):
    page.get_by_role("button", name=say("Project menu")).click()
    page.get_by_role("button", name=say("People…")).click()
    dialog = page.get_by_role("dialog", name=say("People"))
    expect(dialog.get_by_role("heading", name=say("Invite with a link"))).to_be_visible()
    return dialog


def fits(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_project_is_shared_with_people(
    recipes_studio, open_page, newcomer, ask, until_ended, look, say
):
    request, name = "A greeting card for our neighbours", f"bob{look.width}"
    owner, said_to_newcomer = open_page(recipes_studio, look=look), look.opposite.say
    ask(owner, request)
    owner.get_by_role("button", name=say("Stop"), exact=True).click()
    until_ended(owner, "stopped")
    project = owner.url

    people = open_people(owner, say)
    people.get_by_role("button", name=say("Make a link")).click()
    link = people.get_by_label(say("The new link"))
    expect(link).to_be_focused()
    assert serious(owner) == []
    newcomer.goto(link.input_value())
    expect(newcomer.get_by_role("heading")).to_have_text(request)
    assert fits(newcomer)
    newcomer.get_by_role("link", name=said_to_newcomer("Make an account")).click()
    newcomer.locator("[name=username]").fill(name)
    newcomer.locator("[name=password1]").fill("of the builders")
    newcomer.locator("[name=password2]").fill("of the builders")
    newcomer.get_by_role("button", name=said_to_newcomer("Make an account")).click()

    # Looking: the whole conversation, and no way to change anything.
    newcomer.wait_for_url(project)
    expect(newcomer.locator(".request-text")).to_have_text(request)
    expect(newcomer.get_by_role("textbox")).to_have_count(0)
    expect(newcomer.locator("[data-retry]")).to_have_count(0)
    assert fits(newcomer)

    # Changing, as soon as the owner says so.
    people.get_by_role("button", name=say("Close"), exact=True).click()
    people = open_people(owner, say)
    expect(people.locator(".row", has_text=name).first).to_be_visible()
    assert serious(owner) == []
    with owner.expect_response("**/role/"):
        people.get_by_label(say("What %(name)s may do", name=name)).select_option("2")
    newcomer.reload()
    ask(newcomer, "Another one")
    newcomer.get_by_role("button", name=said_to_newcomer("Stop"), exact=True).click()
    until_ended(newcomer, "stopped")

    # Taken out: nothing is there any more, on the open page neither.
    expect(newcomer.locator("[data-watched]")).to_have_count(1)
    owner.once("dialog", lambda dialog: dialog.accept())
    people.get_by_role("button", name=say("Take %(name)s out", name=name)).click()
    expect(people.locator(".row", has_text=name)).to_have_count(0)
    expect(newcomer.locator(".lost")).to_be_visible()
    assert newcomer.reload().status == 404
    owner.keyboard.press("Escape")
    expect(people).to_be_hidden()
