"""A page as a web server would give it, from one folder; nothing else can be loaded.

No server and no port: the browser's requests are answered here. What lies outside of the folder,
whether in the file system or in a network, is not there for the page.
"""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from browser import BrowserError, Page

ORIGIN = "https://page.invalid/"
MOST_BYTES = 64 << 20
TYPES = {
    **dict.fromkeys((".js", ".mjs"), "text/javascript"),
    ".md": "text/plain",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
}
OTHER = "application/octet-stream"


class ServedPage(Page):
    """A page below `ORIGIN`, which is `folder`; `more` has files that are not in it, by name."""

    def __init__(
        self,
        folder: Path,
        size: tuple[int, int],
        seconds: float,
        more: Mapping[str, bytes | Path] | None = None,
    ) -> None:
        super().__init__(*size, seconds)
        self._folder = folder.resolve()
        self._more = more or {}

    def __enter__(self) -> ServedPage:
        super().__enter__()
        try:
            self.send("Fetch.enable")
        except BrowserError:
            self.__exit__()
            raise
        return self

    def _note(self, method: str, event: dict) -> None:
        super()._note(method, event)
        if method == "Page.javascriptDialogOpening":
            self.post("Page.handleJavaScriptDialog", accept=True)
        if method != "Fetch.requestPaused":
            return
        request = event["requestId"]
        name = self._name(event["request"]["url"])
        if name is None:
            self.post("Fetch.failRequest", requestId=request, errorReason="InternetDisconnected")
            return
        body = self._body(name)
        content = TYPES.get(Path(name).suffix.lower()) or mimetypes.guess_type(name)[0] or OTHER
        if content.startswith("text/"):
            content += "; charset=utf-8"
        self.post(
            "Fetch.fulfillRequest",
            requestId=request,
            responseCode=404 if body is None else 200,
            responseHeaders=[{"name": "Content-Type", "value": content}],
            body=base64.b64encode(body or b"").decode(),
        )

    def _name(self, url: str) -> str | None:
        """The name below the folder that a URL stands for; None for what is elsewhere."""
        if not url.startswith(ORIGIN):
            return None
        return unquote(urlsplit(url).path).lstrip("/")

    def _body(self, name: str) -> bytes | None:
        if name in self._more:
            found = self._more[name]
            return found if isinstance(found, bytes) else found.read_bytes()
        try:
            path = (self._folder / name).resolve(strict=True)
            if not path.is_relative_to(self._folder) or not path.is_file():
                return None
            return path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
        except (OSError, ValueError):
            return None
