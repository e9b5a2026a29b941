from __future__ import annotations

import re
import time
from email import message_from_bytes
from email.message import EmailMessage

import httpx
import pytest
from channels.db import database_sync_to_async
from django.test import Client
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from studio.artifacts import links
from studio.artifacts.delivery import disposition
from studio.artifacts.models import Artifact
from studio.artifacts.origin import ArtifactHosts
from studio.asgi import application
from studio.media import store
from studio.projects.models import Input, Project
from studio.runs.models import Run
from tests.studio.conftest import ALICE, asked, follow_up, save

pytestmark = pytest.mark.django_db(transaction=True)

APP = "http://localhost:8000"
HOSTS = ArtifactHosts(None)
CDN = "https://cdn.jsdelivr.net"
PAGE = b"<!doctype html><title>Map</title><script>alert(1)</script>"


async def get(url: str, method: str = "GET", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport) as client:
        return await client.request(method, url, headers=headers)


def address(project_id: str, path: str, by: int = ALICE, **query: str) -> str:
    return links.address(asked(by), project_id, path, **query)


@pytest.fixture
def page(run: Run) -> str:
    save(run, "map.html", PAGE)
    return address(run.project_id, "map.html")


async def test_a_file_comes_from_the_projects_own_host(page: str, project: Project) -> None:
    assert page.startswith(f"http://{project.pk}.artifacts.localhost:8000/")
    answer = await get(page)
    assert (answer.status_code, answer.content) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("host", ["[", "[::1", "a b", "localhost:a", "{own}:a", "{own}]:1"])
async def test_a_host_that_makes_no_sense_is_refused(
    page: str, project: Project, host: str
) -> None:
    host = host.format(own=f"{project.pk}.artifacts.localhost")
    assert (await get(APP + page.partition(":8000")[2], host=host)).status_code == 400


@pytest.mark.parametrize("port", ["0", "99999", ""])
async def test_a_host_is_of_a_project_at_whatever_port(
    page: str, project: Project, alices_browser: Client, port: str
) -> None:
    path, own = page.partition(":8000")[2], f"{project.pk}.artifacts.localhost"
    answer = await get(APP + path, host=f"{own}:{port}".rstrip(":"))
    assert answer.status_code == 200
    ask = database_sync_to_async(alices_browser.get)
    where = f"localhost:{port}".rstrip(":")
    answer = await ask(f"/projects/{project.pk}/open/map.html", headers={"host": where})
    assert answer["location"].startswith(f"http://{f'{own}:{port}'.rstrip(':')}/")


async def test_the_apps_own_host_serves_no_file(page: str, project: Project) -> None:
    path = page.partition(":8000")[2]
    answer = await get(APP + path)
    assert PAGE not in answer.content
    assert answer.status_code in (302, 404)


async def test_no_page_of_the_app_is_on_an_artifact_host(page: str) -> None:
    host = page[: page.index("8000") + 4]
    for path in ("/", "/projects/", "/accounts/login/", "/healthz", "/static/js/run.js"):
        answer = await get(host + path)
        assert answer.status_code == 404
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("map.html", {}, 200),
        ("map.html", {"download": "1"}, 200),
        (".studio/all.zip", {}, 200),
        (".studio/project.zip", {}, 200),
        (".studio/input/notes.html", {}, 200),
        ("gone.html", {}, 404),
        (".studio/input/gone", {}, 404),
    ],
)
async def test_whatever_this_origin_answers_has_the_headers(
    page: str, project: Project, path: str, query: dict[str, str], status: int
) -> None:
    blob = await database_sync_to_async(store().put)([PAGE])
    await Input.objects.acreate(project=project, name="notes.html", digest=blob.digest, size=1)
    for headers in ({}, {"range": "bytes=0-3"}, {"range": "bytes=999999-"}, {"range": "nonsense"}):
        answer = await get(address(project.pk, path, **query), **headers)
        assert answer.status_code == status or (headers and answer.status_code in (206, 400, 416))
        policy = answer.headers["content-security-policy"]
        assert "frame-ancestors 'self' http://localhost:8000 http://127.0.0.1:8000" in policy
        assert "form-action 'none'" in policy
        assert "connect-src 'self' data: blob:" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["origin-agent-cluster"] == "?1"
        assert "camera=()" in answer.headers["permissions-policy"]
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("route", [route.path for route in HOSTS.artifacts.routes])
async def test_every_route_of_this_origin_has_the_headers(page: str, route: str) -> None:
    host, token = page.rpartition("/")[0].rsplit("/", 1)
    for name in ("map.html", "nothing"):
        path = re.sub(r"\{.*?\}", name, route.replace("{token}", token))
        for method in ("GET", "HEAD", "OPTIONS", "POST"):
            headers = (await get(host + path, method)).headers
            assert "frame-ancestors 'self' http" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            # Whoever follows a link is no reason for strangers to find it.
            assert headers["x-robots-tag"] == "noindex"


