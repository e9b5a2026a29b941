"""A player whose address in a bucket is not good any more."""

import re
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCRIPT = Path(__file__).parents[2] / "static" / "js" / "again.js"
PAGE = b"""<!doctype html><script type=module src=/again.js></script>
<audio preload=metadata src=/sound.wav></audio>"""
# More than a browser fetches before it is asked for.
SILENCE = bytes(60_000_000)
FORMAT = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 2, 44100, 176400, 4, 16)
SOUND = struct.pack("<4sI4s", b"RIFF", len(SILENCE) + 36, b"WAVE") + FORMAT
SOUND += struct.pack("<4sI", b"data", len(SILENCE)) + SILENCE
CHUNK = 1 << 16


class Bucket(ThreadingHTTPServer):
    """Leads to numbered addresses of a bucket; those before `oldest` are too old."""

    led = refused = oldest = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Bucket

    def do_GET(self) -> None:
        pages = {"/": (PAGE, "text/html"), "/again.js": (SCRIPT.read_bytes(), "text/javascript")}
        number = re.fullmatch(r"/bucket/(\d+)", self.path)
        if self.path in pages:
            body, kind = pages[self.path]
            self.answer(200, body, {"Content-Type": kind})
        elif self.path == "/sound.wav":
            self.server.led += 1
            where = {"Location": f"/bucket/{self.server.led}", "Cache-Control": "no-store"}
            self.answer(302, b"", where)
        elif number and int(number[1]) >= self.server.oldest:
            asked = re.match(r"bytes=(\d+)-", self.headers.get("range", "bytes=0-"))
            first = int(asked[1]) if asked else 0
            part = f"bytes {first}-{len(SOUND) - 1}/{len(SOUND)}"
            headers = {"Content-Type": "audio/wav", "Content-Range": part}
            self.answer(206, memoryview(SOUND)[first:], headers)
        else:
            self.server.refused += bool(number)
            self.answer(403, b"", {})

    def answer(self, status: int, body: bytes | memoryview, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            for start in range(0, len(body), CHUNK):
                self.wfile.write(body[start : start + CHUNK])
        except ConnectionError:
            self.close_connection = True

    def log_message(self, *about: object) -> None:
        pass


@pytest.fixture
def bucket():
    server = Bucket(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_player_goes_on_with_another_address_where_it_was(browser, bucket):
    page = browser.new_page()
    page.goto(f"http://127.0.0.1:{bucket.server_port}/")
    sound = page.locator("audio")
    page.wait_for_function("sound => sound.readyState > 0", arg=sound.element_handle())
    bucket.oldest = bucket.led + 1
    sound.evaluate("sound => Object.assign(sound, { playbackRate: 2, currentTime: 300 })")
    arrived = "sound => !sound.seeking && sound.readyState > 2"
    page.wait_for_function(arrived, arg=sound.element_handle())
    expect(sound).to_have_js_property("currentTime", 300)
    expect(sound).to_have_js_property("playbackRate", 2)
    assert bucket.refused == 1
    assert bucket.led == 2
    page.context.close()
