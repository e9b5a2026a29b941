"""What a player gets of a large file: how fast, whether the right parts, for how much memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

from benchmarks.film import Film, content
from benchmarks.measure import (
    Comparison,
    Count,
    Measure,
    at_least,
    at_most,
    in_turn,
    milliseconds,
)

SIZE = 100_000_000
MEGABYTE = 1e6
DOWNLOADS = 3
# Of the file: 4 MB.
MEMORY = 0.04
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came for a `Range`."""

    status: int
    said: str
    body: bytes


def parts(size: int) -> dict[str, tuple[int, int] | None]:
    """Headers, and the first and last byte that must be the answer, or that there are none."""
    middle, last = size // 2, size - 1
    return {
        "bytes=0-": (0, last),
        "bytes=0-0": (0, 0),
        f"bytes={middle}-": (middle, last),
        f"bytes={middle}-{middle + 9}": (middle, middle + 9),
        f"bytes={last}-{last + 1000}": (last, last),
        "bytes=-500": (size - 500, last),
        f"bytes={size}-": None,
        "bytes=-0": None,
    }


def measures() -> Iterator[Measure]:
    """B15."""
    with Film("ours", SIZE) as ours, Film("django", SIZE) as theirs:
        # First of all: what has once been taken is not taken anew.
        grown = memory(ours)
        rounds = in_turn(partial(downloads, ours.url), partial(downloads, theirs.url))
        what = "100 MB of video, read to the end"
        yield Comparison("B15", what, "FileResponse", "ms", rounds, at_least(2))
        film = b"".join(content(SIZE))
        right = list(rightly(partial(part, ours.url), film))
        yield Count("B15", f"parts answered rightly, of {len(right)}", sum(right), len(right))
        against, most = [(grown, [SIZE / MEGABYTE])], at_most(MEMORY)
        yield Comparison("B15", "memory taken for it", "the file", "MB", against, most)


def downloads(url: str) -> Sequence[float]:
    """Milliseconds for all of it, each time."""
    return [milliseconds(partial(download, url)) for _ in range(DOWNLOADS)]


def memory(film: Film) -> Sequence[float]:
    """Megabytes that the server's peak, while it sends all of it, is above what it had before."""
    part(film.url, "bytes=0-0")
    film.peak()
    before = film.peak()
    peaks = []
    for _ in range(DOWNLOADS):
        download(film.url)
        peaks.append((film.peak() - before) / MEGABYTE)
    return peaks


def rightly(ask: Callable[[str], Answer], film: bytes) -> Iterator[bool]:
    """Whether each of the `parts` is answered as it must be."""
    for header, wanted in parts(len(film)).items():
        answer = ask(header)
        if wanted is None:
            yield (answer.status, answer.said) == (416, f"bytes */{len(film)}")
        else:
            first, last = wanted
            body = film[first : last + 1]
            yield answer == Answer(206, f"bytes {first}-{last}/{len(film)}", body)


def download(url: str) -> None:
    """Read all of it and keep nothing."""
    size, buffer = 0, memoryview(bytearray(1 << 20))
    with asked(url) as answer:
        while count := answer.readinto(buffer):
            size += count
    assert (answer.status, size) == (200, SIZE)


def part(url: str, header: str) -> Answer:
    with asked(url, Range=header) as answer:
        return Answer(answer.status, answer.headers.get("Content-Range", ""), answer.read())


@contextmanager
def asked(url: str, **headers: str) -> Iterator[HTTPResponse]:
    """The answer; not every machine knows that the names below `localhost` are its own."""
    address = urlsplit(url)
    with closing(HTTPConnection("127.0.0.1", address.port, timeout=SECONDS)) as connection:
        target = f"{address.path}?{address.query}"
        connection.request("GET", target, headers={"Host": address.netloc, **headers})
        yield connection.getresponse()
