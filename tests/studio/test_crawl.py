"""What a user or a model wrote, looked for behind every route of the app's own origin."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from asgiref.sync import async_to_sync
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agent.events import RunStarted, ToolPrinted
from studio.media import store
from studio.projects.models import Input, Project
from studio.runs import claims, journal
from studio.runs.models import Run, Status
from tests.studio.conftest import save, shared
from tests.studio.test_access import (
    GENERAL,
    LIBRARY,
    OWNED,
    PUBLIC,
    SETTINGS,
    SHARED,
    STAFF,
    address,
    let_dora_in,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

# In a name, in a request and in what a command printed: shown, but never as HTML.
MARKUP = "<script>canary()</script>"
# In a file: never shown at all.
BYTES = "bytes-of-a-file"
HOSTILE = f"<!doctype html><p>{BYTES}{MARKUP}".encode()
EVERY_BLANK = f"event={MARKUP}&place={MARKUP}&paper=297&day=2027-04-17&time=7 pm&colour=%23d43a3a"
NAMES = ("poster.svg", "page.html", "run.js", "data.json", "notes.txt", f"{MARKUP}.html")


@pytest.fixture
def hostile(run: Run) -> Run:
    token = claims.claim(run.pk)
    assert token
    journal.append(run.pk, RunStarted(prompt=MARKUP, model=MARKUP), claim=token)
    journal.append(run.pk, ToolPrinted(call="a", text=MARKUP), claim=token)
    for name in NAMES:
        save(run, name, HOSTILE)
    blob = store().put([HOSTILE])
    for name in ("a.csv", f"{MARKUP}.svg"):
        Input.objects.create(project=run.project, name=name, digest=blob.digest, size=len(HOSTILE))
    let_dora_in(run, MARKUP)
    about = {"status": Status.ENDED, "ended": timezone.now()}
    Run.objects.update(prompt=MARKUP, summary=MARKUP, message=MARKUP, **about)
    Project.objects.update(title=MARKUP)
    shared(run.project, listed=True, allow_replay=True)
    for each in run.project.artifacts.all():
        shared(run.project, artifact=each, listed=True, allow_replay=True)
    run.refresh_from_db()
    return run


def shared_pages(name: str, links: list[str]) -> list[str]:
    """The addresses of a visitor's route, in every share and for every file."""
    ending = {"page": "", "preview": "preview.jpg", "file": "files/", "open": "open/"}
    ending |= {"replay": "replay/1/", "events": "replay/1/events/"}
    paths = [link + ending.get(name, f"{name}/") for link in links]
    if name in ("file", "open"):
        paths = [path + each for path in paths for each in NAMES]
    return [path + query for path in paths for query in ("", "?download=1", f"?file={MARKUP}")]


def visited(name: str, run: Run) -> list[str]:
    """The addresses of a route: for every file, as it is, as a version and as a download."""
    if name in LIBRARY:
        return [reverse(name) + query for query in ("", f"?q={MARKUP}&tag={MARKUP}&since={MARKUP}")]
    links = [each.path for each in run.project.shares.all()]
    if name in PUBLIC | GENERAL:
        return {
            "accounts:enter": ["/enter/x/"],
            "people:invited": ["/invite/x/"],
            "openid_connect_login": ["/accounts/oidc/oidc/login/"],
            "openid_connect_callback": [f"/accounts/oidc/oidc/login/callback/?error={MARKUP}"],
            "set_language": [f"/language/?next={MARKUP}"],
            "javascript-catalog": ["/jsi18n/"],
            "health": ["/healthz"],
            "start": ["/", f"/?prompt={MARKUP}"],
            "models_help": ["/help/models/"],
            "styleguide": ["/styleguide/"],
            "projects:list": ["/projects/", f"/projects/?page={MARKUP}"],
            "projects:create": ["/projects/new/"],
            "explore": ["/explore/", f"/explore/?page={MARKUP}"],
            "oembed": [f"/oembed/?url=http://localhost:8000{path}" for path in links],
            "robots": ["/robots.txt"],
            "notices:worker": ["/notices.js"],
            "notices:offline": ["/offline/"],
            "notices:letters": ["/notices/letters/"],
            "notices:preferences": ["/settings/notices/"],
            "notices:subscribe": ["/notices/subscribe/"],
            "notices:unsubscribe": ["/notices/unsubscribe/"],
            "api:reference": ["/api/"],
            "starting:all": ["/start/", "/start/?kind=music", f"/start/?kind={MARKUP}"],
            "starting:point": ["/start/en/piano/"],
            "starting:sentence": [f"/start/en/concert/sentence/?{EVERY_BLANK}"],
            "starting:write": [f"/start/en/concert/write/?{EVERY_BLANK}"],
            "starting:make": ["/start/en/piano/make/"],
            "api:tokens": ["/settings/tokens/"],
            "api:revoke": ["/settings/tokens/1/revoke/"],
            "api:webhooks": ["/settings/webhooks/"],
            "api:remove-webhook": ["/settings/webhooks/1/remove/"],
        }[name]
    if name in SHARED:
        return shared_pages(name.removeprefix("shared:"), links)
    if name in SETTINGS | STAFF:
        return [reverse(name, args=[1] if "revoke" in name else [])]
    first = address(name, run)
    files = [first]
    if "poster.svg" in first:
        files = [first.replace("poster.svg", each) for each in NAMES]
    if "a.csv" in first:
        files.append(first.replace("a.csv", f"{MARKUP}.svg"))
    version = run.versions.first()
    assert version
    queries = ("", "?download=1", f"?v={version.digest}", f"?form=messages&v={MARKUP}")
    return [file + query for file in files for query in queries]


def body(answer: HttpResponse | StreamingHttpResponse) -> str:
    if not isinstance(answer, StreamingHttpResponse):
        return answer.content.decode()

    async def gathered() -> bytes:
        return b"".join([piece async for piece in answer])

    return async_to_sync(gathered)().decode()


@pytest.mark.parametrize("name", sorted({*OWNED, *PUBLIC, *GENERAL, *SHARED, *SETTINGS, *STAFF}))
def test_no_route_of_the_app_gives_a_files_bytes_or_lets_words_act(
    name: str, hostile: Run, alices_browser: Client
) -> None:
    artifact_host = f"{hostile.project_id}.artifacts.localhost:8000"
    for url in visited(name, hostile):
        answer = alices_browser.get(url)
        text, media_type = body(answer), answer.get("content-type", "").partition(";")[0]
        assert BYTES not in text, url
        assert answer["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in answer["content-security-policy"]
        if location := answer.get("location"):
            assert urlsplit(location).netloc in ("", artifact_host), url
        if media_type not in ("application/json", "application/jsonl"):
            assert MARKUP not in text, url
        shown = ("text/html", "application/json", "text/javascript", "")
        if media_type not in shown and name != "robots":
            assert answer.status_code != 200 or answer.get("content-disposition", "").startswith(
                "attachment"
            )
