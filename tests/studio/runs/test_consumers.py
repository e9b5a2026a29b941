from __future__ import annotations

import asyncio
import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.db import DatabaseError
from django.db.models.functions import Now
from django.test import Client

from agent.events import (
    ModelSpoke,
    Reason,
    Resources,
    RunEnded,
    RunPaused,
    RunStarted,
    ToolPrinted,
    Usage,
)
from agent.hints import Glimpse, Hint, Rendering, Waiting
from studio import sockets
from studio.asgi import application
from studio.inspections import claims as inspections
from studio.inspections import outcome
from studio.inspections.models import PATIENCE, Inspection
from studio.runs import claims, consumers, feed, journal, nudge, pausing, stopping
from studio.runs.models import Run
from tests.studio.conftest import save

pytestmark = pytest.mark.django_db(transaction=True)


class Page(ApplicationCommunicator):
    """A browser's socket: it applies what comes as the page does."""

    def __init__(self, client: Client | None, run_id: uuid.UUID, after: int = 0, **headers: str):
        cookies = client.cookies.items() if client else ()
        said = {
            "host": "localhost:8000",
            "origin": "http://localhost:8000",
            "cookie": "; ".join(f"{name}={item.value}" for name, item in cookies),
        } | headers
        scope = {
            "type": "websocket",
            "path": f"/ws/runs/{run_id}/",
            "query_string": f"after={after}".encode(),
            "headers": [(name.encode(), value.encode()) for name, value in said.items() if value],
        }
        super().__init__(application, scope)
        self.seq = after
        self.texts: list[str] = []
        self.hints: list[dict[str, Any]] = []
        self.run: dict[str, Any] = {}
        self.code: int | None = None

    async def connect(self) -> bool:
        """Whether the server lets the socket in."""
        await self.send_input({"type": "websocket.connect"})
        return (await self.receive_output(timeout=10))["type"] == "websocket.accept"

    async def disconnect(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.wait()

    async def read(self) -> dict[str, Any]:
        """Take the next message; after the last one, `code` says how the socket closed."""
        message = await self.receive_output(timeout=10)
        if message["type"] == "websocket.close":
            self.code = message.get("code")
            return {}
        told = json.loads(message["text"])
        for event in told.get("events", []):
            assert event["seq"] == self.seq + 1
            self.seq = event["seq"]
            self.texts.append(event["data"].get("text", event["kind"]))
        self.run = told.get("run", self.run)
        self.hints += [told["hint"]] if "hint" in told else []
        return told

    async def read_until(self, text: str) -> None:
        while text not in self.texts:
            assert self.code is None
            await self.read()


@database_sync_to_async
def say(run: Run, *texts: str) -> None:
    run.refresh_from_db()
    token = run.claim or claims.claim(run.pk)
    assert token is not None
    for text in texts:
        journal.append(run.pk, ToolPrinted(call="1", text=text), claim=token)


@database_sync_to_async
def finish(run: Run, message: str = "") -> None:
    run.refresh_from_db()
    assert run.claim is not None
    ended = RunEnded(reason=Reason.MODEL_UNAVAILABLE, message=message)
    journal.append(run.pk, ended, claim=run.claim)


async def test_a_page_is_told_all_that_happened_and_all_that_happens(
    run: Run, alices_browser: Client
) -> None:
    await say(run, "one", "two")
    page = Page(alices_browser, run.pk)
    assert await page.connect()
    await page.read_until("two")
    assert page.run["status"] == "running"
    await say(run, "three")
    await page.read_until("three")
    await finish(run)
    await page.read_until("run.ended")
    assert page.run["reason"] == "model_unavailable"
    await page.read()
    assert page.code == sockets.OVER
    assert page.texts == ["one", "two", "three", "run.ended"]


async def test_the_end_and_the_state_that_says_so_come_in_one_message(
    run: Run, alices_browser: Client
) -> None:
    await say(run, "one")
    await finish(run)
    page = Page(alices_browser, run.pk)
    await page.connect()
    told = await page.read()
    assert told["events"][-1]["kind"] == "run.ended"
    assert told["run"]["status"] == "ended"
    await page.read()
    assert page.code == sockets.OVER


async def test_a_page_that_comes_back_gets_what_it_missed_and_nothing_twice(
    run: Run, alices_browser: Client
) -> None:
    await say(run, "one", "two")
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read_until("two")
    await page.disconnect()
    await say(run, "three", "four")
    page = Page(alices_browser, run.pk, after=page.seq)
    await page.connect()
    await page.read_until("four")
    assert page.texts == ["three", "four"]
    await page.disconnect()


async def test_what_happens_between_joining_and_reading_is_not_lost(
    run: Run, alices_browser: Client, monkeypatch
) -> None:
    """The nudge for it comes before the page has read anything: it may only say "look"."""
    await say(run, "before")
    read, interfered = feed.events_after, []

    def read_late(run_id: uuid.UUID, seq: int) -> tuple[str, int]:
        rows = read(run_id, seq)
        if not interfered:
            interfered.append(True)
            claim = Run.objects.get(pk=run_id).claim
            journal.append(run_id, ToolPrinted(call="1", text="meanwhile"), claim=claim)
        return rows

    monkeypatch.setattr(feed, "events_after", read_late)
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 3600)
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read_until("meanwhile")
    assert page.texts == ["before", "meanwhile"]
    await page.disconnect()


