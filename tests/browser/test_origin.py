"""What a hostile file can do in a real browser: nothing to the app, all it likes on its own host.

The app and the artifacts are on hosts of one domain here, as they may be on the internet: there
browsers take them for the same site, which is the harder case.
"""

import json
import os
import subprocess
import sys

import pytest
from playwright.sync_api import Error, expect

from tests.browser.conftest import ROOT, running_studio

pytestmark = [pytest.mark.browser, pytest.mark.slow]

APP, ARTIFACTS = "app.studio.localhost", "files.studio.localhost"

# Each attempt ends in "denied", or in what was reached. What the policy of the page stops counts as
# denied when the browser says so.
PROBE = """<!doctype html><title>Probe</title>
<button>popup</button><pre></pre><form method="post"></form>
<script>
const app = `http://app.studio.localhost:${location.port}`, denied = "denied", told = {};
const neighbour = location.href.replace(/\\/\\/[^.]+/, "//aaaaaaaaaaaaaaaa");
const socket = app.replace("http", "ws") + "/ws/", outside = "http://127.0.0.1:9/told.png";
const late = () => new Promise((done) => setTimeout(done, 10000, "not answered"));
async function attempt(name, action) {
  told[name] = await Promise.race([action(), late()]).then(String, () => denied);
}
const stopped = (name, directive, action) => attempt(name, () => new Promise((done) => {
  addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
    if (effectiveDirective === directive) done(denied);
  });
  action().catch(() => null);
}));
async function append(tag, src) {
  document.body.append(Object.assign(document.createElement(tag), {src}));
}
document.querySelector("button").onclick = () => { self.popup = open(app + "/"); };
document.forms[0].action = app + "/projects/new/";
(async () => {
  await attempt("cookie", async () => document.cookie || Promise.reject());
  await attempt("storage", async () => localStorage.secret ?? Promise.reject());
  await attempt("opener", async () => opener.document.title);
  await attempt("parent", async () => parent === self ? Promise.reject() : parent.document.title);
  await attempt("top", async () => {
    if (top === self) return denied;
    top.location = app;
    return late();
  });
  await attempt("reading", () => fetch(app + "/", {credentials: "include"}));
  await attempt("neighbour", () => fetch(neighbour));
  await attempt("worker", () => navigator.serviceWorker.register("worker.js"));
  await stopped("fetch", "connect-src", () => fetch(app + "/", {mode: "no-cors"}));
  await stopped("beacon", "connect-src", async () => navigator.sendBeacon(outside));
  await stopped("socket", "connect-src", async () => new WebSocket(socket));
  await stopped("picture", "img-src", () => append("img", outside));
  await stopped("script", "script-src-elem", () => append("script", app + "/jsi18n/"));
  await stopped("frame", "frame-src", () => append("iframe", app + "/"));
  document.querySelector("iframe").remove();
  document.cookie = "planted=1; domain=studio.localhost; path=/";
  document.querySelector("pre").textContent = JSON.stringify(told);
})();
</script>"""
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">
<script>document.documentElement.setAttribute("data-ran", "")</script>
<rect width="90" height="90"/></svg>"""
NO_PAGE = "<title>ran</title><script>document.title = 'ran'</script>"
FILES = {
    "probe.html": PROBE,
    "worker.js": "self.onfetch = 1",
    "logo.svg": DRAWING,
    **dict.fromkeys(("page.png", "page.txt", "page.json", "page.mp4", "page.bin"), NO_PAGE),
    "spin.html": "<h1>Spinning</h1><script>setTimeout(() => { while (1); }, 300)</script>",
    "stuck.html": "<h1>Stuck</h1><script>while (1);</script>",
}
# A project that no run made: no model, sandbox or inspector is needed for these files.
MAKE_PROJECT = """
import json, sys
import django
django.setup()
from django.utils import timezone
from studio.accounts.models import User
from studio.artifacts.kinds import kind_and_type
from studio.artifacts.models import Artifact, Version
from studio.media import store
from studio.projects.models import Project

project = Project.objects.create(owner=User.objects.get(), title="Hostile files")
for path, text in json.load(sys.stdin).items():
    blob, (kind, media_type) = store().put([text.encode()]), kind_and_type(path)
    now = timezone.now()
    artifact = Artifact.objects.create(project=project, path=path, kind=kind, updated=now)
    artifact.latest = Version.objects.create(
        artifact=artifact, number=1, digest=blob.digest, size=blob.size, media_type=media_type,
        created=now,
    )
    artifact.save()
