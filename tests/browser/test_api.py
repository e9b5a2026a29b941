"""The pages for people whose programs use the API."""

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.looks import in_every_look

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


def asked(studio, secret):
    """The status of what a program gets with a token."""
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.get(f"{studio.url}/api/v1/me", headers=headers, trust_env=False).status_code


@in_every_look
def test_a_token_is_made_copied_used_and_revoked(studio, open_page, look):
    page, say = open_page(studio, "/settings/tokens/", look), look.say
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label(say("What is it for?")).fill(f"My laptop, {look}")
    page.keyboard.press("Enter")
    secret = page.locator("#secret").inner_text()
    page.get_by_role("button", name=say("Copy"), exact=True).click()
    expect(page.get_by_role("button", name=say("Copied"))).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret
    assert asked(studio, secret) == 200
    revoke = say("Revoke %(name)s", name=f"My laptop, {look}")
    page.get_by_role("button", name=revoke).click()
    expect(page.get_by_text(f"My laptop, {look}")).to_have_count(0)
    assert asked(studio, secret) == 401


@in_every_look
def test_a_webhook_is_refused_added_and_removed(studio, open_page, look):
    page, say = open_page(studio, "/settings/webhooks/", look), look.say
    field = page.get_by_label(say("Address"), exact=True)
    field.fill("http://127.0.0.1:9/")
    page.keyboard.press("Enter")
    told = say("This is no address that the studio may call: take an https one that is public.")
    expect(page.get_by_role("alert")).to_have_text(told)
    expect(field).to_have_value("http://127.0.0.1:9/")
    assert "422" in open_page.complaints.pop()
    url = f"https://hooks.example.org/{look.width}"
    field.fill(url)
    page.get_by_role("button", name=say("Add it")).click()
    expect(page.get_by_role("status")).to_contain_text(say("The secret of your new webhook"))
    webhook = page.get_by_role("region", name=url)
    expect(webhook).to_contain_text(say("Nothing was sent so far."))
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    webhook.get_by_role("button", name=say("Remove %(address)s", address=url)).click()
    expect(webhook).to_have_count(0)


@in_every_look
def test_the_reference_is_read_with_the_keyboard(studio, open_page, look):
    page = open_page(studio, "/api/", look)
    operation = page.locator("#create_project")
    operation.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(operation.get_by_text("-F prompt=")).to_be_visible()
    expect(operation.get_by_role("heading", name=look.say("Takes"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == look.width
    page.get_by_role("link", name=look.say("Get a token")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=look.say("New token"))).to_be_visible()
