"""The socket of a page that watches a run."""

from __future__ import annotations

import asyncio
import json
import uuid
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.http import Http404
from django.utils.translation import override

from studio.artifacts import glimpses
from studio.doors import Door, watched
from studio.projects.access import run_of
from studio.projects.consumers import doors
from studio.runs import feed
from studio.runs.models import Run
from studio.runs.nudge import group
from studio.sockets import NOT_FOUND, OVER, TellingConsumer
from studio.web import language, page_request

News = tuple[str, int]

REREAD_SECONDS = 5.0


class RunConsumer(TellingConsumer):
    """Sends all events after `?after=`, then each new one; hints and the run's state in between.

    A nudge only says "look": what is sent is read from the database, in order, by one task. So
    no nudge can be missed (the group is joined before the first read), doubled or out of order.
    The socket closes with 1000 when the run has ended, its files are inspected and everything is
    told, with 4404 when there is no such run for this user (any more, which it hears within a
    second), and with 1011 when the reader should come again.
    """

    async def listens_to(self) -> str:
        self.run_id: uuid.UUID = self.scope["url_route"]["kwargs"]["run_id"]
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        self.seq = feed.after(query.get("after", [""])[0])
        self.hints: dict[str, dict[str, Any]] = {}
        self.page = page_request(self.scope)
        self.project_id = ""
        self.state: dict[str, Any] | None = None
        self.changed = asyncio.Event()
        self.nudged = True
        self.language = language(self.scope)
        self.ended: int | None = None
        return group(self.run_id)

    async def run_nudge(self, message: dict[str, Any]) -> None:
        self.nudged = True
        self.changed.set()

    async def run_hint(self, message: dict[str, Any]) -> None:
        hint = message["hint"]
        kind = f"{hint['kind']} {hint.get('media', '')}"
        self.hints.pop(kind, None)  # Of each kind the newest, in the order they came.
        self.hints[kind] = hint
        self.changed.set()

    async def tell(self) -> int:
        found = await database_sync_to_async(self.doors)()
        if not found:
            return NOT_FOUND
        with watched({door: partial(self.shut, code) for door, code in found.items()}):
            return await self.tell_until_over()

    def doors(self) -> dict[Door, int]:
        signed_in = self.scope["user"].is_authenticated
        run = self.find() if signed_in else None
        return doors(self.scope, run.project_id) if run else {}

    def shut(self, code: int) -> None:
        self.ended = code
        self.changed.set()

    async def tell_until_over(self) -> int:
        clock, looked = asyncio.get_running_loop().time, 0.0
        while True:
            self.changed.clear()
            if self.ended:
                return self.ended
            # Taken before the events are read: what a hint came after has been told when it is.
            hints, self.hints = self.hints, {}
            ahead = any(hint["after"] > self.seq for hint in hints.values())
            # All sockets read in one thread: what somebody types has nothing to be looked up for.
            if self.nudged or ahead or clock() >= looked + REREAD_SECONDS:
                self.nudged = False
                state, news = await database_sync_to_async(self.read)()
                if state is None:
                    return NOT_FOUND
                await self.send_news(state, news)
                if feed.over(state):
                    return OVER
                looked = clock()
            for hint in hints.values():
                await self.send(json.dumps({"hint": self.with_address(hint)}))
            with suppress(TimeoutError):
                await asyncio.wait_for(self.changed.wait(), looked + REREAD_SECONDS - clock())

    def with_address(self, hint: dict[str, Any]) -> dict[str, Any]:
        """A hint as the page gets it: of a glimpse not its digest, but where to look at it."""
        if hint["kind"] != "glimpse":
            return hint
        about = {name: value for name, value in hint.items() if name != "digest"}
        url = glimpses.address(self.page, self.project_id, hint["path"], hint["digest"])
        return about | {"url": url}

    async def send_news(self, state: dict[str, Any], news: News) -> None:
        """All new events, and the state together with the last of them if it has changed.

        A state that is older than the events would take back what they tell.
        """
        while not self.ended:
            events, last = news
            message = f'"events":{events}'
            if last == state["last_seq"] and state != self.state:
                self.state = state
                message += f',"run":{json.dumps(state)}'
            elif last == self.seq:
                return
            await self.send(f"{{{message}}}")
            self.seq = last
            news = await database_sync_to_async(self.read_events)()

    def read(self) -> tuple[dict[str, Any] | None, News]:
        """The state first: once it is over no event can come any more."""
        state = self.read_state()
        return state, self.read_events() if state else ("[]", self.seq)

    def read_state(self) -> dict[str, Any] | None:
        run = self.find()
        if run is None:
            return None
        with override(self.language):
            return feed.state(run)

    def find(self) -> Run | None:
        try:
            run = run_of(self.scope["user"], self.run_id)
        except Http404:
            return None
        self.project_id = run.project_id
        return run

    def read_events(self) -> News:
        with override(self.language):
            return feed.events_after(self.run_id, self.seq)