print(project.pk)
"""


@pytest.fixture(scope="module")
def hostile():
    """A studio on hosts of one domain, with a project that has the files."""
    environment = {
        "STUDIO_HOSTS": f"{APP},localhost,127.0.0.1",
        "STUDIO_ARTIFACT_HOST": ARTIFACTS,
        "STUDIO_WARM": "0",
    }
    with running_studio(**environment) as studio:
        for name in ("url", "link"):
            setattr(studio, name, getattr(studio, name).replace("localhost", APP))
        made = subprocess.run(
            [sys.executable, "-c", MAKE_PROJECT],
            cwd=ROOT,
            env=os.environ
            | environment
            | {"STUDIO_VAR": str(studio.var), "DJANGO_SETTINGS_MODULE": "studio.settings"},
            input=json.dumps(FILES),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        studio.project = f"/projects/{made.stdout.strip()}/"
        yield studio


@pytest.fixture
def show(hostile, open_page):
    """Opens the viewer of a file, and waits for no more than its page."""
    page = open_page(hostile, hostile.project, service_workers="allow")

    def show_(name):
        page.goto(f"{hostile.url}{hostile.project}files/{name}", wait_until="commit")
        return page

    yield show_
    # What is denied is told in the console, too.
    open_page.complaints.clear()


def opened_alone(page):
    with page.expect_popup() as waiting:
        page.get_by_role("link", name="Open in a new tab").click()
    waiting.value.wait_for_load_state()
    return waiting.value


def attempted(where):
    """What the probe reached in this page or frame; its form is never sent."""
    expect(where.locator("pre")).not_to_be_empty()
    told = where.evaluate("told")
    assert len(told) == 14
    return {name: end for name, end in told.items() if end != "denied"}


def send_form(page, where):
    """The probe's form, which the browser complains of instead; the probe is gone then."""
    with page.expect_console_message(lambda said: "form-action 'none'" in said.text):
        where.evaluate("setTimeout(() => document.forms[0].submit())")


def test_a_page_reaches_nothing_of_the_app(hostile, show):
    page = show("probe.html")
    page.evaluate("localStorage.secret = 'of the app'")
    framed = page.locator(".device iframe").element_handle().content_frame()
    assert attempted(framed) == {}
    framed.get_by_role("button", name="popup").click()
    assert framed.evaluate("popup") is None
    # On its own host it may store what it likes, here as in a tab of its own.
    assert framed.evaluate("localStorage.kept = 1, localStorage.kept") == "1"
    send_form(page, framed)

    page.context.clear_cookies(name="planted")
    alone = opened_alone(page)
    assert attempted(alone) == {}
    assert alone.evaluate("localStorage.kept") == "1"
    # It may open windows, into which it does not see.
    with alone.expect_popup() as waiting:
        alone.get_by_role("button", name="popup").click()
    waiting.value.wait_for_url(hostile.url + "/")
    with pytest.raises(Error, match=r"SecurityError|of null"):
        alone.evaluate("popup.document.title")
    send_form(alone, alone)

    assert page.url.endswith("/files/probe.html")
    # For a domain that it shares with the app it can plant a cookie; none of the app's is there.
    shared = [cookie for cookie in page.context.cookies() if cookie["domain"] != APP]
    assert [cookie["name"] for cookie in shared] == ["planted"]
    page.goto(f"{hostile.url}/projects/")
    expect(page.get_by_role("link", name="Hostile files")).to_have_count(1)


def test_what_is_no_page_runs_nothing(show):
    for name in ("logo.svg", "page.png", "page.txt", "page.json", "page.mp4"):
        alone = opened_alone(show(name))
        assert alone.title() != "ran", name
        assert alone.locator("[data-ran]").count() == 0, name
        alone.close()
    page = show("page.bin")
    with page.expect_download():
        page.get_by_role("link", name="Open in a new tab").click()


def test_a_page_that_never_stops_computing_leaves_the_app_usable(show):
    for name in ("spin.html", "stuck.html"):
        page = show(name)
        page.get_by_role("button", name="Phone").click()
        expect(page.locator(".device")).to_have_attribute("data-device", "phone")
        page.get_by_role("link", name="Back to the project").click()
        page.get_by_role("textbox").fill("It still listens")