@pytest.mark.parametrize(
    ("chosen", "allowed", "scripts", "connections", "referrer"),
    [
        ("none", ["none", "open"], False, False, "no-referrer"),
        ("packages", ["none", "packages"], CDN, CDN, "no-referrer"),
        ("open", ["none", "open"], "https:", "wss:", "strict-origin"),
        # What the operator has taken away is taken from finished pages, too.
        ("open", ["none"], False, False, "no-referrer"),
    ],
)
async def test_a_page_reaches_what_its_projects_network_says(
    page: str, project: Project, settings, chosen, allowed, scripts, connections, referrer
) -> None:
    settings.NETWORKS = allowed
    await Project.objects.aupdate(network=chosen)
    headers = (await get(page)).headers
    policy = {
        name: sources
        for name, *sources in map(str.split, headers["content-security-policy"].split(";"))
    }
    for name, wanted in (("default-src", scripts), ("connect-src", connections)):
        outside = {source for source in policy[name] if source.startswith(("http", "ws"))}
        assert wanted in outside if wanted else not outside
        assert ("https:" in outside) == (chosen == "open" and allowed == ["none", "open"])
    assert policy["form-action"] == ["'none'"]
    assert policy["frame-ancestors"][:2] == ["'self'", "http://localhost:8000"]
    assert headers["referrer-policy"] == referrer


async def test_no_worker_of_a_page_stays_in_the_browser(page: str) -> None:
    assert (await get(page, **{"service-worker": "script"})).status_code == 404


async def test_scripts_in_a_picture_do_not_run(run: Run) -> None:
    await database_sync_to_async(save)(run, "logo.svg", b"<svg><script>alert(1)</script></svg>")
    answer = await get(address(run.project_id, "logo.svg"))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "script-src 'none'" in answer.headers["content-security-policy"]


async def test_a_page_named_like_a_picture_is_not_shown_as_a_page(run: Run) -> None:
    await database_sync_to_async(save)(run, "innocent.png", PAGE)
    answer = await get(address(run.project_id, "innocent.png"))
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_only_pages_of_the_app_may_read_files(page: str) -> None:
    assert (await get(page, origin=APP)).headers["access-control-allow-origin"] == APP
    other = page[: page.index("8000") + 4].replace("http://", "http://other")
    for stranger in ("http://evil.example", "http://localhost:9000", "null", other):
        assert "access-control-allow-origin" not in (await get(page, origin=stranger)).headers


async def test_the_token_of_one_project_opens_no_other(page: str, run: Run, alice) -> None:
    other = await Project.objects.acreate(owner=alice, title="Another")
    stolen = page.replace(run.project_id, other.pk, 1)
    assert (await get(stolen)).status_code == 404


async def test_a_token_expires_after_six_hours(page: str, monkeypatch) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 5 * 3600)
    assert (await get(page)).status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + 7 * 3600)
    answer = await get(page)
    assert answer.status_code == 404
    assert "Open it again from its project" in answer.text


async def test_a_forged_token_opens_nothing(page: str, project: Project) -> None:
    token = page.split("/")[3]
    for forged in ("x", project.pk, token[:-1], token.upper(), token + "a"):
        assert (await get(page.replace(token, forged))).status_code == 404


async def test_the_same_link_is_given_for_a_while(project: Project, monkeypatch) -> None:
    """So the browser finds in its cache what it has shown before."""
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    first = address(project.pk, "a.png")
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0 + 1700)
    assert address(project.pk, "a.png") == first


