"""Long lists, a page at a time: a cursor says what the last one ended with.

Other than an offset it misses nothing and shows nothing twice when something comes or goes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from ninja import P, QueryEx, Schema
from pydantic import Field

from studio.api.problems import Refused

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)

Limit = QueryEx[int, P(ge=1, le=100, description="How many at most.")]
Cursor = QueryEx[str, P(max_length=300, description="The `next` of the page before.")]


class Page(Schema, Generic[T]):
    """One page of a list."""

    items: list[T]
    next: str | None = Field(description="The cursor of the next page; null on the last one.")


def page(
    rows: QuerySet[Row], order: Sequence[str], cursor: str, limit: int
) -> tuple[list[Row], str | None]:
    """The rows after the cursor, newest first, and the cursor for what follows.

    `order` names the fields that decide, all of them falling; together they are unique.

    Raises:
        Refused: the cursor is not one of this list.
    """
    salt = f"studio.api {rows.model.__name__} {' '.join(order)}"
    if cursor:
        try:
            values = json.loads(signing.loads(cursor, salt=salt))
        except signing.BadSignature:
            told = _("This cursor is not one of this list. Begin without one.")
            raise Refused("bad_cursor", told) from None
        rows = rows.filter(_after(rows, order, values))
    found = list(rows.order_by(*(f"-{name}" for name in order))[: limit + 1])
    if len(found) <= limit:
        return found, None
    last = [getattr(found[limit - 1], name) for name in order]
    return found[:limit], signing.dumps(json.dumps(last, default=str), salt=salt)


def _after(rows: QuerySet[Row], order: Sequence[str], values: Sequence[Any]) -> Q:
    fields = {field.name: field for field in rows.query.get_meta().concrete_fields}
    read = [fields[name].to_python(value) for name, value in zip(order, values, strict=True)]
    wanted = Q()
    for place, name in enumerate(order):
        same = dict(zip(order[:place], read[:place], strict=True))
        wanted |= Q(**same, **{f"{name}__lt": read[place]})
    return wanted
