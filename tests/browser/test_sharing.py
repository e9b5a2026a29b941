"""A link from its making to its end: the owner in one browser, visitors in others."""

import pytest
from playwright.sync_api import expect

from agent.testing import bash, submit

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
REFUSED = "This link opens nothing"


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


def status(page, url):
    """How an address answers, of a host whose name the browser alone knows."""
    tab = page.context.new_page()
    answer = tab.goto(url)
    tab.close()
    return answer.status


def inside(page):
    """The shared page within the studio's own."""
    return page.frame_locator(".device iframe")


def test_a_link_from_its_making_to_its_end(studio, script, open_page, ask, until_ended, visitor):
    # Opened as a file it can fetch nothing, of which the model is told once.
    script.say(bash(PAGE), submit("A page."), submit("A page for the party."))
    owner = open_page(studio)
    ask(owner, "A page for the party")
    until_ended(owner)
    project = owner.url
    owner.goto(f"{project}files/party.html")

    # The owner makes a link to the one page, and gives it a password.
    owner.get_by_role("button", name="More").click()
    owner.get_by_role("button", name="Share…").click()
    dialog = owner.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Share “party.html”")).to_be_visible()
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Make a link").click()
    field = dialog.get_by_role("textbox", name="Link")
    expect(field).to_be_focused()
    url = field.input_value()
    dialog.get_by_text("QR code", exact=True).click()
    expect(dialog.get_by_role("img", name="QR code of the link")).to_be_visible()

    # A visitor gives it, and sees the page with what it loads.
    page = visitor(url)
    expect(page.get_by_role("heading", name="This link has a password")).to_be_visible()
    page.get_by_label("Password").fill("a guess")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("That is not the password")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(inside(page).get_by_text("12 guests")).to_be_visible()
    expect(inside(page).locator("h1")).to_have_css("color", "rgb(1, 2, 3)")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").first.click()
    assert download.value.suggested_filename == "party.html"

    # Without a password it can be in a page elsewhere, and the files come from where it says.
    dialog.get_by_text("Change", exact=True).click()
    dialog.get_by_text("Remove the password").click()
    dialog.get_by_role("listitem").get_by_text("Visitors may replay").click()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".share-says")).not_to_contain_text("password")
    expect(page.get_by_text(REFUSED)).to_have_count(0)
    # On the internet nobody is asked: this studio is on the browser's own machine.
    elsewhere = visitor("about:blank", permissions=["local-network-access"])
    host = f'<iframe id=studio width=800 height=500 src="{url}embed/"></iframe>'
    elsewhere.route(
        "https://elsewhere.test/", lambda route: route.fulfill(body=host, content_type="text/html")
    )
    elsewhere.goto("https://elsewhere.test/")
    embedded = elsewhere.frame_locator("#studio")
    expect(embedded.frame_locator(".device iframe").get_by_text("12 guests")).to_be_visible()
    page = visitor(url)
    expect(inside(page).get_by_text("12 guests")).to_be_visible()
    asset = page.locator("[data-viewer]").get_attribute("data-url")
    assert status(page, asset) == 200
    assert status(page, asset.replace("party.html", "budget.txt").split("?")[0]) == 404

    # How it was made is watched once more, without what the commands printed or what else came.
    page.get_by_role("link", name="Watch it being made").click()
    expect(page.get_by_text("A page for the party.").first).to_be_visible()
    expect(page.locator(".card-name")).to_have_text(["party.html"])
    expect(page.locator(".step")).to_have_count(3)
    expect(page.get_by_text("secret")).to_have_count(0)
    page.keyboard.press("Escape")

    # The owner revokes it: it is gone from what is open, at its address and at those of files.
    dialog.get_by_text("Revoke", exact=True).click()
    dialog.get_by_role("button", name="Revoke for good").click()
    expect(dialog.get_by_text("The link is closed")).to_be_visible()
    assert status(page, asset) == 404
    assert page.request.get(f"{url}embed/").status == 404
    expect(page.get_by_role("heading", name=REFUSED)).to_be_visible()
    expect(embedded.get_by_role("heading", name=REFUSED)).to_be_visible()