async def test_the_newest_version_is_served_unless_another_is_asked_for(run: Run) -> None:
    keep = database_sync_to_async(save)
    old = await keep(run, "a.txt", b"old")
    second = await database_sync_to_async(follow_up)(run)
    new = await keep(second, "a.txt", b"new")
    other = await keep(second, "b.txt", b"other")
    assert (await get(address(run.project_id, "a.txt"))).text == "new"
    assert (await get(address(run.project_id, "a.txt", v=old))).text == "old"
    pinned = await get(address(run.project_id, "a.txt", v=new))
    assert "immutable" in pinned.headers["cache-control"]
    assert (await get(address(run.project_id, "a.txt", v=other))).status_code == 404


async def test_a_page_of_an_older_version_has_the_files_of_its_time(
    run: Run, alices_browser
) -> None:
    keep = database_sync_to_async(save)
    first = {"index.html": b"page 1", "late.css": b"style 1", "data.json": b"{}"}
    old = {path: await keep(run, path, data) for path, data in first.items()}
    second = await database_sync_to_async(follow_up)(run)
    await keep(second, "late.css", b"style 2")
    await keep(second, "index.html", b"page 2")
    new = await keep(second, "new.js", b"script")
    await Artifact.objects.filter(path="data.json").aupdate(removed=True)

    async def opened(digest: str) -> str:
        path = f"/projects/{run.project_id}/open/index.html?v={digest}"
        return (await database_sync_to_async(alices_browser.get)(path))["location"]

    def beside(page: str, name: str) -> str:
        return str(httpx.URL(page).join(name))

    page = await opened(old["index.html"])
    assert (await get(page)).text == "page 1"
    # Made after the page, but by the same run.
    assert (await get(beside(page, "late.css"))).text == "style 1"
    assert (await get(beside(page, "data.json"))).text == "{}"
    assert (await get(beside(page, "index.html"))).text == "page 1"
    assert (await get(beside(page, "new.js"))).status_code == 404

    page = await opened(
        (await Artifact.objects.select_related("latest").aget(path="index.html")).latest.digest
    )
    assert (await get(beside(page, "late.css"))).text == "style 2"
    assert (await get(beside(page, "data.json"))).status_code == 404
    assert (await get(beside(page, f"new.js?v={new}"))).text == "script"


async def test_a_file_that_was_removed_is_gone_except_by_version(run: Run) -> None:
    digest = await database_sync_to_async(save)(run, "a.txt", b"old")
    await Artifact.objects.aupdate(removed=True)
    assert (await get(address(run.project_id, "a.txt"))).status_code == 404
    assert (await get(address(run.project_id, "a.txt", v=digest))).status_code == 200


async def test_players_can_ask_for_parts(run: Run) -> None:
    await database_sync_to_async(save)(run, "film.mp4", bytes(range(256)))
    url = address(run.project_id, "film.mp4")
    part = await get(url, range="bytes=10-19")
    assert (part.status_code, part.content) == (206, bytes(range(10, 20)))
    assert part.headers["content-range"] == "bytes 10-19/256"
    beyond = await get(url, range="bytes=300-")
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, "bytes */256")
    head = await get(url, "HEAD", range="bytes=1-2")
    assert (head.status_code, head.content) == (200, b"")
    assert (head.headers["content-length"], head.headers["accept-ranges"]) == ("256", "bytes")


async def test_a_part_of_other_bytes_than_the_browser_has_is_not_sent(run: Run) -> None:
    digest = await database_sync_to_async(save)(run, "film.mp4", b"0123456789")
    url = address(run.project_id, "film.mp4")
    for tag, status in ((f'"{digest}"', 206), ('"another"', 200), (f'W/"{digest}"', 200)):
        answer = await get(url, **{"range": "bytes=0-3", "if-range": tag})
        assert answer.status_code == status


async def test_several_parts_come_one_after_the_other(run: Run) -> None:
    await database_sync_to_async(save)(run, "film.mp4", bytes(range(256)) * 8)
    answer = await get(address(run.project_id, "film.mp4"), range="bytes=2000-, 0-1,1000-1001")
    assert answer.status_code == 206
    assert int(answer.headers["content-length"]) == len(answer.content)
    head = f"Content-Type: {answer.headers['content-type']}\r\n\r\n".encode()
    parts = message_from_bytes(head + answer.content).get_payload()
    assert [(part["content-type"], part["content-range"]) for part in parts] == [
        ("video/mp4", "bytes 0-1/2048"),
        ("video/mp4", "bytes 1000-1001/2048"),
        ("video/mp4", "bytes 2000-2047/2048"),
    ]
    assert [part.get_payload(decode=True) for part in parts][:2] == [b"\0\1", b"\xe8\xe9"]


