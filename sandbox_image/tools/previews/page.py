"""Web pages as they look when they are opened."""

from __future__ import annotations

from collections.abc import Iterator

from previews import Subject
from previews.poster import poster
from previews.screen import address, picture, served

WINDOW = (1280, 800)
WAIT, SECONDS = 0.8, 30


def show(subject: Subject) -> Iterator[dict]:
    folder = subject.path.parent
    with served(folder, WINDOW, min(SECONDS, subject.seconds)) as page:
        page.open(address(subject.path.name), WAIT)
        image = picture(page)
    yield poster(image, subject.into)
