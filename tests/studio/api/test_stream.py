"""A run followed from outside: server-sent events and sockets, over real HTTP on this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from django.core.cache.backends.locmem import LocMemCache

from agent.events import Reason, RunEnded, ToolPrinted
from agent.hints import Hint
from studio.accounts.models import User
from studio.api import places, sockets, stream
from studio.api.models import Token
from studio.api.problems import Refused
from studio.asgi import application
from studio.inspections.models import Inspection, State
from studio.projects.models import Member
from studio.runs import claims, consumers, journal, nudge
from studio.runs.models import Run
from tests.studio.api.conftest import Program, program
from tests.studio.conftest import save

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


class Followed:
    """A stream as an event source reads it."""

    def __init__(self, url: str, token: str, run: Run, query: str = "", **headers: str) -> None:
        self.client = httpx2.Client(trust_env=False, timeout=30)
        request = self.client.build_request(
            "GET",
            f"{url}/api/v1/runs/{run.pk}/stream{query}",
            headers={"Authorization": f"Bearer {token}", **headers},
        )
        self.answer = self.client.send(request, stream=True)
        self.frames = self._frames()

    def __enter__(self) -> Followed:
        return self

    def __exit__(self, *error: object) -> None:
        self.answer.close()
        self.client.close()

    def _frames(self) -> Iterator[dict[str, str]]:
        frame: dict[str, str] = {}
        for line in self.answer.iter_lines():
            name, colon, value = line.partition(": ")
            if colon and name:
                frame[name] = value
            elif frame:
                yield frame
                frame = {}

    def until(self, kind: str) -> list[dict[str, Any]]:
        """The data of what comes, with its kind and number, the one of that kind being the last."""
        found = []
        for frame in self.frames:
            if "data" not in frame:
                continue
            about = {"event": frame["event"], "id": frame.get("id")}
            found.append({**json.loads(frame["data"]), **about})
            if frame["event"] == kind:
                return found
        raise AssertionError(f"It ended after {[each['event'] for each in found]}")


def say(run: Run, *texts: str) -> None:
    run.refresh_from_db()
    token = run.claim or claims.claim(run.pk)
    assert token
    for text in texts:
        journal.append(run.pk, ToolPrinted(call="1", text=text), claim=token)


def finish(run: Run) -> None:
    run.refresh_from_db()
    assert run.claim
    journal.append(run.pk, RunEnded(reason=Reason.SUBMITTED, message="Done."), claim=run.claim)


def test_all_that_happened_and_all_that_happens_is_told_in_order(
    run: Run, alices: Program, served: str
) -> None:
    say(run, "one\nand a line", "two")
    with Followed(served, alices.token, run) as followed:
        assert followed.answer.headers["content-type"].startswith("text/event-stream")
        before = followed.until("run")
        say(run, "three")
        finish(run)
        after = followed.until("end")
    told = [each for each in before + after if each["id"]]
    assert [int(each["id"]) for each in told] == [1, 2, 3, 4]
    assert told[0]["data"]["text"] == "one\nand a line"
    assert told[-1]["event"] == "run.ended"
    assert [each["status"] for each in after if each["event"] == "run"][-1] == "ended"


def test_who_was_cut_off_goes_on_where_it_was(run: Run, alices: Program, served: str) -> None:
    say(run, "one", "two")
    with Followed(served, alices.token, run) as followed:
        last = followed.until("run")[-2]["id"]
    say(run, "three")
    with Followed(served, alices.token, run, **{"Last-Event-ID": last}) as followed:
        assert followed.until("run")[0]["data"]["text"] == "three"


def test_who_knows_a_number_begins_behind_it(run: Run, alices: Program, served: str) -> None:
    say(run, "one", "two", "three")
    with Followed(served, alices.token, run, "?after=2") as followed:
        assert followed.until("run")[0]["data"]["text"] == "three"
    # What a browser has heard since counts more than the address that it comes again to.
    with Followed(served, alices.token, run, "?after=0", **{"Last-Event-ID": "2"}) as followed:
        assert followed.until("run")[0]["data"]["text"] == "three"
    for nonsense in ("x", "-1", "9" * 30):
        with Followed(served, alices.token, run, f"?after={nonsense}") as followed:
            assert followed.answer.status_code == 422


def test_who_has_heard_it_all_need_not_come_again(run: Run, alices: Program, served: str) -> None:
    say(run, "one")
    finish(run)
    with Followed(served, alices.token, run, **{"Last-Event-ID": "2"}) as followed:
        assert followed.answer.status_code == 204


def test_files_that_are_still_looked_into_are_waited_for(
    run: Run, alices: Program, served: str
) -> None:
    save(run, "poster.html", b"<h1>Poster</h1>")
    finish(run)
    with Followed(served, alices.token, run) as followed:
        followed.until("run.ended")
        Inspection.objects.update(state=State.DONE)
        nudge.nudge(run.pk)
        followed.until("end")


def test_what_may_be_lost_has_no_number(run: Run, alices: Program, served: str) -> None:
    say(run, "one")
    with Followed(served, alices.token, run) as followed:
        followed.until("run")
        nudge.Hints(run.pk).show(Hint("typing this"), 1)
        hint = followed.until("hint")[-1]
    assert (hint["text"], hint["id"]) == ("typing this", None)


def test_a_stream_of_a_revoked_token_ends(
    run: Run, alices: Program, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 0.1)
    say(run, "one")
    with Followed(served, alices.token, run) as followed:
        followed.until("run")
        Token.objects.all().delete()
        say(run, "two")
        kinds = [frame.get("event") for frame in followed.frames]
    assert "end" not in kinds


def test_a_quiet_stream_gives_a_sign_of_life(
    run: Run, alices: Program, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT", 0.05)
    with Followed(served, alices.token, run) as followed:
        for line in followed.answer.iter_lines():
            if line == ":":
                break


@pytest.mark.parametrize("path", ["stream", "events", ""])
def test_charlie_follows_nothing_of_alices(
    path: str, run: Run, charlies: Program, served: str
) -> None:
    headers = {"Authorization": f"Bearer {charlies.token}"}
    answer = httpx2.get(f"{served}/api/v1/runs/{run.pk}/{path}", headers=headers, trust_env=False)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


def test_many_readers_come_and_go_and_leave_nothing_behind(
    run: Run, alices: Program, served: str
) -> None:
    say(run, "one")
    for _ in range(5):
        with Followed(served, alices.token, run) as followed:
            followed.until("run")
    with Followed(served, alices.token, run) as followed:
        say(run, "two")
        finish(run)
        followed.until("end")


def test_a_user_follows_only_so_many_at_once(
    run: Run, alices: Program, charlie: User, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "MOST", 1)
    say(run, "one")
    Member.objects.create(project=run.project, user=charlie)
    with Followed(served, alices.token, run) as followed:
        followed.until("run")
        with Followed(served, alices.token, run) as refused:
            answer = refused.answer
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
            assert json.loads(answer.read())["code"] == "too_many_streams"
        with Followed(served, program(charlie).token, run) as other:
            other.until("run")
        # Who has heard it all gives the place back.
        finish(run)
        followed.until("end")
    with Followed(served, alices.token, run) as followed:
        followed.until("end")


async def test_a_place_that_is_held_is_renewed(alice: User, monkeypatch) -> None:
    renewed = asyncio.Event()

    class Cache(LocMemCache):
        async def atouch(self, *about: object) -> bool:
            renewed.set()
            return True

    monkeypatch.setattr(places, "cache", Cache("places", {}))
    monkeypatch.setattr(places, "LEASE", 0.03)
    async with places.kept(await places.take(alice)):
        await asyncio.wait_for(renewed.wait(), 30)


async def is_free(user: User) -> bool:
    try:
        await places.take(user)
    except Refused:
        return False
    return True


def socket_of(run: Run, after: int = 0, **headers: str) -> ApplicationCommunicator:
    said = {"host": "localhost:8000"} | headers
    scope = {
        "type": "websocket",
        "scheme": "ws",
        "path": f"/ws/runs/{run.pk}/",
        "query_string": f"after={after}".encode(),
        "headers": [(name.encode(), value.encode()) for name, value in said.items()],
    }
    return ApplicationCommunicator(application, scope)


async def opened(socket: ApplicationCommunicator) -> bool:
    await socket.send_input({"type": "websocket.connect"})
    return (await socket.receive_output(timeout=10))["type"] == "websocket.accept"


async def test_a_token_opens_the_socket_of_its_users_run(run: Run, alices: Program) -> None:
    await database_sync_to_async(say)(run, "one", "two")
    socket = socket_of(run, after=1, authorization=f"Bearer {alices.token}")
    assert await opened(socket)
    told = json.loads((await socket.receive_output(timeout=10))["text"])
    assert [each["data"]["text"] for each in told["events"]] == ["two"]
    await socket.send_input({"type": "websocket.disconnect", "code": 1001})
    await socket.wait()


async def test_a_socket_takes_a_place_as_a_stream_does(
    run: Run, alices: Program, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "MOST", 1)
    socket = socket_of(run, authorization=f"Bearer {alices.token}")
    assert await opened(socket)
    assert not await is_free(alice)
    assert not await opened(socket_of(run, authorization=f"Bearer {alices.token}"))
    await socket.send_input({"type": "websocket.disconnect", "code": 1001})
    await socket.wait()
    assert await is_free(alice)


async def test_charlies_token_finds_no_such_run(run: Run, charlies: Program) -> None:
    socket = socket_of(run, authorization=f"Bearer {charlies.token}")
    assert await opened(socket)
    assert (await socket.receive_output(timeout=10))["code"] == 4404


async def test_a_revoked_token_closes_its_socket(
    run: Run, alices: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "REREAD_SECONDS", 0.05)
    socket = socket_of(run, authorization=f"Bearer {alices.token}")
    assert await opened(socket)
    await socket.receive_output(timeout=10)
    await Token.objects.all().adelete()
    assert (await socket.receive_output(timeout=10))["code"] == 4404


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer ss_made-up"},
        {"authorization": "Basic abc", "origin": "https://elsewhere.example"},
        {"authorization": "Bearer {token}", "host": "elsewhere.example"},
        {},
    ],
)
async def test_a_socket_without_a_good_token_is_refused(
    headers: dict[str, str], run: Run, alices: Program
) -> None:
    said = {name: value.format(token=alices.token) for name, value in headers.items()}
    assert not await opened(socket_of(run, **said))


async def test_a_reader_that_takes_nothing_holds_up_nobody(run: Run, alices: Program) -> None:
    """The stream stops asking for more when its reader does."""
    await database_sync_to_async(say)(run, *(str(number) for number in range(20)))
    token = await Token.objects.select_related("user").aget()
    scope = {
        "type": "websocket",
        "scheme": "http",
        "path": "/",
        "query_string": b"after=0",
        "headers": [],
        **sockets.reader(token),
        "url_route": {"kwargs": {"run_id": run.pk}},
    }
    frames = stream.told(scope)
    async with asyncio.timeout(10):
        assert await anext(frames) == stream.RETRY
        assert (await anext(frames)).startswith(b"id: 1\n")
        await frames.aclose()
