"""A studio somewhere else, through its API.

Nothing it says is trusted further than its own events go: every read is bounded, every event is
checked, and bytes are kept only if they have the digest that was announced.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx2

from agent.events import ArtifactSaved, Event, Shown, from_data
from agent.hints import Rendering, Waiting
from agent.store import DirectoryStore

logger = logging.getLogger(__name__)

# An event, or an answer, may have this many bytes.
MOST = 16 << 20
# The studio gives a sign of life every ten seconds.
PATIENCE = httpx2.Timeout(60, connect=15)
# After each attempt that failed, in seconds; then it is given up.
WAITS = (1, 2, 4, 8, 15, 30, 30, 60, 60, 60)
# What comes of a connection that breaks, and of a studio that names what no request can have.
BROKEN = (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, UnicodeError)


class Refused(Exception):
    """The studio will not do it; the message says why."""


class Unreachable(Exception):
    """The studio does not answer, or not as one would; the message says what to do."""


class Gone(Exception):
    """There is nothing there (any more)."""


class _Over(Exception):
    """There is nothing more to tell of a run."""


@dataclass(frozen=True, slots=True)
class RemoteRun:
    """A run of a studio, its project and the page to look at."""

    id: str
    project: str
    page: str


class Studio:
    """Speaks for one user: whoever the token belongs to."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/")
        self._api = httpx2.Client(
            base_url=f"{self._url}/api/v1/",
            headers={"Authorization": f"Bearer {token}"},
            timeout=PATIENCE,
        )
        # Another one for the files: they come from another host, which must not learn the token.
        self._files = httpx2.Client(
            mounts={"all://*.localhost": _Below()},
            follow_redirects=True,
            max_redirects=3,
            timeout=PATIENCE,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._api.close()
        self._files.close()

    def begin(
        self, prompt: str, inputs: Sequence[Path], network: str | None, model: str | None
    ) -> RemoteRun:
        """Ask for something in a new project.

        Raises:
            Refused: the studio says why not.
            Unreachable: there is no studio.
        """
        form = {"prompt": prompt, "network": network, "model": model}
        told = {name: value for name, value in form.items() if value is not None}
        with contextlib.ExitStack() as stack:
            opened = [(path.name, stack.enter_context(path.open("rb"))) for path in inputs]
            files = [("files", each) for each in opened]
            made = self._asked("POST", "projects", data=told, files=files or None)
        match made:
            case {"run": {"id": str() as run, "project": str() as project, "url": str() as page}}:
                return RemoteRun(run, project, page)
        raise Unreachable(f"{self._url} does not answer as a studio does. Is it a newer one?")

    def stop(self, run: RemoteRun) -> None:
        """Raises as `begin`."""
        self._asked("POST", f"runs/{run.id}/stop")

    def go_on(self, run: RemoteRun) -> None:
        """Raises as `begin`."""
        self._asked("POST", f"runs/{run.id}/go-on")

    def follow(self, run: RemoteRun) -> Iterator[Shown]:
        """What happened and what happens; a connection that breaks is made again.

        Raises:
            Refused: the run is not to be seen any more.
            Unreachable: the studio stays away.
        """
        seen, failures = 0, 0
        while True:
            try:
                for number, item in self._stream(run, seen):
                    failures = 0
                    if number is not None:
                        seen = number
                    if item is not None:
                        yield item
            except _Over:
                return
            except BROKEN as error:
                logger.debug("The stream broke: %s", error)
            if failures == len(WAITS):
                raise Unreachable(f"{self._url} stays away. The run goes on there: {run.page}")
            time.sleep(WAITS[failures])
            failures += 1

    def fetch(self, run: RemoteRun, saved: ArtifactSaved, store: DirectoryStore) -> None:
        """Put what a run saved into the store.

        Raises:
            Gone: it is not there any more in these bytes.
            Refused, Unreachable: as `begin`.
        """
        query = {"path": saved.path, "removed": "true", "limit": "1"}
        match self._asked("GET", f"projects/{run.project}/artifacts", params=query):
            case {"items": [{"id": int() as key}]}:
                pass
            case _:
                raise Gone
        for wait in (*WAITS[:4], 0):
            try:
                place = self._place(f"projects/{run.project}/artifacts/{key}", saved.digest)
                with self._files.stream("GET", place) as answer:
                    if answer.status_code == 404:
                        raise Gone
                    answer.raise_for_status()
                    blob = store.put(_bounded(answer.iter_bytes(), saved.size))
                if blob.digest == saved.digest:
                    return
                logger.warning("%s came damaged", saved.path)
            except BROKEN as error:
                logger.debug("%s was not fetched: %s", saved.path, error)
            time.sleep(wait)
        raise Unreachable(f"{saved.path} could not be fetched. It is here: {run.page}")

    def _place(self, artifact: str, digest: str) -> str:
        """Where the bytes are; the address opens without a token."""
        answer = self._api.get(f"{artifact}/download", params={"digest": digest})
        if answer.status_code == 404:
            raise Gone
        if answer.status_code != 302 or "location" not in answer.headers:
            raise httpx2.RemoteProtocolError(f"{answer.status_code} instead of an address")
        return str(answer.headers["location"])

    def _asked(self, method: str, path: str, **given: Any) -> Any:
        try:
            with self._api.stream(method, path, **given) as answer:
                text = b"".join(_bounded(answer.iter_bytes(), MOST))
        except BROKEN as error:
            raise Unreachable(f"{self._url} cannot be reached: {error}") from error
        try:
            told = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Unreachable(f"There is no studio at {self._url}.") from error
        if answer.status_code in (401, 403):
            raise Unreachable(_detail(told))
        if answer.is_error:
            raise Refused(_detail(told))
        return told

    def _stream(self, run: RemoteRun, after: int) -> Iterator[tuple[int | None, Shown | None]]:
        """Numbers and what they are of; neither is there of what is unknown here."""
        headers = {"Last-Event-ID": str(after)}
        with self._api.stream("GET", f"runs/{run.id}/stream", headers=headers) as answer:
            if answer.status_code in (401, 403, 404):
                raise Refused("The run is not to be seen any more: it, or the token, is gone.")
            answer.raise_for_status()
            if answer.status_code == 204:
                raise _Over
            for kind, data in _frames(answer.iter_bytes()):
                if kind == "end":
                    raise _Over
                yield _read(kind, data)


class _Below(httpx2.HTTPTransport):
    """Takes names below `localhost` for this machine, as browsers do and resolvers may not."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.host.endswith(".localhost"):
            request.url = request.url.copy_with(host="localhost")
        return super().handle_request(request)


def _frames(chunks: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """The kinds and the data of server-sent events."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n\n")
        if len(rest) > MOST:
            raise httpx2.RemoteProtocolError("an event without an end")
        for frame in whole:
            lines = frame.decode("utf-8", "replace").split("\n")
            fields = dict(line.partition(": ")[::2] for line in lines)
            if "data" in fields:
                yield fields.get("event", ""), fields["data"]