async def test_a_state_that_was_read_before_the_end_does_not_come_after_it(
    run: Run, alices_browser: Client, monkeypatch
) -> None:
    await say(run, "one")
    read, interfered = feed.state, []

    def read_early(row: Run) -> dict[str, Any]:
        state = read(row)
        if not interfered:
            interfered.append(True)
            assert row.claim is not None
            journal.append(row.pk, RunEnded(reason=Reason.STOPPED, message=""), claim=row.claim)
        return state

    monkeypatch.setattr(feed, "state", read_early)
    page = Page(alices_browser, run.pk)
    await page.connect()
    while page.code is None:
        told = await page.read()
        if "run.ended" in page.texts and "run" in told:
            assert told["run"]["status"] == "ended"
    assert interfered
    assert page.run["status"] == "ended"


async def test_a_lost_nudge_only_delays(run: Run, alices_browser: Client, monkeypatch) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 0.05)
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    monkeypatch.setattr(journal, "nudge", lambda run_id: None)
    await say(run, "one")
    await page.read_until("one")
    await page.disconnect()


async def test_nudges_doubled_or_for_nothing_change_nothing(
    run: Run, alices_browser: Client
) -> None:
    page = Page(alices_browser, run.pk)
    await page.connect()
    await say(run, "one")
    for _ in range(20):
        await get_channel_layer().group_send(nudge.group(run.pk), {"type": "run.nudge"})
    await say(run, "two")
    await page.read_until("two")
    assert page.texts == ["one", "two"]
    await page.disconnect()


async def test_many_events_come_in_batches(run: Run, alices_browser: Client) -> None:
    await say(run, *[str(number) for number in range(450)])
    page = Page(alices_browser, run.pk)
    await page.connect()
    sizes = [len((await page.read())["events"]) for _ in range(3)]
    assert sizes == [200, 200, 50]
    assert page.run["last_seq"] == 450
    await page.disconnect()


async def test_a_batch_has_a_bounded_size(run: Run, alices_browser: Client) -> None:
    await say(run, *["x" * 100_000 for _ in range(6)])
    page = Page(alices_browser, run.pk)
    await page.connect()
    sizes = [len((await page.read())["events"]) for _ in range(2)]
    assert sizes == [3, 3]
    await page.disconnect()


async def test_what_the_model_types_is_shown_and_never_kept(
    run: Run, alices_browser: Client
) -> None:
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    await database_sync_to_async(nudge.hint)(run.pk, 0, "typing", text="Let me th")
    while not page.hints:
        await page.read()
    assert page.hints == [{"kind": "typing", "after": 0, "text": "Let me th"}]
    assert not await run.events.aexists()
    await page.disconnect()


async def test_what_a_hint_came_after_is_told_before_it(
    run: Run, alices_browser: Client, monkeypatch
) -> None:
    """Else the event would end on the page what the hint has just begun."""
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 3600)
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    monkeypatch.setattr(journal, "nudge", lambda run_id: None)
    await say(run, "one", "two")
    await database_sync_to_async(nudge.hint)(run.pk, 2, "typing", text="Let me th")
    while not page.hints:
        await page.read()
    assert page.texts == ["one", "two"]
    await page.disconnect()


async def test_what_is_typed_after_all_that_was_told_asks_the_database_nothing(
    run: Run, alices_browser: Client, monkeypatch
) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 3600)
    page = Page(alices_browser, run.pk)
    await page.connect()
    await say(run, "one")
    await page.read_until("one")
    read, reads = feed.state, []
    monkeypatch.setattr(feed, "state", lambda run: reads.append(run) or read(run))
    for text in ("L", "Le", "Let", "Let me"):
        await database_sync_to_async(nudge.hint)(run.pk, 1, "typing", text=text)
        while not page.hints or page.hints[-1]["text"] != text:
            await page.read()
    # The nudge of the event may still have been on its way.
    assert len(reads) <= 1
    await page.disconnect()


