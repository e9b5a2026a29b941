"""A link from its making to its end: the owner in one browser, visitors in others."""

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit
from tests.browser.axe import serious
from tests.browser.looks import in_every_look

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

PAGE = """cd output && cat > party.html <<'END'
<!doctype html><html lang=en><title>Party</title><link rel=stylesheet href=party.css>
<h1>Party</h1><script>
fetch("guests.json").then((answer) => answer.text()).then((text) => document.body.append(text))
</script>
END
echo 'h1 { color: rgb(1, 2, 3) }' > party.css; echo '"12 guests"' > guests.json
echo secret > budget.txt
"""
PASSWORD = "lanterns"
REQUEST = "A page for the party"


@pytest.fixture
def visitor(browser):
    """Opens a page in a browser that has never been here."""
    contexts = []

    def open_(url, **options):
        context = browser.new_context(reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(url)
        return page

    yield open_
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def made():
    return []


@pytest.fixture
def project(studio, script, open_page, ask, until_ended, made):
    """The address of a project with the page, made once."""
    if not made:
        # Opened as a file it can fetch nothing, of which the model is told once.
        script.say(bash(PAGE), submit("A page."), submit("A page for the party."))
        page = open_page(studio)
        ask(page, REQUEST)
        until_ended(page)
        made.append(page.url)
    return made[0]


def status(page, url):
    """How an address answers, of a host whose name the browser alone knows."""
    tab = page.context.new_page()
    answer = tab.goto(url)
    tab.close()
    return answer.status


def inside(page):
    """The shared page within the studio's own."""
    return page.frame_locator(".device iframe")


def test_a_link_from_its_making_to_its_end(studio, project, open_page, visitor, look, say):
    owner = open_page(studio, f"{project.removeprefix(studio.url)}files/party.html", look)

    # The owner makes a link to the one page, and gives it a password.
    owner.get_by_role("button", name=say("More"), exact=True).click()
    owner.get_by_role("button", name=say("Share…")).click()
    dialog = owner.get_by_role("dialog")
    title = say("Share “%(name)s”", name="party.html")
    expect(dialog.get_by_role("heading", name=title)).to_be_visible()
    dialog.get_by_label(say("Password")).fill(PASSWORD)
    dialog.get_by_role("button", name=say("Make a link")).click()
    field = dialog.get_by_role("textbox", name=say("Link"), exact=True)
    expect(field).to_be_focused()
    url = field.input_value()
    dialog.get_by_text(say("QR code"), exact=True).click()
    expect(dialog.get_by_role("img", name=say("QR code of the link"))).to_be_visible()
    assert serious(owner) == []

    # A visitor gives it, and sees the page with what it loads.
    page = visitor(url, **look.options)
    locked = page.get_by_role("heading", name=say("This link has a password"))
    expect(locked).to_be_visible()
    page.get_by_label(say("Password")).fill("a guess")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(say("That is not the password."))
    page.get_by_label(say("Password")).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(inside(page).get_by_text("12 guests")).to_be_visible()
    expect(inside(page).locator("h1")).to_have_css("color", "rgb(1, 2, 3)")
    with page.expect_download() as download:
        page.get_by_role("link", name=say("Download")).first.click()
    assert download.value.suggested_filename == "party.html"

    # Without a password it can be in a page elsewhere, and the files come from where it says.
    # What nobody is to download is not offered, and the link ends by itself.
    dialog.get_by_text(say("Change"), exact=True).click()
    dialog.get_by_role("listitem").get_by_text(say("Offer downloads")).click()
    dialog.get_by_role("listitem").get_by_label(say("Closes")).select_option("7")
    assert serious(owner) == []
    dialog.get_by_text(say("Remove the password")).click()
    replay = say("Visitors may replay how it was made")
    dialog.get_by_role("listitem").get_by_text(replay).click()
    dialog.get_by_role("button", name=say("Save")).click()
    expect(dialog.locator(".share-says")).not_to_contain_text(say("password"))
    expect(dialog.locator("li [value=keep]")).not_to_have_text(say("never"))
    refused = say("This link opens nothing")
    expect(page.get_by_text(refused)).to_have_count(0)
    # On the internet nobody is asked: this studio is on the browser's own machine.
    elsewhere = visitor("about:blank", permissions=["local-network-access"], **look.options)
    host = f'<iframe id=studio width=800 height=500 src="{url}embed/"></iframe>'
    elsewhere.route(
        "https://elsewhere.test/", lambda route: route.fulfill(body=host, content_type="text/html")
    )
    elsewhere.goto("https://elsewhere.test/")
    embedded = elsewhere.frame_locator("#studio")
    expect(embedded.frame_locator(".device iframe").get_by_text("12 guests")).to_be_visible()
    page = visitor(url, **look.options)
    expect(inside(page).get_by_text("12 guests")).to_be_visible()
    expect(page.get_by_role("link", name=say("Download"))).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    asset = page.locator("[data-viewer]").get_attribute("data-url")
    assert status(page, asset) == 200
    assert status(page, asset.replace("party.html", "budget.txt").split("?")[0]) == 404

    # How it was made is watched once more, without what the commands printed or what else came.
    page.get_by_role("link", name=say("Watch it being made")).click()
    expect(page.get_by_text("A page for the party.").first).to_be_visible()
    expect(page.locator(".card-name")).to_have_text(["party.html"])
    expect(page.locator(".step")).to_have_count(3)
    expect(page.get_by_text("secret")).to_have_count(0)
    page.keyboard.press("Escape")

    # What was asked becomes a request of whoever has an account.
    member = open_page(studio, url.removeprefix(studio.url), look)
    member.get_by_role("link", name=say("Make my own from this")).click()
    expect(member.get_by_role("textbox", name=say("What shall we make?"))).to_have_value(REQUEST)

    # The owner revokes it: it is gone from what is open, at its address and at those of files.
    dialog.get_by_text(say("Revoke"), exact=True).click()
    dialog.get_by_role("button", name=say("Revoke for good")).click()
    closed = dialog.get_by_text(say("The link is closed. Nobody can open it any more."))
    expect(closed).to_be_visible()
    assert status(page, asset) == 404
    assert page.request.get(f"{url}embed/").status == 404
    expect(page.get_by_role("heading", name=refused)).to_be_visible()
    expect(embedded.get_by_role("heading", name=refused)).to_be_visible()


@in_every_look
def test_a_project_is_shown_in_the_gallery_as_long_as_it_is_listed(
    studio, project, open_page, visitor, look
):
    say, owner = look.say, open_page(studio, project.removeprefix(studio.url), look)
    owner.get_by_role("button", name=say("Project menu")).click()
    owner.get_by_role("button", name=say("Share…")).click()
    dialog = owner.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name=say("Share this project"))).to_be_visible()
    dialog.get_by_text(say("Show it in the public gallery")).click()
    dialog.get_by_role("button", name=say("Make a link")).click()
    expect(dialog.locator(".share-says")).to_contain_text(say("in the gallery"))

    page = visitor(f"{studio.url}/explore/", **look.options)
    expect(page.get_by_role("heading", name=say("Made here"))).to_be_visible()
    shown = page.get_by_role("link", name=REQUEST)
    shown.click()
    expect(page.get_by_role("heading", name=REQUEST, level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    with page.expect_download() as download:
        page.get_by_role("link", name=say("Download all")).click()
    assert download.value.suggested_filename.endswith(".zip")
    page.get_by_role("link", name="party.html", exact=True).click()
    expect(inside(page).get_by_text("12 guests")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name=REQUEST, level=1)).to_be_visible()

    dialog.get_by_text(say("Revoke"), exact=True).click()
    dialog.get_by_role("button", name=say("Revoke for good")).click()
    expect(page.get_by_role("heading", name=say("This link opens nothing"))).to_be_visible()
    page.goto(f"{studio.url}/explore/")
    expect(shown).to_have_count(0)
