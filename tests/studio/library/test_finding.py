"""What the library shows: everything that somebody may see, and what they look for in it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from studio.artifacts.models import Artifact, Version
from studio.inspections import claims, outcome
from studio.inspections.models import Inspection, State
from studio.library import indexing, tagging
from studio.library.models import Entry, Star
from studio.projects.models import Member, Project, Role
from studio.runs.models import Run
from tests.studio.conftest import follow_up, save, signed_in

pytestmark = pytest.mark.django_db
LIMIT = 100_000


def names(client: Client, query: str = "", **headers: str) -> list[str]:
    answer = client.get(f"/library/{query}", headers=headers)
    assert answer.status_code == 200
    return [item.artifact.name for item in answer.context["items"]]


def read_in(path: str, text: str) -> None:
    """What an inspection finds to be read in a file."""
    inspection = Inspection.objects.get(version__artifact__path=path)
    claim = claims.claim_next(inspection.version.artifact.project_id)
    assert claim
    assert claim.inspection == inspection.pk
    outcome.keep(claim, State.DONE, {}, [], text)


def test_files_are_found_by_name_request_title_and_what_can_be_read_in_them(
    run: Run, alices_browser: Client
) -> None:
    save(run, "plan/summer-plan.pdf", b"1")
    read_in("plan/summer-plan.pdf", "The quarterly figures 营业收入")
    save(run, "other.txt", b"2")
    run.project.title = "Kyoto"
    run.project.save()
    assert names(alices_browser, "?q=SUMMER") == ["other.txt", "summer-plan.pdf"]  # the request
    assert names(alices_browser, "?q=summer-pl") == ["summer-plan.pdf"]
    assert names(alices_browser, "?q=quarter figures") == ["summer-plan.pdf"]
    assert names(alices_browser, "?q=收入") == ["summer-plan.pdf"]
    assert names(alices_browser, "?q=kyoto figures") == ["summer-plan.pdf"]
    assert names(alices_browser, "?q=kyoto nothing") == []
    assert names(alices_browser, "?q=%22%29 OR *") == []


def test_what_a_file_says_now_counts_and_not_what_it_said(run: Run, alices_browser: Client) -> None:
    save(run, "a.txt", b"1")
    read_in("a.txt", "elephants")
    assert names(alices_browser, "?q=elephant") == ["a.txt"]
    save(follow_up(run), "a.txt", b"2")
    assert names(alices_browser, "?q=elephant") == []
    assert names(alices_browser, "?q=blue") == ["a.txt"]  # of the second request
    assert names(alices_browser, "?q=party") == ["a.txt"]
    Artifact.objects.all().delete()
    assert not Entry.objects.exists()
    assert names(alices_browser, "?q=blue") == []


def test_files_from_before_the_library_are_found_after_a_while(
    run: Run, alices_browser: Client
) -> None:
    save(run, "old.txt", b"1")
    Entry.objects.all().delete()
    assert names(alices_browser, "?q=old") == []
    assert indexing.mend() == 1
    assert indexing.mend() == 0
    assert names(alices_browser, "?q=old") == ["old.txt"]


def test_files_are_narrowed_down_by_kind_day_star_tag_and_project(
    run: Run, alice, alices_browser: Client, fill
) -> None:
    save(run, "film.mp4", b"1")
    save(run, "page.html", b"1")
    film, page = Artifact.objects.order_by("path")
    Artifact.objects.filter(pk=film.pk).update(updated=datetime(2026, 2, 3, 23, 59, tzinfo=UTC))
    Star.objects.create(user=alice, artifact=film)
    tagging.add(alice, ["To print"], [page.pk])
    assert names(alices_browser, "?kind=video") == ["film.mp4"]
    assert names(alices_browser, "?starred=1") == ["film.mp4"]
    assert names(alices_browser, "?tag=To+print") == ["page.html"]
    assert names(alices_browser, "?q=prin") == ["page.html"]
    assert names(alices_browser, "?since=2026-02-03&until=2026-02-03") == ["film.mp4"]
    assert names(alices_browser, "?since=2026-02-04") == ["page.html"]
    assert names(alices_browser, "?until=2026-02-02") == []
    assert names(alices_browser, f"?project={fill(alice, 1).pk}") == ["photo-0000.png"]
    for nonsense in ("?kind=x&since=yesterday&until=2026-13-40", "?q=%00&until=9999-12-31"):
        assert len(names(alices_browser, nonsense)) == 3


def test_nobody_finds_what_they_may_not_see(
    run: Run, alice, charlie, alices_browser: Client, charlies_browser: Client
) -> None:
    save(run, "secret.txt", b"1")
    file = Artifact.objects.get()
    Star.objects.create(user=alice, artifact=file)
    tagging.add(alice, ["hush"], [file.pk])
    queries = ("", "?q=secret", "?q=party", "?tag=hush", "?starred=1", f"?project={run.project_id}")
    for query in queries:
        assert names(charlies_browser, query) == []
        assert "summer party" not in charlies_browser.get(f"/library/{query}").content.decode()
    Member.objects.create(project=run.project, user=charlie, role=Role.VIEWER)
    assert names(charlies_browser, "?q=secret") == ["secret.txt"]
    assert names(charlies_browser, "?starred=1") == []
    assert "hush" not in charlies_browser.get("/library/").content.decode()
    Project.objects.update(deleted=timezone.now())
    assert names(alices_browser, "?q=secret") == names(charlies_browser, "?q=secret") == []


def test_pages_follow_each_other_whatever_is_made_meanwhile(
    alice, alices_browser: Client, fill
) -> None:
    fill(alice, 100)
    # Several at the same moment.
    Artifact.objects.filter(path__gte="pictures/photo-0040").update(
        updated=Artifact.objects.get(path="pictures/photo-0040.png").updated
    )
    seen, query = [], ""
    for expected in (36, 36, 28):
        answer = alices_browser.get(
            f"/library/?kind=picture{query}", headers={"hx-request": "true"}
        )
        seen += [item.artifact.path for item in answer.context["items"]]
        assert len(answer.context["items"]) == expected
        if answer.context["next"]:
            query = f"&before={answer.context['next']}"
            assert f"{query.replace('&', '&amp;')}" in answer.content.decode()
        fill(alice, 1, timezone.now() + timedelta(hours=1))
    assert len(set(seen)) == 100
    assert answer.context["next"] is None
    alices_browser.cookies["zone"] = "Asia/Shanghai"
    last = "253402300799999999-1"  # The last microsecond that there is.
    for nonsense in ("x", "-", "1-", "9" * 40 + "-1", "1-" + "9" * 40, "١-1", last):
        assert alices_browser.get("/library/", {"before": nonsense}).status_code == 200


def test_each_day_has_its_heading_once(alice, alices_browser: Client, fill) -> None:
    fill(alice, 60, datetime(2026, 2, 3, 0, 20, tzinfo=UTC))
    first = alices_browser.get("/library/")
    days = [item.day.day for item in first.context["items"] if item.day]
    assert days == [3, 2]
    query = {"before": str(first.context["next"])}
    more = alices_browser.get("/library/", query, headers={"hx-request": "true"})
    assert [item.day for item in more.context["items"] if item.day] == []


def test_days_are_those_of_the_readers_zone(run: Run, alices_browser: Client) -> None:
    save(run, "late.txt", b"1")
    late = datetime(2026, 2, 3, 23, 30, tzinfo=UTC)
    Artifact.objects.update(updated=late)
    Version.objects.update(created=late)
    detail = Artifact.objects.get().detail_url

    def shown(day: int) -> bool:
        found = names(alices_browser, f"?since=2026-02-0{day}&until=2026-02-0{day}") == ["late.txt"]
        heading = f"Feb. {day}, 2026" in alices_browser.get("/library/").content.decode()
        version = f"02/0{day}/2026" in alices_browser.get(detail).content.decode()
        assert found == heading == version
        return found

    assert (shown(3), shown(4)) == (True, False)
    alices_browser.cookies["zone"] = "Asia/Shanghai"
    assert (shown(3), shown(4)) == (False, True)
    for nonsense in ("Asia/Nowhere", "../UTC", "/etc/localtime", "x" * 4000):
        alices_browser.cookies["zone"] = nonsense
        assert (shown(3), shown(4)) == (True, False)


def test_today_is_the_readers_day(run: Run, alices_browser: Client) -> None:
    """Of two zones that never have the same day, one has another one than the server."""
    save(run, "new.txt", b"1")
    for zone in ("Etc/GMT+12", "Etc/GMT-14"):
        alices_browser.cookies["zone"] = zone
        assert "<h2>Today</h2>" in alices_browser.get("/library/").content.decode()


def test_the_address_says_what_is_looked_for(run: Run, alices_browser: Client) -> None:
    query = {"q": "a b", "kind": "", "tag": "", "since": "", "project": "", "starred": "1"}
    answer = alices_browser.get("/library/", query, headers={"hx-request": "true"})
    assert answer["hx-push-url"] == "/library/?q=a+b&starred=1"
    assert "<html" not in answer.content.decode()
    back = {"hx-request": "true", "hx-history-restore-request": "true"}
    assert "<html" in alices_browser.get("/library/", query, headers=back).content.decode()


def test_a_thousand_files_are_a_small_page_and_few_queries(
    alice, alices_browser: Client, fill, django_assert_max_num_queries
) -> None:
    project = fill(alice, 1000)
    # Where somebody is signed in is noted with the first page, whichever it is.
    alices_browser.get("/settings/")
    with django_assert_max_num_queries(11):
        library = alices_browser.get("/library/")
    assert len(library.content) < LIMIT
    assert len(library.context["items"]) == 36
    with django_assert_max_num_queries(16):
        page = alices_browser.get(f"/projects/{project.pk}/")
    assert len(page.content) < LIMIT
    text = page.content.decode()
    assert text.count("data-file-count>1000<") == 2
    assert 'data-left="982"' in text


def test_the_gallery_of_a_project_comes_in_pages(alice, alices_browser: Client, fill) -> None:
    project = fill(alice, 60)
    url, seen = f"/projects/{project.pk}/", []
    answer = alices_browser.get(url)
    for left in (42, 24, 6, None):
        seen += [file.path for file in answer.context["artifacts"]]
        if left is not None:
            assert answer.context["files_left"] == left
            query = {"before": str(answer.context["next"])}
            answer = alices_browser.get(f"{url}gallery/", query)
    assert len(set(seen)) == len(seen) == 60
    assert answer.context["next"] is None


def test_who_has_nothing_is_told_what_to_do(alices_browser: Client) -> None:
    assert "Make something" in alices_browser.get("/library/").content.decode()
    assert "Show everything" in alices_browser.get("/library/?q=x").content.decode()


def test_a_member_sees_only_their_own_stars_in_a_project_they_share(
    run: Run, charlie, alices_browser: Client
) -> None:
    save(run, "a.txt", b"1")
    Member.objects.create(project=run.project, user=charlie, role=Role.VIEWER)
    file = Artifact.objects.get()
    answer = signed_in(charlie).post("/library/star/", {"file": file.pk, "on": "1"})
    assert answer.status_code == 200
    (item,) = alices_browser.get("/library/").context["items"]
    assert not item.starred
