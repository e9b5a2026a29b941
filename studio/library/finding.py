"""What is asked of the library, as its address says it, and the files that answer it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from typing import Any, Self
from urllib.parse import urlencode

from django.db import connection
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.utils.dateparse import parse_date
from django.utils.timezone import make_aware
from django.utils.translation import pgettext_lazy

from studio.accounts.models import User
from studio.artifacts.models import ArtifactQuerySet
from studio.library.models import Tag
from studio.library.words import indexed, wanted
from studio.projects.access import artifacts_of, projects_of

QUERY_CHARS = 200
YEARS = (1970, 2999)
KINDS = {
    "picture": (pgettext_lazy("kind", "Pictures"), "image", ("image", "svg")),
    "page": (pgettext_lazy("kind", "Pages"), "html", ("html",)),
    "video": (pgettext_lazy("kind", "Videos"), "video", ("video",)),
    "sound": (pgettext_lazy("kind", "Sound"), "audio", ("audio", "midi")),
    "document": (pgettext_lazy("kind", "Documents"), "pdf", ("pdf", "markdown", "text")),
    "data": (pgettext_lazy("kind", "Data"), "table", ("csv", "json")),
    "model": (pgettext_lazy("kind", "3D"), "model", ("model",)),
    "other": (pgettext_lazy("kind", "Other"), "file", ("zip", "font", "other")),
}


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for; empty fields ask for nothing."""

    q: str = ""
    kind: str = ""
    project: str = ""
    tag: str = ""
    starred: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> Self:
        """From an address, without what makes no sense in it."""
        given = {each.name: asked.get(each.name, "").strip()[:QUERY_CHARS] for each in fields(cls)}
        given = {name: value.replace("\0", "") for name, value in given.items()}
        if given["kind"] not in KINDS:
            given["kind"] = ""
        for name in ("since", "until"):
            day = _day(given[name])
            given[name] = day.isoformat() if day else ""
        given["starred"] = "1" if given["starred"] else ""
        return cls(**given)

    @property
    def address(self) -> str:
        """The query of this search's address, `?` included; empty when all is asked for."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        query = urlencode({name: value for name, value in given.items() if value})
        return f"?{query}" if query else ""

    @property
    def narrow(self) -> bool:
        return bool(self.address)

    def artifacts(self, user: User) -> ArtifactQuerySet:
        """What the user may see of that, newest first."""
        found = artifacts_of(user)
        if self.kind:
            found = found.filter(kind__in=KINDS[self.kind][2])
        if self.project:
            found = found.filter(project=self.project)
        if self.starred:
            found = found.filter(stars__user=user)
        if self.tag:
            found = found.filter(tags__user=user, tags__name=self.tag)
        if since := _day(self.since):
            found = found.filter(updated__gte=_begin(since))
        if until := _day(self.until):
            found = found.filter(updated__lt=_begin(until) + timedelta(days=1))
        return found.filter(_saying(self.q, user)) if self.q else found


def _saying(query: str, user: User) -> Q:
    """Files in which each word is: in their text, their project's title or a tag of the user's."""
    words = wanted(query)
    if not words:
        # Nothing but signs that no text is found by.
        return Q(pk=None)
    titles = _beginning(words, projects_of(user).values_list("pk", "title"))
    tags = _beginning(words, Tag.objects.filter(user=user).values_list("pk", "name"))
    found, plain = Q(), [word for word in words if not titles[word] and not tags[word]]
    if plain:
        found &= Q(pk__in=_having(plain))
    for word in words:
        if word not in plain:
            tagged = Tag.artifacts.through.objects.filter(tag__in=tags[word]).values("artifact")
            of_title = Q(project__in=titles[word])
            found &= Q(pk__in=_having([word])) | of_title | Q(pk__in=tagged)
    return found


def _beginning(words: list[str], rows: Any) -> dict[str, list]:
    """Of each word the keys of the rows in whose text it begins a word."""
    texts = [(key, indexed(text)) for key, text in rows]
    return {
        word: [key for key, text in texts if any(each.startswith(word) for each in text)]
        for word in words
    }


def _having(words: list[str]) -> RawSQL:
    """The keys of the artifacts whose entries have all of these; they are letters and digits."""
    if connection.vendor == "sqlite":
        asked = " ".join(f'"{word}"*' for word in words)
        return RawSQL("SELECT rowid FROM library_words WHERE library_words MATCH %s", [asked])
    asked = " & ".join(f"'{word}':*" for word in words)
    return RawSQL(
        "SELECT artifact_id FROM library_entry "
        "WHERE array_to_tsvector(string_to_array(words, ' ')) @@ %s::tsquery",
        [asked],
    )


def _day(text: str) -> date | None:
    try:
        day = parse_date(text)
    except ValueError:
        return None
    return day if day and YEARS[0] <= day.year <= YEARS[1] else None


def _begin(day: date) -> datetime:
    return make_aware(datetime.combine(day, time()))
