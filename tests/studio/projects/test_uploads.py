from __future__ import annotations

import errno
import tracemalloc
from collections.abc import AsyncIterator
from pathlib import PurePosixPath

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from hypothesis import example, given
from hypothesis import strategies as st

from studio.asgi import application
from studio.media import store
from studio.projects.models import Input, Project
from studio.projects.uploads import clean_name, unique_name
from studio.runs.models import Run, Status
from studio.starting.catalogue import points
from studio.stores.incoming import Incoming
from tests.studio.api.conftest import program

pytestmark = pytest.mark.django_db


def ask(client: Client, *files: SimpleUploadedFile, prompt: str = "A chart of this", **headers):
    form = {"prompt": prompt, "files": list(files)}
    return client.post("/projects/new/", form, headers=headers)


def file(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def left_behind(settings) -> list[str]:
    return [path.name for path in settings.MEDIA.rglob("*") if path.is_file()]


def test_files_are_kept_under_their_names_and_their_bytes_in_the_store(
    alices_browser: Client,
) -> None:
    answer = ask(alices_browser, file("销售.csv", b"a,b\n1,2\n"), file("empty.txt", b""))
    project = Project.objects.get()
    assert (answer.status_code, answer["location"]) == (302, f"/projects/{project.pk}/")
    assert [item.name for item in project.inputs.all()] == ["销售.csv", "empty.txt"]
    assert [item.size for item in project.inputs.all()] == [8, 0]
    assert b"".join(store().open(project.inputs.all()[0].digest)) == b"a,b\n1,2\n"


def test_a_name_that_is_taken_gets_a_number_and_the_same_file_is_kept_once(
    alices_browser: Client,
) -> None:
    ask(alices_browser, file("a.csv", b"1"), file("a.csv", b"2"), file("a.csv", b"1"))
    assert list(Input.objects.values_list("name", "size")) == [("a.csv", 1), ("a (2).csv", 1)]


def test_a_file_that_is_too_large_is_named_and_nothing_is_kept(
    alices_browser: Client, settings
) -> None:
    settings.UPLOAD_BYTES = 100_000
    answer = ask(alices_browser, file("small.txt", b"1"), file("film.mov", bytes(100_001)))
    assert answer.status_code == 422
    assert "film.mov" in answer.content.decode()
    assert not Project.objects.exists()
    answer.close()
    assert left_behind(settings) == []


def test_a_file_of_the_largest_size_is_kept(alices_browser: Client, settings) -> None:
    settings.UPLOAD_BYTES = 100_000
    assert ask(alices_browser, file("film.mov", bytes(100_000))).status_code == 302


def test_too_many_files_are_refused_in_words(alices_browser: Client) -> None:
    answer = ask(alices_browser, *[file(f"{number}.txt", b"1") for number in range(21)])
    assert answer.status_code == 422
    assert "20" in answer.content.decode()


def test_a_disk_that_fills_up_is_said_and_nothing_is_lost(
    alices_browser: Client, settings, monkeypatch
) -> None:
    ask(alices_browser, file("first.txt", b"1"))

    def full(self, chunk: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Incoming, "write", full)
    answer = ask(alices_browser, file("second.txt", b"2"))
    assert answer.status_code == 422
    assert "second.txt" in answer.content.decode()
    assert Project.objects.count() == 1
    assert len(left_behind(settings)) == 1


def test_without_the_form_token_nothing_is_kept(alice, settings) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    answer = ask(client, file("a.txt", b"1"))
    assert answer.status_code == 403
    answer.close()
    assert left_behind(settings) == []


def test_who_is_not_signed_in_leaves_nothing_behind(settings, db) -> None:
    answer = ask(Client(), file("a.txt", b"1"))
    assert answer.status_code == 302
    answer.close()
    assert left_behind(settings) == []


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_the_database_while_a_file_is_stored(
    run: Run, alices_browser: Client, monkeypatch
) -> None:
    stored: list[bool] = []
    commit = Incoming.commit

    def watched(self):
        stored.append(connection.in_atomic_block)
        return commit(self)

    monkeypatch.setattr(Incoming, "commit", watched)
    Run.objects.update(status=Status.ENDED)
    api = program(run.project.owner)
    report = next(each for each in points() if each.table)
    form = {name: field.value for name, field in report.fields.items()}
    answers = [
        ask(alices_browser, file("a.txt", b"1")),
        alices_browser.post(
            f"/projects/{run.project_id}/runs/", {"prompt": "More", "files": file("a.txt", b"2")}
        ),
        api.post("projects", {"prompt": "A chart", "files": file("a.txt", b"3")}),
        api.post(f"projects/{run.project_id}/inputs", {"files": file("b.txt", b"4")}),
        alices_browser.post(
            f"/start/{report.key}/make/", {**form, "files": file("a.csv", b"a,b\n1,2\n")}
        ),
    ]
    assert [answer.status_code for answer in answers] == [302, 302, 201, 201, 302]
    assert stored == [False] * 5


@pytest.mark.django_db(transaction=True)
def test_of_a_request_that_has_to_wait_no_file_is_stored(
    run: Run, alices_browser: Client, settings
) -> None:
    form = {"prompt": "More", "files": file("a.txt", b"1")}
    answer = alices_browser.post(f"/projects/{run.project_id}/runs/", form)
    assert answer.status_code == 409
    answer.close()
    assert left_behind(settings) == []


@pytest.mark.django_db(transaction=True)
async def test_a_large_file_never_is_in_memory_as_a_whole(alices_browser: Client) -> None:
    size = 60_000_000
    answer, peak = await upload_measured(alices_browser, size)
    assert answer.status_code == 302
    assert (await Input.objects.aget()).size == size
    assert peak < 12_000_000


async def upload_measured(client: Client, size: int) -> tuple[httpx.Response, int]:
    """Send one file of `size` bytes in pieces; the answer, and how much memory it took."""

    async def body() -> AsyncIterator[bytes]:
        yield (
            b'--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nA film\r\n'
            b'--x\r\nContent-Disposition: form-data; name="files"; filename="film.mov"\r\n\r\n'
        )
        for _ in range(size // 50_000):
            yield bytes(50_000)
        yield b"\r\n--x--\r\n"

    cookies = {name: item.value for name, item in client.cookies.items()}
    cookies["csrftoken"] = "a" * 32
    headers = {
        "content-type": "multipart/form-data; boundary=x",
        "content-length": str(size + 500),
        "x-csrftoken": "a" * 32,
    }
    transport = httpx.ASGITransport(app=application)
    tracemalloc.start()
    try:
        async with httpx.AsyncClient(
            transport=transport, cookies=cookies, base_url="http://localhost:8000"
        ) as browser:
            answer = await browser.post("/projects/new/", content=body(), headers=headers)
        return answer, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@given(st.text(max_size=300))
@example("../../etc/passwd")
@example("C:\\Users\\a\\b.csv")
@example("..")
@example("a" * 300 + ".csv")
@example("音" * 200 + ".csv")
@example("x." + "y" * 300)
@example("a\r\nb\0.txt")
@example("\u202egnp.exe")
def test_whatever_a_file_is_called_its_label_is_one_plain_short_name(name: str) -> None:
    label = clean_name(name)
    assert PurePosixPath(label).name == label
    assert label.isprintable()
    assert 0 < len(label.encode()) <= 200
    assert label not in (".", "..")


def test_a_usual_name_stays_as_it_is() -> None:
    for name in ("Bericht 2026 (final).docx", "销售数据.csv", "a.tar.gz", ".env", "no ending"):
        assert clean_name(name) == name


def test_numbers_go_before_the_ending() -> None:
    assert unique_name("a.csv", {"a.csv", "a (2).csv"}) == "a (3).csv"
