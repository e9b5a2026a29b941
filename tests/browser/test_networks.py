"""Where the operator lets projects choose their network."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import serious
from tests.browser.conftest import running_studio
from tests.browser.test_pages import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def choosing():
    """A studio with all networks and no engine.

    A browser drops what it is loading when a container gets a network: the machine's has changed.
    """
    nowhere = "unix:///nowhere/docker.sock"
    with running_studio(STUDIO_NETWORKS="none,packages,open", DOCKER_HOST=nowhere) as running:
        yield running


def network(page):
    return page.get_by_role("combobox", name="Network")


def test_the_owner_chooses_the_network_of_each_request_and_reads_what_it_means(
    choosing, open_page, ask, until_ended
):
    page = open_page(choosing)
    expect(network(page)).to_have_value("none")
    expect(page.get_by_text("Nothing goes in or out")).to_be_visible()
    network(page).select_option("Open internet")
    expect(page.get_by_text("Any server can be reached")).to_be_visible()
    expect(page.get_by_text("Nothing goes in or out")).to_be_hidden()
    ask(page, "A greeting card")
    until_ended(page, "sandbox_unavailable")
    expect(network(page)).to_have_value("open")

    network(page).select_option("Package registries only")
    expect(page.get_by_text("packages can be installed")).to_be_visible()
    ask(page, "In blue")
    until_ended(page, "sandbox_unavailable")
    page.reload()
    expect(network(page)).to_have_value("packages")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_choice_is_accessible_and_fits_a_phone(choosing, open_page, scheme):
    page = open_page(choosing, color_scheme=scheme, viewport=PHONE, reduced_motion="reduce")
    page.wait_for_load_state("networkidle")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
