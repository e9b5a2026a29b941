"""Parts of a file, and who answers them rightly."""

import re

from benchmarks.serving import Answer, parts, rightly

FILM = bytes(range(256)) * 8


def whole(header):
    """As a server does that knows no parts."""
    return Answer(200, "", FILM)


def right(header):
    first, last = re.fullmatch(r"bytes=(\d*)-(\d*)", header).groups()
    start = int(first) if first else len(FILM) - int(last)
    stop = min(int(last) + 1, len(FILM)) if first and last else len(FILM)
    if start >= len(FILM):
        return Answer(416, f"bytes */{len(FILM)}", b"")
    return Answer(206, f"bytes {start}-{stop - 1}/{len(FILM)}", FILM[start:stop])


def other_bytes(header):
    answer = right(header)
    return Answer(answer.status, answer.said, answer.body[::-1])


def test_a_part_is_right_when_it_is_the_one_that_was_asked_for_and_says_so():
    assert list(rightly(right, FILM)) == [True] * len(parts(len(FILM)))
    assert not any(rightly(whole, FILM))
    assert sum(rightly(other_bytes, FILM)) == 4  # A byte is the same backwards.
