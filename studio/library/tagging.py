"""The words that somebody puts on files."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import transaction

from studio.accounts.models import User
from studio.library.models import FOLDED_LENGTH, TAG_LENGTH, Tag
from studio.library.words import folded

MOST = 20


def names(text: str) -> list[str]:
    """The tags in what somebody typed, with commas between them; at most twenty."""
    plain = "".join(char if char.isprintable() else " " for char in text.replace("，", ","))
    words = (" ".join(part.replace("#", " ").split())[:TAG_LENGTH] for part in plain.split(","))
    return list({folded(word): word for word in words if folded(word)}.values())[:MOST]


def add(user: User, names: Iterable[str], artifacts: Collection[int]) -> None:
    """A tag that is spelt a little differently already keeps its spelling."""
    with transaction.atomic():
        for name in names:
            key = folded(name)[:FOLDED_LENGTH]
            tag, _ = Tag.objects.get_or_create(user=user, folded=key, defaults={"name": name})
            tag.artifacts.add(*artifacts)


def remove(user: User, names: Iterable[str], artifacts: Collection[int]) -> None:
    """A tag that is on nothing any more is gone."""
    keys = [folded(name)[:FOLDED_LENGTH] for name in names]
    with transaction.atomic():
        for tag in Tag.objects.filter(user=user, folded__in=keys):
            tag.artifacts.remove(*artifacts)
            if not tag.artifacts.exists():
                tag.delete()