async def test_who_types_on_and_on_keeps_no_news_from_the_page(
    run: Run, alices_browser: Client, monkeypatch
) -> None:
    """Though the nudge for it was lost."""
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 0.3)
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    monkeypatch.setattr(journal, "nudge", lambda run_id: None)
    await say(run, "one")
    typing = database_sync_to_async(nudge.hint)
    async with asyncio.timeout(20):
        while "one" not in page.texts:
            await typing(run.pk, 0, "typing", text="Let me th")
            await page.read()
    await page.disconnect()


async def test_that_the_model_thinks_or_is_waited_for_is_shown(
    run: Run, alices_browser: Client
) -> None:
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    hints = nudge.Hints(run.pk)
    for item in [Waiting("busy", 8.0), Waiting("busy", 7.5), Hint("Hm, ", thinking=True)]:
        told = len(page.hints)
        await database_sync_to_async(hints.show)(item, 0)
        while item != Waiting("busy", 7.5) and len(page.hints) == told:
            await page.read()
    assert page.hints == [
        {"kind": "waiting", "after": 0, "why": "busy", "seconds": 8.0},
        {"kind": "thinking", "after": 0, "text": "Hm, "},
    ]
    await page.disconnect()


async def test_how_far_it_has_come_and_what_it_makes_is_shown(
    run: Run, alices_browser: Client
) -> None:
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    hints = nudge.Hints(run.pk)
    digest = "ab" * 32
    for item in [
        Rendering(0.25, "frame 1 of 4"),
        Rendering(0.26, "frame 1 of 4"),
        Glimpse("frames/1.png", digest, 10, "image"),
        Glimpse("piece.wav", digest, 10, "audio"),
    ]:
        await database_sync_to_async(hints.show)(item, 7)
    while len(page.hints) < 3:
        await page.read()
    rendering, picture, sound = page.hints
    assert rendering == {
        "kind": "rendering",
        "after": 7,
        "fraction": 0.25,
        "note": "frame 1 of 4",
    }
    host = f"http://{run.project_id}.artifacts.localhost:8000/"
    for hint, path, media in ((picture, "frames/1.png", "image"), (sound, "piece.wav", "audio")):
        url = hint.pop("url")
        assert url.startswith(host)
        assert f"/.studio/glimpse/{digest}.{path[-3:]}." in url
        assert hint == {"kind": "glimpse", "after": 7, "path": path, "media": media}
    await page.disconnect()


async def test_the_socket_of_a_paused_run_stays_and_tells_that_it_goes_on(
    run: Run, alices_browser: Client, monkeypatch
) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 3600)
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    token = await database_sync_to_async(claims.claim)(run.pk)
    paused = RunPaused(reason=Reason.REPEATING, message="internal")
    await database_sync_to_async(journal.append)(run.pk, paused, claim=token)
    await page.read_until("run.paused")
    assert page.run["status"] == "paused"
    assert page.run["pause"]["question"].startswith("The model keeps doing the same")
    await database_sync_to_async(pausing.go_on)(run)
    while page.run["status"] == "paused":
        await page.read()
    assert (page.run["status"], page.run["pause"], page.code) == ("queued", None, None)
    await page.disconnect()


async def test_the_place_in_the_queue_is_told(run: Run, alices_browser: Client) -> None:
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    assert (page.run["status"], page.run["queue_position"]) == ("queued", 1)
    await database_sync_to_async(stopping.stop)(run)
    await page.read_until("run.ended")
    assert (page.run["status"], page.run["queue_position"]) == ("ended", None)


async def test_messages_come_in_the_readers_language(run: Run, alices_browser: Client) -> None:
    await say(run, "one")
    await finish(run, "The model gave no answer.")
    alices_browser.cookies["django_language"] = "zh-hans"
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read_until("run.ended")
    assert page.run["message"] == "The model 没有给出应答。"
    await run.arefresh_from_db()
    assert run.message == "The model gave no answer."


async def test_a_page_hears_the_language_it_is_in_whatever_its_browser_wants(
    run: Run, alices_browser: Client
) -> None:
    await say(run, "one")
    await finish(run, "The model gave no answer.")
    page = Page(alices_browser, run.pk, **{"accept-language": "en-GB"})
    page.scope["query_string"] += b"&lang=zh-hans"
    await page.connect()
    await page.read_until("run.ended")
    assert "没有给出应答" in page.run["message"]


