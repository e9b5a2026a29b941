"""An operator enters an endpoint; whoever asks for something chooses its model."""

import sqlite3

import pytest
from playwright.sync_api import expect

from agent.models import Reply
from agent.testing import ScriptedEndpoint, call, submit
from tests.browser.axe import serious
from tests.browser.conftest import running_studio
from tests.browser.test_pages import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CANARY = "sk-canary-0f5a2"
LOOK = Reply(calls=(call("look", path="picture.png"),))
ANSWERS = [LOOK, Reply("Blue and yellow."), submit("From the second."), submit("And once more.")]


@pytest.fixture(scope="module")
def first():
    with ScriptedEndpoint([submit("From the first.")]) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def second():
    with ScriptedEndpoint(ANSWERS) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def choosing(engine, first):
    """A studio with one model in its settings."""
    settings = {"OPENAI_BASE_URL": first.base_url, "STUDIO_MODEL": "plain", "STUDIO_WARM": "0"}
    with running_studio(**settings) as running:
        yield running


def model(page):
    return page.get_by_role("combobox", name="Model", exact=True)


def tables(studio):
    """Everything in the database of a studio."""
    with sqlite3.connect(studio.var / "studio.sqlite3") as database:
        return "\n".join(database.iterdump())


def test_an_endpoint_is_entered_tested_chosen_and_asked(
    choosing, first, second, open_page, ask, until_ended
):
    page = open_page(choosing)
    expect(model(page)).to_have_count(0)
    page.get_by_role("button", name="Account and settings").click()
    page.get_by_role("link", name="Administration").click()
    page.get_by_role("link", name="Endpoints").first.click()
    page.get_by_role("link", name="Add endpoint").click()
    page.get_by_label("Name:", exact=True).fill("second")
    page.get_by_label("Address:").fill(second.base_url)
    page.get_by_label("Key:", exact=True).fill(CANARY)
    page.get_by_role("textbox", name="Name at the endpoint:").fill("m")
    page.get_by_role("textbox", name="Label:").fill("The other one")
    page.get_by_role("button", name="Save and test the connection").click()
    expect(page.get_by_text("calls tools · sees pictures")).to_be_visible()
    expect(page.get_by_label("Key:", exact=True)).to_have_value("")
    assert second.keys == [CANARY, CANARY]
    pages = [page.content()]

    page.get_by_role("link", name="To the studio").click()
    expect(model(page)).to_have_value("")
    model(page).select_option("The other one")
    ask(page, "A map")
    until_ended(page)
    expect(page.get_by_role("paragraph").filter(has_text="From the second.")).to_be_visible()
    assert second.keys == [CANARY] * 3
    assert first.requests == []
    expect(model(page)).to_have_value("second/m")
    pages.append(page.content())

    model(page).select_option("plain")
    ask(page, "In blue")
    until_ended(page)
    expect(page.get_by_role("paragraph").filter(has_text="From the first.")).to_be_visible()
    assert first.keys == [""]

    # The same once more, from another model than the one that has just answered.
    runs, other = page.locator("[data-run]"), page.get_by_label("Model for another try")
    expect(other).to_have_value("")
    other.select_option("The other one")
    runs.last.get_by_role("button", name="Try again").click()
    expect(runs).to_have_count(3)
    until_ended(page)
    expect(runs.last.locator(".request-text")).to_have_text("In blue")
    expect(page.get_by_role("paragraph").filter(has_text="And once more.")).to_be_visible()
    assert second.keys == [CANARY] * 4
    assert len(first.requests) == 1
    expect(model(page)).to_have_value("second/m")
    expect(other).to_have_value("second/m")
    pages.append(page.content())

    told = tables(choosing)
    assert "From the second." in told
    for text in (told, choosing.output, *pages):
        assert CANARY not in text
    for path in choosing.var.rglob("*"):
        if path.is_file():
            assert CANARY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/help/models/"])
def test_the_choice_is_accessible_and_fits_a_phone(choosing, open_page, scheme, path):
    page = open_page(choosing, path, color_scheme=scheme, viewport=PHONE, reduced_motion="reduce")
    page.wait_for_load_state("networkidle")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
