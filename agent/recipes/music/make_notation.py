"""What both kinds of sheet share: bars cut into printable values, and bars laid out on pages."""

from dataclasses import dataclass

from make_melody import Note

VALUES = (4.0, 3.0, 2.0, 1.5, 1.0, 0.75, 0.5, 0.25)
COMPOUND = (3.0, 1.5, 1.0, 0.75, 0.5, 0.25)
ACCIDENTALS = {-2: "ff", -1: "f", 0: "n", 1: "s", 2: "x"}


@dataclass(frozen=True)
class Item:
    """One printed note or rest (`note` None); `start` from the bar line."""

    start: float
    length: float
    note: Note | None
    continued: bool = False
    continues: bool = False


def bars_of(piece):
    """For every bar its notes and rests, cut at bar lines and into single note values."""
    bars = []
    for bar in range(piece.bars):
        begin, end = bar * piece.bar, (bar + 1) * piece.bar
        items, position = [], begin
        for note in piece.notes:
            if note.start + note.length <= begin or note.start >= end:
                continue
            start, stop = max(note.start, begin), min(note.start + note.length, end)
            if start > position:
                items += cut(piece, position - begin, start - position, None, False, False)
            items += cut(
                piece, start - begin, stop - start, note,
                note.start < begin, note.start + note.length > end,
            )  # fmt: skip
            position = stop
        if position < end:
            items += cut(piece, position - begin, end - position, None, False, False)
        bars.append(items)
    return bars


def cut(piece, start, length, note, continued, continues):
    """A length as printable values, tied where it is a note."""
    table = COMPOUND if piece.metre == "6/8" else VALUES
    pieces = []
    while length > 1e-9:
        value = next(v for v in table if v <= length + 1e-9)
        pieces.append((start, value))
        start, length = start + value, length - value
    if note is None and len(pieces) > 1:
        pieces.sort()
    return [
        Item(
            begin, value, note,
            continued=note is not None and (continued or index > 0),
            continues=note is not None and (continues or index < len(pieces) - 1),
        )
        for index, (begin, value) in enumerate(pieces)
    ]  # fmt: skip


def value(length):
    """(MEI duration, dots) of a printable length in crotchets."""
    base = {4.0: (1, 0), 3.0: (2, 1), 2.0: (2, 0), 1.5: (4, 1), 1.0: (4, 0)}
    return (base | {0.75: (8, 1), 0.5: (8, 0), 0.25: (16, 0)})[length]


def systems(piece, room):
    """Lists of bars, a phrase to a line where it fits; `room` is a line's capacity.

    A bar needs as much as its notes, a bar of rest little.
    """
    bars = bars_of(piece)
    weights = [
        max(1.4, sum(max(0.62, item.length**0.5) for item in bar if item.note)) for bar in bars
    ]
    groups = [list(range(s.bar, s.bar + s.bars)) for s in piece.sections]
    lines = []
    for group in groups:
        parts = 1
        while sum(weights[b] for b in group) / parts > room and parts < len(group):
            parts += 1
        size = -(-len(group) // parts)
        lines += [group[i : i + size] for i in range(0, len(group), size)]
    silent = {index for index, bar in enumerate(bars) if all(item.note is None for item in bar)}
    merged = [lines[0]]
    for line in lines[1:]:
        together = merged[-1] + line
        short = min(len(merged[-1]), len(line)) <= 2
        # A line of rests alone looks forgotten: what follows joins it, even if it is tight.
        slack = 1.4 if set(merged[-1]) <= silent else 1.12
        if short and sum(weights[b] for b in together) <= room * slack:
            merged[-1] = together
        else:
            merged.append(line)
    return merged


def pages(lines, first, later):
    """Systems by page: `first` on the first, `later` on others."""
    if len(lines) <= first:
        return [lines]
    out = [lines[:first]]
    rest = lines[first:]
    return out + [rest[i : i + later] for i in range(0, len(rest), later)]