def _read(kind: str, data: str) -> tuple[int | None, Shown | None]:
    try:
        told = json.loads(data)
        if kind == "hint":
            return None, _hint(told)
        match told:
            case {"seq": int() as number, "kind": str() as name, "data": dict() as fields}:
                return number, _event(name, fields)
    except (ValueError, RecursionError) as error:
        logger.debug("Not understood: %s", error)
    return None, None


def _event(kind: str, data: dict[str, Any]) -> Event | None:
    try:
        return from_data(kind, data)
    except ValueError as error:
        # A studio that is newer than this knows of more.
        logger.debug("Not understood: %s", error)
        return None


def _hint(told: Any) -> Shown | None:
    match told:
        case {
            "kind": "waiting",
            "why": "busy" | "error" | "connection" as why,
            "seconds": int() | float() as seconds,
        }:
            return Waiting(why, float(seconds))
        case {"kind": "rendering", "note": str() as note, "fraction": float() | None as fraction}:
            return Rendering(fraction, note)
    return None


def _bounded(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """The chunks.

    Raises:
        RemoteProtocolError: there are more bytes than there may be.
    """
    got = 0
    for chunk in chunks:
        got += len(chunk)
        if got > most:
            raise httpx2.RemoteProtocolError(f"more than {most} bytes")
        yield chunk


def _detail(told: Any) -> str:
    match told:
        case {"detail": str() as detail}:
            return detail
    return "The studio says nothing about why it will not."
