"""A studio as people start it, and somebody signed in who has no browser."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, Self

import httpx2
from websockets.sync.client import connect

from benchmarks.peer import LOGS, ROOT
from benchmarks.server import MODEL

LINK = re.compile(r"http://\S+/enter/\S+")
SOCKET = re.compile(r'data-socket="([^"]+)"')
SECONDS = 60.0
OWN = ("DATABASE_URL", "REDIS_URL", "STUDIO_ENDPOINTS")


class Studio:
    """The studio in a `with`; its model is the endpoint at `model_url`."""

    def __init__(self, model_url: str) -> None:
        self._environment = {k: v for k, v in os.environ.items() if k not in OWN} | {
            "OPENAI_BASE_URL": model_url,
            "OPENAI_API_KEY": "none",
            "STUDIO_MODEL": MODEL,
            "STUDIO_STARTING_POINTS": "0",
        }

    def __enter__(self) -> Self:
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            port = listening.getsockname()[1]
        # The path of the broker's socket may have no more than 107 bytes.
        self._var = tempfile.TemporaryDirectory(prefix="studio-")
        self._log = (LOGS / "studio.log").open("w")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "studio.serve", "--port", str(port)],
            cwd=ROOT,
            env=self._environment | {"STUDIO_VAR": self._var.name},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout
        link = next(filter(None, map(LINK.search, self._process.stdout)))[0]
        self._url = link.partition("/enter/")[0]
        self._client = httpx2.Client(timeout=SECONDS, trust_env=False, follow_redirects=True)
        self._client.get(link).raise_for_status()
        return self

    def __exit__(self, *exc: object) -> None:
        self._client.close()
        self._process.send_signal(signal.SIGINT)
        self._process.communicate()
        self._log.close()
        self._var.cleanup()

    def ask(self, prompt: str) -> Iterator[Any]:
        """Begin a project with this request: the messages that its page gets, until it ends."""
        token = self._client.cookies["csrftoken"]
        form = {"prompt": prompt, "csrfmiddlewaretoken": token}
        page = self._client.post(
            f"{self._url}/projects/new/", data=form, headers={"Referer": self._url}
        )
        found = SOCKET.search(page.raise_for_status().text)
        assert found, page.text
        cookies = "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())
        address = self._url.replace("http", "ws", 1) + found[1]
        headers = {"Cookie": cookies, "Origin": self._url}
        with connect(address, additional_headers=headers, proxy=None) as messages:
            yield from map(json.loads, messages)