async def test_a_thousand_ranges_cost_no_more_than_the_file(run: Run) -> None:
    await database_sync_to_async(save)(run, "film.mp4", bytes(1_000_000))
    for step in (0, 1, 500):
        for count in (90, 1000):
            ranges = ",".join(f"{number * step}-{number * step + 300}" for number in range(count))
            answer = await get(address(run.project_id, "film.mp4"), range=f"bytes={ranges}")
            assert answer.status_code in (200, 206)
            assert len(answer.content) <= 1_000_000


async def test_what_the_browser_has_is_not_sent_again(page: str) -> None:
    tag = (await get(page)).headers["etag"]
    again = await get(page, **{"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")


async def test_a_file_that_vanished_from_the_disk_is_a_readable_page(run: Run, page: str) -> None:
    version = await run.versions.aget()
    store().path(version.digest).unlink()
    answer = await get(page)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


async def test_nothing_can_be_changed_here(page: str) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert (await get(page, method)).status_code == 405


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)
HOSTILE = [
    "../../etc/passwd",
    "-rf",
    "a\r\nSet-Cookie: x=1",
    'a"; b',
    "<img onerror=1>.png",
    "\u202egnp.exe",
    "/etc/passwd",
    "C:\\a",
    "..",
    ".",
    " ",
    "a/../../b",
    "音乐.mid",
]


@hypothesis_settings(deadline=None)
@given(NAMES)
def test_a_download_is_named_in_one_header_line(name: str) -> None:
    check_disposition(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_download_with_a_hostile_name_is_one_header_line(name: str) -> None:
    check_disposition(name)


def check_disposition(name: str) -> None:
    header = disposition(name)
    assert re.fullmatch(r"[\x20-\x7e]+", header)
    message = EmailMessage()
    message["Content-Disposition"] = header
    assert message.get_content_disposition() == "attachment"
    plain = message["Content-Disposition"].params
    assert set(plain) <= {"filename", "filename*"}


def test_pages_of_the_app_only_point_to_files(run: Run, alices_browser: Client) -> None:
    digest = save(run, "map.html", PAGE)
    base = f"/projects/{run.project_id}"
    host = f"http://{run.project_id}.artifacts.localhost:8000/"
    for path in ("open/map.html", f"open/map.html?download=1&v={digest}", "zip/"):
        answer = alices_browser.get(f"{base}/{path}")
        assert answer.status_code == 302
        assert answer["location"].startswith(host)
        assert PAGE not in answer.content


def test_a_framed_page_opens_windows_only_where_it_may_reach_out(
    run: Run, alices_browser: Client, settings
) -> None:
    save(run, "map.html", PAGE)
    settings.NETWORKS = ["none", "open"]
    for network, opens in (("none", False), ("open", True)):
        Project.objects.update(network=network)
        page = alices_browser.get(f"/projects/{run.project_id}/files/map.html").content.decode()
        (allowed,) = re.findall(r'sandbox="(.*?)"', page)
        assert "allow-top-navigation" not in allowed
        assert ("allow-popups" in allowed) == opens


async def test_nginx_is_not_pointed_to_what_may_be_moved_at_any_moment(run: Run, settings) -> None:
    settings.ACCEL = "/protected/"
    digest = await database_sync_to_async(save)(run, "film.mp4", b"0123456789")
    url = address(run.project_id, "film.mp4")
    assert (await get(url)).headers["x-accel-redirect"] == f"/protected/{digest[:2]}/{digest}"
    store().set_aside(digest)
    answer = await get(url, range="bytes=2-3")
    assert "x-accel-redirect" not in answer.headers
    assert (answer.status_code, answer.content) == (206, b"23")


async def test_a_page_to_point_at_tells_what_is_clicked_and_is_not_kept(
    page: str, run: Run
) -> None:
    answer = await get(f"{page}?pick=1")
    assert answer.content.startswith(PAGE)
    assert b"postMessage" in answer.content
    assert answer.headers["cache-control"] == "no-store"
    framed = "frame-ancestors 'self' http://localhost:8000"
    assert framed in answer.headers["content-security-policy"]
    assert (await get(page)).content == PAGE
    await database_sync_to_async(save)(run, "notes.txt", PAGE)
    assert (await get(address(run.project_id, "notes.txt", pick="1"))).content == PAGE
