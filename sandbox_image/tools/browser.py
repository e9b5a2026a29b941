"""A headless Chromium for one page, spoken to over the DevTools protocol.

The protocol travels over two pipes, so no port is needed and nothing is left listening.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

PROGRAM = "/usr/bin/chromium-headless-shell"
FLAGS = (
    "--no-sandbox",  # the container is the sandbox; Chromium's own needs rights we give nobody
    "--disable-dev-shm-usage",  # with the engine's 64 MB /dev/shm it hangs for ever
    "--no-zygote",
    "--disable-gpu-compositing",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--autoplay-policy=no-user-gesture-required",
    "--remote-debugging-pipe",
)


class BrowserError(Exception):
    """Chromium did not do what was asked, or not in time."""


def address(target: str) -> str:
    """The URL of `target`: a URL as it is, otherwise a file (a `?query` or `#part` is kept)."""
    if "://" in target or target.startswith(("data:", "about:")):
        return target
    for mark in ("?", "#"):
        path, sign, rest = target.partition(mark)
        if sign and not Path(target).exists() and Path(path).exists():
            return f"file://{quote(str(Path(path).resolve()))}{sign}{rest}"
    if not Path(target).exists():
        raise BrowserError(f"no such file: {target}")
    return f"file://{quote(str(Path(target).resolve()))}"


class Page:
    """One page in a browser of its own; everything stops at `seconds` after the start.

    `problems` collects console errors, uncaught exceptions and failed requests as lines of text.
    """

    def __init__(self, width: int, height: int, seconds: float) -> None:
        self.size = (width, height)
        self.deadline = time.monotonic() + seconds
        self.problems: list[str] = []
        self._urls: dict[str, str] = {}
        self._pending: set[str] = set()
        self._events: list[str] = []
        self._buffer = b""
        self._number = 0
        self._session: str | None = None

    def __enter__(self) -> Page:
        self._profile = tempfile.mkdtemp(prefix="browser-")
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        def place() -> None:  # Chromium expects its pipes at descriptors 3 and 4
            high = (os.dup(to_read), os.dup(to_write))
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        width, height = self.size
        self._process = subprocess.Popen(
            [
                PROGRAM,
                *FLAGS,
                f"--user-data-dir={self._profile}",
                f"--window-size={width},{height}",
                "about:blank",
            ],
            preexec_fn=place,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_read)
        os.close(to_write)
        try:
            targets = self.send("Target.getTargets")["targetInfos"]
            page = next(target["targetId"] for target in targets if target["type"] == "page")
            attached = self.send("Target.attachToTarget", targetId=page, flatten=True)
            self._session = attached["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.send(f"{domain}.enable")
            self.resize(width, height)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
        shutil.rmtree(self._profile, ignore_errors=True)

    def send(self, method: str, **parameters: object) -> dict:
        """The answer to one command; what happens meanwhile is noted. Raises BrowserError."""
        number = self.post(method, **parameters)
        while True:
            answer = self._receive(self.deadline)
            if answer is None:
                raise BrowserError(f"no answer to {method} in time")
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def post(self, method: str, **parameters: object) -> int:
        """Sends a command without waiting for its answer, and gives its number."""
        self._number += 1
        message: dict = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        try:
            while data:
                data = data[os.write(self._write, data) :]
        except BrokenPipeError:
            raise BrowserError("Chromium ended unexpectedly") from None
        return self._number

    def open(self, url: str, wait: float) -> None:
        """Loads `url`, then `wait` seconds more, and until no request is open (2 s at most)."""
        result = self.send("Page.navigate", url=url)
        if "errorText" in result:
            raise BrowserError(f"{url}: {result['errorText']}")
        while "Page.loadEventFired" not in self._events:
            if self._receive(self.deadline) is None:
                raise BrowserError(f"{url} did not finish loading in time")
        self.evaluate("document.fonts.ready.then(() => true)")
        self._listen(wait)
        end = time.monotonic() + 2
        while self._pending and time.monotonic() < end:
            self._listen(0.05)

    def evaluate(self, expression: str, *, apart: bool = False) -> object:
        """The value of a JavaScript expression (promises are awaited).

        `apart`: it sees the document, and neither sees nor changes the page's own variables.
        """
        options: dict[str, object] = {"returnByValue": True, "awaitPromise": True}
        if apart:
            options["contextId"] = self._world()
        result = self.send("Runtime.evaluate", expression=expression, **options)
        if "exceptionDetails" in result:
            raise BrowserError(describe(result["exceptionDetails"]))
        return result["result"].get("value")

    def _world(self) -> int:
        """A world of its own for scripts that are not the page's."""
        frame = self.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        return self.send("Page.createIsolatedWorld", frameId=frame)["executionContextId"]

    def outside(self) -> list[str]:
        """The network addresses that the page asked for."""
        urls = dict.fromkeys(self._urls.values())
        return [url for url in urls if url.startswith(("http:", "https:", "ws:", "wss:"))]

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=False,
        )

    def picture(self, scale: float = 1, full: bool = False) -> bytes:
        """The page as PNG: the window, or with `full` the whole document."""
        width, height = self.size
        if full:
            box = self.send("Page.getLayoutMetrics")["cssContentSize"]
            height = min(max(height, round(box["height"])), 16_000)
        self.resize(width, height, scale)
        shot = self.send("Page.captureScreenshot", format="png")
        return base64.b64decode(shot["data"])

    def pdf(self) -> bytes:
        """The page as PDF on the paper that its `@page` rule asks for (A4 without one)."""
        result = self.send(
            "Page.printToPDF",
            printBackground=True,
            preferCSSPageSize=True,
            displayHeaderFooter=False,
            paperWidth=8.27,
            paperHeight=11.69,
        )
        return base64.b64decode(result["data"])

    def _listen(self, seconds: float) -> None:
        end = min(time.monotonic() + seconds, self.deadline)
        while self._receive(end) is not None:
            pass

    def _receive(self, deadline: float) -> dict | None:
        """The next message, or None when there is none before `deadline`."""
        while b"\0" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._read], [], [], left)[0]:
                return None
            chunk = os.read(self._read, 1 << 20)
            if not chunk:
                raise BrowserError("Chromium ended unexpectedly")
            self._buffer += chunk
        data, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(data)
        if "method" in message:
            self._note(message["method"], message["params"])
        return message

    def _note(self, method: str, event: dict) -> None:
        self._events.append(method)
        if method == "Network.requestWillBeSent":
            self._urls[event["requestId"]] = event["request"]["url"]
            self._pending.add(event["requestId"])
        elif method == "Network.loadingFinished":
            self._pending.discard(event["requestId"])
        elif method == "Network.responseReceived" and event["response"]["status"] >= 400:
            response = event["response"]
            self.problems.append(f"failed request: {response['url']}: {response['status']}")
        elif method == "Network.loadingFailed":
            self._pending.discard(event["requestId"])
            if not event.get("canceled"):
                url = self._urls.get(event["requestId"], "?")
                self.problems.append(f"failed request: {shorten(url)}: {event['errorText']}")
        elif method == "Runtime.exceptionThrown":
            self.problems.append(f"uncaught: {describe(event['exceptionDetails'])}")
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "assert"):
            words = [str(item.get("value", item.get("description", ""))) for item in event["args"]]
            self.problems.append(f"console error: {shorten(' '.join(words))}")
        elif method == "Log.entryAdded":
            entry = event["entry"]
            # Failed requests arrive here a second time.
            if entry["level"] == "error" and entry["source"] != "network":
                self.problems.append(f"console error: {shorten(entry['text'])}")


def shorten(text: str, most: int = 300) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def describe(details: dict) -> str:
    """One line for an exception, with its place in the page."""
    thrown = details.get("exception", {})
    text = thrown.get("description", thrown.get("value", details.get("text", "")))
    place = f" (line {details['lineNumber'] + 1})" if "lineNumber" in details else ""
    return shorten(str(text).splitlines()[0] if text else "exception") + place