async def test_what_a_run_took_is_told_with_its_end(run: Run, alices_browser: Client) -> None:
    token = await database_sync_to_async(claims.claim)(run.pk)
    assert token is not None
    resources = Resources(cpu_seconds=2.5, peak_memory=3 << 20, disk=1 << 20)
    for fact in [
        RunStarted(prompt=run.prompt, model="scripted"),
        ModelSpoke(turn=1, usage=Usage(input=1000, output=200)),
        RunEnded(reason=Reason.STOPPED, message="", resources=resources),
    ]:
        await database_sync_to_async(journal.append)(run.pk, fact, claim=token)
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read_until("run.ended")
    model, turns, tokens, _, cpu, memory, *_ = page.run["facts"]
    assert (model, turns, tokens) == ("scripted", "1 turn", "1,200 tokens")
    assert (cpu, memory) == ("2.5 s of CPU time", "3.0\xa0MB of memory at most")


async def test_charlies_socket_closes_as_if_there_were_no_such_run(
    run: Run, charlies_browser: Client
) -> None:
    await say(run, "a secret")
    for client in (charlies_browser, None):
        for run_id in (run.pk, uuid.uuid4()):
            page = Page(client, run_id)
            await page.connect()
            await page.read()
            assert (page.code, page.texts) == (sockets.NOT_FOUND, [])


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost:9000",
        "null",
        "",
        "http://x.artifacts.localhost:8000",
    ],
)
async def test_a_socket_from_another_origin_is_refused(
    run: Run, alices_browser: Client, origin: str
) -> None:
    page = Page(alices_browser, run.pk, origin=origin)
    assert not await page.connect()


async def test_a_socket_on_an_artifact_host_is_refused(run: Run, alices_browser: Client) -> None:
    host = f"{run.project_id}.artifacts.localhost:8000"
    page = Page(alices_browser, run.pk, host=host, origin=f"http://{host}")
    assert not await page.connect()


async def test_the_socket_of_a_deleted_project_closes(run: Run, alices_browser: Client) -> None:
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    await database_sync_to_async(run.project.delete)()
    await get_channel_layer().group_send(nudge.group(run.pk), {"type": "run.nudge"})
    await page.read()
    assert page.code == sockets.NOT_FOUND


async def test_nudges_reach_pages_through_the_real_broker(
    run: Run, alices_browser: Client, settings, redis_url: str, monkeypatch
) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 3600)
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": backend, "CONFIG": {"hosts": [redis_url]}}}
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    for number in range(20):
        await say(run, str(number))
    await finish(run)
    await page.read_until("run.ended")
    assert page.seq == 21


async def test_a_reader_that_has_gone_is_no_error(
    run: Run, alices_browser: Client, caplog, monkeypatch
) -> None:
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    left = asyncio.Event()

    async def gone(self, text_data: str) -> None:
        left.set()
        raise ConnectionResetError

    monkeypatch.setattr(consumers.RunConsumer, "send", gone)
    await say(run, "one")
    await asyncio.wait_for(left.wait(), 10)
    await page.disconnect()
    assert caplog.records == []


async def test_a_socket_that_breaks_tells_the_page_to_come_again(
    run: Run, alices_browser: Client, caplog, monkeypatch
) -> None:
    def broken(run_id: uuid.UUID, seq: int) -> tuple[str, int]:
        raise DatabaseError("the server has gone away")

    monkeypatch.setattr(feed, "events_after", broken)
    page = Page(alices_browser, run.pk)
    await page.connect()
    await page.read()
    assert page.code == sockets.TRY_AGAIN
    assert "the server has gone away" in caplog.text


async def test_the_socket_stays_until_the_files_are_inspected(
    run: Run, alices_browser: Client
) -> None:
    await database_sync_to_async(save)(run, "a.png", b"1")
    await finish(run)
    page = Page(alices_browser, run.pk)
    assert await page.connect()
    await page.read_until("run.ended")
    assert (page.run["status"], page.run["inspecting"]) == ("ended", 1)
    inspection = await database_sync_to_async(inspections.claim_next)(run.project_id)
    assert inspection is not None
    keep = database_sync_to_async(outcome.give_up)
    assert await keep(inspection, outcome.TOO_SLOW)
    await page.read_until("artifact.inspected")
    assert page.run["inspecting"] == 0
    await page.read()
    assert page.code == sockets.OVER


async def test_nobody_waits_for_ever_for_an_inspection_that_nobody_makes(
    run: Run, alices_browser: Client
) -> None:
    await database_sync_to_async(save)(run, "a.png", b"1")
    await finish(run)
    await Inspection.objects.aupdate(created=Now() - PATIENCE - timedelta(minutes=1))
    page = Page(alices_browser, run.pk)
    assert await page.connect()
    await page.read_until("run.ended")
    await page.read()
    assert page.code == sockets.OVER
