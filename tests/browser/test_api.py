"""The pages for people whose programs use the API."""

import httpx
import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


def asked(studio, secret):
    """The status of what a program gets with a token."""
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.get(f"{studio.url}/api/v1/me", headers=headers, trust_env=False).status_code


def test_a_token_is_made_copied_used_and_revoked(studio, open_page):
    page = open_page(studio, "/settings/tokens/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("What is it for?").fill("My laptop")
    page.keyboard.press("Enter")
    secret = page.locator("#secret").inner_text()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret
    assert asked(studio, secret) == 200
    page.get_by_role("button", name="Revoke My laptop").click()
    expect(page.get_by_text("My laptop")).to_have_count(0)
    assert asked(studio, secret) == 401


def test_the_reference_is_read_with_the_keyboard(studio, open_page):
    page = open_page(studio, "/api/")
    operation = page.locator("#create_project")
    operation.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(operation.get_by_text("-F prompt=")).to_be_visible()
