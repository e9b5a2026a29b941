"""What people set for themselves: their name, language and appearance, notices, and their data."""

import base64
import json
import sqlite3
from contextlib import closing

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import expect

from tests.browser.looks import in_every_look, on_a_desk

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

NAMES = {"en": "English", "zh-hans": "中文"}

# The service of a browser's maker, which no test reaches, and a worker that only just comes.
SERVICE = """async (told) => {
  let held = null;
  const subscription = { ...told, unsubscribe: async () => (held = null) };
  PushManager.prototype.subscribe = async (options) => {
    const { active } = await navigator.serviceWorker.getRegistration();
    if (!active) throw new DOMException("no active Service Worker", "AbortError");
    window.asked = [options.userVisibleOnly, [...options.applicationServerKey]];
    return (held = subscription);
  };
  PushManager.prototype.getSubscription = async () => held;
  let registration;
  while (!registration) registration = await navigator.serviceWorker.getRegistration();
  await registration.unregister();
}"""
SHOWN = """async () => {
  const shown = await (await navigator.serviceWorker.ready).getNotifications();
  return shown.map(({ title, body, data }) => [title, body, data.url]);
}"""
# A page can't be brought to the front, nor one opened, where nobody has really clicked.
CLICK = """async () => {
  const done = [];
  clients.openWindow = async (url) => done.push(`opened ${url}`);
  WindowClient.prototype.focus = async function () {
    done.push(`went to ${new URL(this.url).pathname}`);
  };
  for (const notification of await registration.getNotifications()) {
    const event = new NotificationEvent("notificationclick", { notification });
    let handled;
    event.waitUntil = (promise) => (handled = promise);
    dispatchEvent(event);
    await handled;
  }
  return done;
}"""


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


@on_a_desk
def test_who_wants_notifications_is_shown_what_they_do_not_look_at(studio, open_page, look):
    page = open_page(studio, "/settings/notices/", look, service_workers="allow")
    page.context.grant_permissions(["notifications"], origin=studio.url)
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = base64url(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
    keys = {"p256dh": point, "auth": base64url(b"sixteen bytes 16")}
    told = {"endpoint": "https://fcm.googleapis.com/a", "keys": keys}
    page.evaluate(SERVICE, told)
    switch = page.get_by_role("switch", name="Show a notification")
    with page.expect_response("**/notices/subscribe/"):
        page.get_by_text("Show a notification").click()
    expect(switch).to_be_checked()
    own = page.locator("[data-notices]").get_attribute("data-key")
    shows, asked = page.evaluate("asked")
    assert (shows, base64url(bytes(asked))) == (True, own)
    assert subscribed(studio) == [(told["endpoint"], *keys.values())]

    deliver = pushing(page, studio)
    deliver(title="Done", body="What is looked at", tag="a", url="/settings/notices/")
    deliver(title="Done", body="A poster", tag="b", url="/projects/")
    shown_once(page, "Done", "A poster", "/projects/")
    *_, worker = page.context.service_workers
    assert worker.evaluate(CLICK) == ["opened /projects/"]
    assert page.evaluate(SHOWN) == []

    deliver(title="It ended early", body="A map", tag="c", url="/projects/")
    shown_once(page, "It ended early", "A map", "/projects/")
    with page.expect_response("**/notices/unsubscribe/"):
        page.get_by_text("Show a notification").click()
    assert subscribed(studio) == []
    page.goto(f"{studio.url}/projects/")
    assert worker.evaluate(CLICK) == ["went to /projects/"]


def shown_once(page, *what):
    page.wait_for_function(f"({SHOWN})().then(({{ length }}) => length)")
    assert page.evaluate(SHOWN) == [[*what]]


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def subscribed(studio):
    with closing(sqlite3.connect(studio.var / "studio.sqlite3")) as database:
        return database.execute("SELECT endpoint, key, secret FROM notices_subscription").fetchall()


def pushing(page, studio):
    """Gives what hands a message to the service worker, as the browser does when one comes."""
    session, registrations = page.context.new_cdp_session(page), []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    for _ in range(600):
        if registrations:
            break
        page.wait_for_timeout(50)

    def deliver(**message):
        to = {"origin": studio.url, "registrationId": registrations[-1]["registrationId"]}
        session.send("ServiceWorker.deliverPushMessage", to | {"data": json.dumps(message)})

    return deliver
