"""3D models, lit and seen from above their front right corner."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from previews import Subject
from previews.poster import poster
from previews.screen import typeset

LIBRARY = Path("/usr/share/javascript/three/three.global.js")
SCRIPT = Path(__file__).with_name("solid.js").read_text("utf-8")
SIZE, SECONDS = (640, 480), 40
# Scripts of ours; a scene refers to files beside it, and its textures become blobs.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; "
    "connect-src 'self' data: blob:; img-src 'self' data: blob:"
)
FORMATS = {"model/obj": "obj", "model/stl": "stl"}


def show(subject: Subject) -> Iterator[dict]:
    name = json.dumps(subject.path.name).replace("<", "\\u003c")
    form = FORMATS.get(subject.media_type, "gltf")
    body = (
        '<canvas class="solid"></canvas><script src="/.three.js"></script>'
        f"<script>{SCRIPT}\nconst drawn = draw({name}, '{form}');</script>"
    )
    image = typeset(
        subject.path.parent,
        body,
        min(SECONDS, subject.seconds),
        size=SIZE,
        scale=1,
        policy=POLICY,
        more={".three.js": LIBRARY},
        until="drawn",
    )
    yield poster(image, subject.into)
