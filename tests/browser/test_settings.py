"""What people set for themselves: their name, language and appearance, notices, and their data."""

import pytest
from playwright.sync_api import expect

from tests.browser.looks import in_every_look

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

NAMES = {"en": "English", "zh-hans": "中文"}


@pytest.fixture
def settings(studio, open_page, look):
    """Goes to a page of the settings, as people do: by the menu and the list of pages."""
    page, say = open_page(studio, look=look), look.say
    page.get_by_role("button", name=say("Account and settings")).click()
    page.get_by_role("link", name=say("Settings"), exact=True).click()

    def go(title):
        page.get_by_role("navigation", name=say("Settings")).get_by_text(
            say(title), exact=True
        ).click()
        expect(page.get_by_role("heading", name=say(title), level=1)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == look.width
        return page

    return go


@in_every_look
def test_the_pages_of_the_settings_are_gone_through(settings, look):
    say, page = look.say, settings("Profile")
    page.get_by_label(say("Name"), exact=True).fill(f"Ada {look.width}")
    page.get_by_role("button", name=say("Save")).click()
    expect(page.get_by_role("status").filter(has_text=say("Saved."))).to_be_visible()

    page = settings("Notices")
    sound = page.get_by_role("switch", name=say("Play a sound"))
    expect(sound).not_to_be_checked()
    # On a phone too: the whole line is the switch.
    page.get_by_text(say("Play a sound")).click()
    page.reload()
    expect(sound).to_be_checked()

    page = settings("Sessions")
    expect(page.get_by_text(say("this browser"))).to_be_visible()
    settings("Usage")
    page = settings("Your data")
    with page.expect_download() as download:
        page.get_by_role("button", name=say("Download everything")).click()
    assert download.value.suggested_filename.startswith("sandbox-studio-")


@in_every_look
def test_the_own_choice_of_language_and_light_wins_over_the_browsers(settings, look):
    page, other = settings("Profile"), look.opposite
    ground = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    languages = page.get_by_role("main").get_by_role("group", name=look.say("Language"))
    languages.get_by_role("button", name=NAMES[other.language]).click()
    expect(page.locator("html")).to_have_attribute("lang", other.language)
    expect(page.get_by_role("heading", name=other.say("Profile"))).to_be_visible()

    page.get_by_role("button", name=other.say("Account and settings")).click()
    choice = page.get_by_role("group", name=other.say("Appearance"))
    wanted = choice.get_by_role(
        "button", name=other.say(other.scheme.title(), context="appearance"), exact=True
    )
    wanted.click()
    expect(wanted).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator("body")).not_to_have_css("background-color", ground)
    expect(page.locator("html")).to_have_attribute("data-theme", other.scheme)
