"""Which bytes a `Range` header asks for (RFC 9110, section 14)."""

from __future__ import annotations

import re

# Nobody who plays or reads a file asks for more at once; who does gets all of it.
MOST_PARTS = 16
# Between two parts there is about as much to say.
GAP = 100

ONE = re.compile(r"\s*(\d{0,18})-(\d{0,18})\s*")


def wanted(header: str, size: int) -> list[range] | None:
    """The parts of `size` bytes, in order and apart; none if all of them are beyond its end.

    None instead of a list means the whole file: the header makes no sense or asks for too much
    in pieces. Overlapping parts are one, so the parts are never more than the file.
    """
    unit, _, listed = header.partition("=")
    specs = [ONE.fullmatch(spec) for spec in listed.split(",")]
    if unit.strip().lower() != "bytes":
        return None
    found = []
    for spec in specs:
        if spec is None or spec.group().strip() == "-":
            return None
        first, last = spec.groups()
        start = int(first) if first else max(size - int(last), 0)
        stop = min(int(last) + 1, size) if first and last else size
        if first and last and int(last) < int(first):
            return None
        if start < stop:
            found.append(range(start, stop))
    return together(found) if len(together(found)) <= MOST_PARTS else None


def together(parts: list[range]) -> list[range]:
    """The parts in order, those that overlap or nearly touch as one."""
    joined: list[range] = []
    for part in sorted(parts, key=lambda part: part.start):
        if joined and part.start <= joined[-1].stop + GAP:
            joined[-1] = range(joined[-1].start, max(part.stop, joined[-1].stop))
        else:
            joined.append(part)
    return joined
