"""Tables: their first rows and columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from html import escape
from itertools import zip_longest

from previews import Subject, Unreadable
from previews.poster import poster
from previews.screen import typeset
from previews.text import beginning

ROWS, COLUMNS, CHARACTERS = 14, 8, 28
SECONDS = 20
NUMBER = re.compile(r"[-+]?[\d.,\s]*\d\s*%?")


def show(subject: Subject) -> Iterator[dict]:
    rows = first_rows(subject)
    if not rows:
        raise Unreadable("no rows")
    # A heading stands where its column's numbers stand.
    numbers = [bool(NUMBER.fullmatch(cell)) for cell in rows[min(1, len(rows) - 1)]]
    html = "".join(cells(row, numbers, "td" if n else "th") for n, row in enumerate(rows))
    body = f"<table>{html}</table>"
    image = typeset(subject.path.parent, body, min(SECONDS, subject.seconds))
    yield poster(image, subject.into)


def first_rows(subject: Subject) -> list[list[str]]:
    text = beginning(subject)
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:4000], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        rows = [row for row in csv.reader(text.splitlines(), dialect) if row]
    except csv.Error as error:
        raise Unreadable(str(error)) from None
    return [row[:COLUMNS] for row in rows[:ROWS]]


def cells(row: list[str], numbers: list[bool], name: str) -> str:
    """One row as HTML."""
    return "<tr>{}</tr>".format(
        "".join(
            f"<{name}{' class=number' * number}>{escape(cell[:CHARACTERS])}</{name}>"
            for cell, number in zip_longest(row, numbers[: len(row)], fillvalue=False)
        )
    )
