"""What pages cost those who open them, and what axe finds on every page that there is."""

import json
import os
import re
import subprocess
import sys
from urllib.parse import quote, urlsplit

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.browser.axe import serious
from tests.browser.conftest import ROOT, running_studio
from tests.browser.hearing import unheard
from tests.browser.looks import OPPOSITE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COUNT = 1000
SIZES = {"desktop": {"width": 1440, "height": 900}, "phone": {"width": 375, "height": 760}}
TOUCH = {"has_touch": True, "is_mobile": True}
SEED = f"""
import json
from tests.browser import seeding
from agent.events import ArtifactSaved, RunEnded
from django.db import transaction
from studio.people.models import Invitation
from studio.projects.models import Input
from studio.runs import claims, journal
from studio.runs.models import Run
from studio.sharing.models import Share

with transaction.atomic():
    many, few = seeding.seed({COUNT}), seeding.seed(2)
    file, other = few.artifacts.all()
    Input.objects.create(project=few, name="piano", digest=file.latest.digest, size=1)
    run = Run.objects.create(project=few, number=2, prompt="With more colours")
    claim = claims.claim(run.pk)
    better = ArtifactSaved(path=file.path, digest=other.latest.digest, size=other.latest.size)
    for fact in (better, RunEnded(reason="submitted", message="", summary="More colours.")):
        journal.append(run.pk, fact, claim=claim)
    links = []
    for project, password in ((many, ""), (few, ""), (few, "a long one")):
        share = Share(project=project, creator=project.owner, listed=not password)
        share.allow_replay = True
        if password:
            share.set_password(password)
        links.append(share.give_token())
        share.save()
print(json.dumps({{
    "many": many.pk, "project_id": few.pk, "path": file.path, "name": "piano", "number": 2,
    "run_id": str(run.pk), "provider_id": "oidc", "language": "en",
    "wall": links[0], "token": links[1], "locked": links[2],
    "invited": Invitation.objects.issue(few.owner, few),
    **dict.fromkeys(["link_id", "member_id", "share_id", "token_id", "webhook_id", "word"], 1),
}}))
"""
# The HTML and all that comes until the page has loaded, in KB, and in how many requests.
BUDGETS = {
    "/": (40, 45, 600),
    "/projects/": (20, 30, 300),
    "/projects/MANY/": (100, 70, 800),
    "/library/": (100, 65, 800),
    "/projects/MANY/files/harbour-000.jpg": (30, 40, 320),
    "/s/WALL/": (90, 55, 500),
    "/accounts/login/": (10, 25, 220),
}
SHIFTS = """
window.shifted = 0;
const add = (list) => list.getEntries().forEach(({ value, hadRecentInput }) => {
  if (!hadRecentInput) window.shifted += value;
});
new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
"""
SCROLL = """async () => {
  const box = [document.scrollingElement, ...document.querySelectorAll(".stage")]
    .find(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1);
  for (let page = 0; box && page < 3; page += 1) {
    box.scrollBy(0, innerHeight);
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  }
}"""


@pytest.fixture(scope="module")
def house():
    """A studio with two projects, one of them with many files, and what its addresses name."""
    with running_studio() as studio:
        environment = {**os.environ, "STUDIO_VAR": str(studio.var)}
        command = [sys.executable, "-c", SEED]
        told = subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
        yield studio, json.loads(told.splitlines()[-1])


@pytest.fixture(scope="module")
def signed_in(house, browser):
    """What a browser keeps of whoever has signed in."""
    context = browser.new_context()
    context.new_page().goto(house[0].link)
    yield context.storage_state()
    context.close()


@pytest.fixture
def open_context(browser, signed_in):
    contexts = []

    def open_(visitor=False, **options):
        state = None if visitor else signed_in
        context = browser.new_context(storage_state=state, reduced_motion="reduce", **options)
        contexts.append(context)
        return context

    yield open_
    for context in contexts:
        context.close()


