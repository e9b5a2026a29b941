"""What pages asked for and how it was answered, for the report of a test that failed."""

import time
from collections import deque

LINES = 200
TOLD = {"document", "xhr", "fetch"}  # The rest only where it fails.


class Witness:
    """Writes down what its pages do: addresses, answers, sockets and complaints, in order."""

    def __init__(self):
        self.lines = deque(maxlen=LINES)
        self.pages = 0
        self.began = time.monotonic()

    def watch(self, page):
        self.pages += 1
        name = f"page {self.pages}"

        def note(what, about):
            self.lines.append(f"{time.monotonic() - self.began:7.2f} {name} {what}: {about}"[:300])

        page.on("request", lambda it: it.is_navigation_request() and note("goes to", it.url))
        page.on("response", lambda it: self.answered(note, it))
        page.on("requestfailed", lambda it: note(it.failure, f"{it.method} {it.url}"))
        page.on("framenavigated", lambda frame: note("is at", frame.url))
        page.on("console", lambda message: note(message.type, message.text))
        page.on("pageerror", lambda error: note("error", error))
        page.on("crash", lambda _: note("crashed", page.url))
        page.on("websocket", lambda socket: self.hear(note, socket))

    def answered(self, note, response):
        request = response.request
        if request.resource_type in TOLD:
            note(str(response.status), f"{request.method} {request.url}")

    def hear(self, note, socket):
        note("socket", socket.url)
        socket.on("close", lambda _: note("socket closed", socket.url))
        socket.on("socketerror", lambda error: note("socket broke", f"{socket.url} {error}"))

    def __str__(self):
        return "\n".join(self.lines)
