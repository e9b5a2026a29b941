"""What is taken away: names, contents, and the README beside them."""

from __future__ import annotations

import asyncio
import io
import json
import threading
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from channels.db import database_sync_to_async
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from agent.events import RunStarted
from agent.trajectories import read_text
from studio.artifacts import archive
from studio.artifacts.models import Artifact, Version
from studio.artifacts.names import archive_names
from studio.inspections.models import Inspection, State, Verdict
from studio.media import store
from studio.projects.models import Input, Project
from studio.runs import claims, journal
from studio.runs.models import Run
from tests.studio.artifacts.test_origin import HOSTILE, NAMES, address, get
from tests.studio.conftest import follow_up, save

pytestmark = pytest.mark.django_db(transaction=True)


@hypothesis_settings(deadline=None)
@given(st.lists(NAMES, unique=True, max_size=8))
@example(HOSTILE)
@example(["a?", "a\x07", "a\x08", "a_", "a_ (2)"])
@example(["a", "a /b", "A", "a/c", "Å", "A\u030a"])
def test_names_in_a_zip_are_different_and_stay_in_the_folder(paths: list[str]) -> None:
    names = list(archive_names(paths))
    assert len(names) == len(paths)
    seen = {unicodedata.normalize("NFC", name).casefold() for name in names}
    assert len(seen) == len(names)
    for name in names:
        path = PurePosixPath(name)
        assert name.isprintable()
        assert not path.is_absolute()
        assert ".." not in path.parts
        assert not set(name) & set('\\:*?"<>|')
        assert not {str(folder).casefold() for folder in path.parents} & seen


def test_a_plain_name_stays_as_it_is() -> None:
    paths = ["site/index.html", "音乐.mid", "a b (1).png", ".env", "README.md"]
    assert list(archive_names(paths)) == paths


async def unzipped(url: str) -> dict[str, bytes]:
    answer = await get(url)
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert len(archive.namelist()) == len(set(archive.namelist()))
        return {name: archive.read(name) for name in archive.namelist()}


async def test_all_files_come_as_one_zip(run: Run, project: Project) -> None:
    keep = database_sync_to_async(save)
    files = {"map.html": b"<h1>", "audio/主题.wav": b"1" * 700_000, "empty.txt": b""}
    for path, data in files.items():
        await keep(run, path, data)
    await keep(run, "draft.png", b"removed")
    lost = await keep(run, "lost.png", b"lost")
    await Artifact.objects.filter(path="draft.png").aupdate(removed=True)
    (store().path(lost) or Path("nowhere")).unlink()
    url = address(project.pk, ".studio/all.zip")
    told = await get(url, "HEAD")
    answer = await get(url)
    assert told.content == b""
    assert int(told.headers["content-length"]) == len(answer.content)
    assert 'filename="A poster for the summer party.zip"' in answer.headers["content-disposition"]
    found = await unzipped(url)
    assert found.pop("README.md").startswith(b"# A poster for the summer party\n")
    assert found == files


async def test_looking_for_many_files_holds_up_no_socket(
    run: Run, project: Project, monkeypatch
) -> None:
    await database_sync_to_async(save)(run, "a.txt", b"1")
    looking, answered = threading.Event(), threading.Event()
    make = archive.all_files

    def slow(project: Project):
        looking.set()
        assert answered.wait(10)
        return make(project)

    monkeypatch.setattr(archive, "all_files", slow)
    zipped = asyncio.create_task(get(address(project.pk, ".studio/all.zip")))
    await asyncio.to_thread(looking.wait, 10)
    # What a socket does.
    await database_sync_to_async(run.refresh_from_db)()
    answered.set()
    assert (await zipped).status_code == 200


async def test_the_readme_tells_what_was_asked_for_and_what_was_found(
    run: Run, project: Project
) -> None:
    await database_sync_to_async(save)(run, "<img src=x>.png", b"picture")
    await database_sync_to_async(save)(run, "README.md", b"the user's own")
    await Run.objects.aupdate(
        prompt="# Draw\n[me](http://a.example) <script>\x07", summary="Done *now*"
    )
    version = await Version.objects.aget(artifact__path="<img src=x>.png")
    findings = [
        {"level": "warn", "code": "ours", "text": "it is <b>odd", "values": {}},
        {"level": "fail", "code": "empty_file", "text": "0 bytes", "values": {}},
    ]
    await Inspection.objects.filter(version=version).adelete()
    await Inspection.objects.acreate(
        version=version, state=State.DONE, verdict=Verdict.FAILED, findings=findings
    )
    found = await unzipped(address(project.pk, ".studio/all.zip", lang="en"))
    assert found["README.md"] == b"the user's own"
    text = found["README (2).md"].decode()
    assert r"> \# Draw" in text
    assert r"> \[me\](http://a.example) \<script\>" in text
    assert r"Done \*now\*" in text
    assert r"- **\_img src=x\_.png** · version 1 · 7 bytes · checked, 2 findings" in text
    assert "    - The file is empty.\n    - It is \\<b\\>odd\n" in text
    assert "- **README.md** · version 1 · 14 bytes · not checked" in text
    chinese = await unzipped(address(project.pk, ".studio/all.zip", lang="zh-hans"))
    assert "## 文件" in chinese["README (2).md"].decode()
    assert "    - 文件是空的。\n" in chinese["README (2).md"].decode()


async def test_a_whole_project_has_versions_inputs_and_what_happened(
    run: Run, project: Project
) -> None:
    def make() -> None:
        token = claims.claim(run.pk)
        assert token
        journal.append(run.pk, RunStarted(prompt="A poster", model="m"), claim=token)
        save(run, "page/index.html", b"one")
        save(run, "gone.txt", b"gone")
        Artifact.objects.filter(path="gone.txt").update(removed=True)
        second = follow_up(run)
        save(second, "page/index.html", b"two")
        blob = store().put([b"a,b"])
        Input.objects.create(project=project, name="../data.csv", digest=blob.digest, size=3)

    await database_sync_to_async(make)()
    found = await unzipped(address(project.pk, ".studio/project.zip"))
    messages = json.loads(found.pop("trajectory/1.messages.json"))
    assert messages["messages"][-1]["content"] == "A poster"
    events = read_text(found.pop("trajectory/1.jsonl").decode())
    assert [event.kind for _, event in events] == [
        "run.started",
        "artifact.saved",
        "artifact.saved",
    ]
    del found["trajectory/2.messages.json"], found["trajectory/2.jsonl"]
    assert b"page/index.html" in found.pop("README.md")
    assert found == {
        "files/page/index.html": b"two",
        "versions/v1/page/index.html": b"one",
        "versions/v1/gone.txt": b"gone",
        "inputs/data.csv": b"a,b",
    }