class Watch:
    """What a page asks for, what of it comes over the wire, and what it complains of."""

    def __init__(self, page):
        self.urls, self.bytes, self.complaints = [], 0, []
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", self.finished)
        page.on("request", lambda request: self.urls.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self.said)

    def finished(self, event):
        self.bytes += event["encodedDataLength"]

    def said(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location})")

    def outside(self):
        asked = {urlsplit(url) for url in self.urls}
        inside = re.compile(r"(127\.0\.0\.1|(.+\.)?localhost)$")
        return [url.geturl() for url in asked if url.hostname and not inside.match(url.hostname)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", BUDGETS)
def test_a_page_keeps_within_its_budget_and_nothing_moves(
    house, open_context, show_more, path, size
):
    studio, names = house
    address = path.replace("MANY", names["many"]).replace("WALL", names["wall"])
    visitor = path in ("/s/WALL/", "/accounts/login/")
    touch = TOUCH if size == "phone" else {}
    page = open_context(visitor, viewport=SIZES[size], **touch).new_page()
    page.add_init_script(SHIFTS)
    watch = Watch(page)
    answer = page.goto(studio.url + address, wait_until="load")
    requests, load = len([url for url in watch.urls if not url.startswith("data:")]), watch.bytes
    html = len(answer.body())
    page.wait_for_load_state("networkidle")
    if path == "/projects/MANY/" and size == "phone":
        page.get_by_role("button", name=f"Files {COUNT}").click()
    page.evaluate(SCROLL)
    show_more(page, page.locator("[data-item], .card"), 3)
    spent = (round(html / 1024), requests, round(load / 1024))
    assert page.evaluate("shifted") < 0.01
    assert page.evaluate("document.documentElement.scrollWidth") == SIZES[size]["width"]
    assert watch.complaints == []
    assert watch.outside() == []
    assert all(cost <= budget for cost, budget in zip(spent, BUDGETS[path], strict=True)), spent


def patterns(resolver: URLResolver, beginning: str = "/"):
    """All routes of the app, but those of Django's administration and of the API."""
    for entry in resolver.url_patterns:
        route = beginning + str(entry.pattern)
        if isinstance(entry, URLPattern):
            yield route
        elif not route.startswith(("/admin/", "/api/v1/")):
            yield from patterns(entry, route)


# Those that a route can't tell: written as regular expressions, and what is there no more.
OTHERS = [
    "/accounts/password/reset/key/a-b/",
    "/accounts/confirm-email/a/",
    "/nothing/",
    "/s/nothing/",
    "/s/{locked}/",
    "/invite/{invited}/",
    "/admin/status/",
]
# Pages that say why there is nothing, each with the status that says so, too.
REFUSALS = {
    # Who came by a link of the operator has no password to say once more.
    "/accounts/reauthenticate/": 403,
    "/accounts/3rdparty/login/error/": 401,
    "/accounts/oidc/{provider_id}/login/": 404,
    "/accounts/oidc/{provider_id}/login/callback/": 404,
    "/enter/{token}/": 410,
    "/invite/{token}/": 410,
    "/nothing/": 404,
    "/oembed/": 404,
    "/projects/{project_id}/packed/{path}": 404,
    "/s/nothing/": 404,
    "/s/{locked}/": 403,
}


def addresses(names, routes):
    """Routes with what a studio has; a parameter that is new here needs a name in SEED."""
    parameter = re.compile(r"<(?:\w+:)?(\w+)>|\{(\w+)\}")
    return [
        parameter.sub(lambda match: quote(str(names[match[1] or match[2]])), route)
        for route in routes
    ]


@pytest.mark.parametrize("visitor", [False, True], ids=["signed in", "visitor"])
def test_axe_finds_nothing_serious_on_any_page_which_fits_and_who_hears_it_misses_nothing(
    house, open_context, visitor
):
    studio, names = house
    context = open_context(visitor)
    page, findings, seen, refused = context.new_page(), {}, [], {}
    others, refusals = addresses(names, OTHERS), addresses(names, REFUSALS)
    found = addresses(names, (route for route in patterns(get_resolver()) if "^" not in route))
    for address in found + others:
        answer = context.request.get(
            studio.url + address, headers={"Accept": "text/html"}, max_redirects=0
        )
        # What only forms are sent to is no page.
        if answer.status == 405 or not answer.body().lstrip().lower().startswith(b"<!doctype html"):
            continue
        if answer.status != 200:
            refused[address] = answer.status
        if answer.status == 404 and address not in others:
            continue
        seen.append(address)
        for look in OPPOSITE:
            page.set_viewport_size(look.options["viewport"])
            page.emulate_media(color_scheme=look.scheme)
            page.set_extra_http_headers({"Accept-Language": look.options["locale"]})
            page.goto(studio.url + address)
            told = serious(page) + unheard(page, look.language)
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > look.width:
                told.append(f"it is {wide} wide")
            if told:
                findings[f"{address} {look}"] = told
    assert findings == {}, json.dumps(findings, indent=1)
    assert refused.items() <= dict(zip(refusals, REFUSALS.values(), strict=True)).items()
    wanted = ["/accounts/login/", "/s/{token}/replay/{number}/", "/invite/{invited}/"]
    if not visitor:
        wanted = ["/", "/library/", "/projects/{project_id}/compare/{path}", "/admin/status/"]
    assert set(addresses(names, wanted)) <= set(seen)
