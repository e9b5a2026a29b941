"""Where the operator lets projects choose their network, and what a run took when it is over."""

import pytest
from playwright.sync_api import expect

from agent.testing import ScriptedEndpoint, bash, submit
from tests.browser.conftest import Script, running_studio
from tests.browser.test_pages import AXE, FINDINGS, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


@pytest.fixture(scope="module")
def answers():
    return Script()


@pytest.fixture(scope="module")
def choosing(engine, answers):
    """A studio whose projects may have no network or all of it."""
    with (
        ScriptedEndpoint(answers) as endpoint,
        running_studio(
            OPENAI_BASE_URL=endpoint.base_url,
            OPENAI_API_KEY="key",
            STUDIO_MODEL="scripted",
            STUDIO_NETWORKS="none,open",
        ) as running,
    ):
        yield running


def network(page):
    return page.get_by_role("combobox", name="Network")


def test_the_owner_chooses_the_network_of_each_request_and_reads_what_it_means(
    choosing, answers, open_page, ask, until_ended
):
    page = open_page(choosing)
    expect(network(page)).to_have_value("none")
    expect(page.get_by_text("Nothing goes in or out")).to_be_visible()
    network(page).select_option("open")
    expect(page.get_by_text("Any server can be reached")).to_be_visible()
    expect(page.get_by_text("Nothing goes in or out")).to_be_hidden()

    answers.say(bash("ls /sys/class/net > output/first.txt"), submit("Looked."))
    ask(page, "What networks are there?")
    until_ended(page)
    expect(network(page)).to_have_value("open")
    page.get_by_role("link", name="first.txt").first.click()
    expect(page.locator(".source")).to_contain_text("eth0")
    page.go_back()

    network(page).select_option("none")
    answers.say(bash("ls /sys/class/net > output/second.txt"), submit("Looked again."))
    ask(page, "And now?")
    until_ended(page)
    expect(network(page)).to_have_value("none")
    page.get_by_role("link", name="second.txt").first.click()
    expect(page.locator(".source")).to_have_text("lo\n")


def test_what_a_run_took_is_shown_when_it_ends_and_later(
    choosing, answers, open_page, ask, until_ended
):
    page = open_page(choosing)
    answers.say(bash("head -c 3145728 /dev/zero > output/zeros.bin"), submit("Three megabytes."))
    ask(page, "Zeros")
    until_ended(page)
    facts = page.locator(".ended-facts li")
    expect(facts).to_have_count(7)
    said = facts.all_text_contents()
    assert said[:2] == ["scripted", "2 turns"]
    assert said[5] == "3.0\xa0MB on disk"
    page.reload()
    expect(facts).to_have_text(said)
    elsewhere = open_page(choosing, page.url.removeprefix(choosing.url), locale="zh-CN")
    expect(elsewhere.locator(".ended-facts")).to_contain_text("CPU 用时")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_choice_is_accessible_and_fits_a_phone(choosing, open_page, scheme):
    page = open_page(choosing, color_scheme=scheme, viewport=PHONE, reduced_motion="reduce")
    page.wait_for_load_state("networkidle")
    page.evaluate(AXE.read_text())
    assert page.evaluate(FINDINGS) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
