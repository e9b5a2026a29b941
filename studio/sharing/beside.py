"""The files that a page needs beside itself, found by their names in its text.

Somebody who shares one page means the page with its styles, scripts, pictures and data, and none
of the other files. What a script puts together from pieces (`"data/" + year`) is not found: such a
page is shared with its project, or made self-contained first.
"""

from __future__ import annotations

import html
import logging
import posixpath
import re
from urllib.parse import unquote

from django.core.cache import cache
from django.db.models import Max
from redis.exceptions import RedisError

from studio.artifacts.granted import wanted_version
from studio.artifacts.links import Moment
from studio.artifacts.models import PATH_LENGTH, Artifact, Version
from studio.inspections.queue import REFERRING
from studio.media import store

logger = logging.getLogger(__name__)

# What names other files in plain text.
TELLING = {*REFERRING, "text", "json", "csv"}
# Of the page and all that it names together.
READ_BYTES = 8 << 20
QUOTES = re.compile(r"""["'`<>\r\n?#]""")
ENDS = re.compile(r"""["'`<>\s?#(){}\[\],;=]""")
KEPT_SECONDS = 3600


def beside(page: Version) -> frozenset[str]:
    """The paths of the files that a page names, and that those name in turn."""
    if page.artifact.kind not in REFERRING:
        return frozenset()
    project = page.artifact.project_id
    # What a run writes better later is the same version, of another time.
    versions = Version.objects.filter(artifact__project=project)
    newest = versions.aggregate(Max("created"))["created__max"]
    key = f"beside:{page.pk}:{newest.timestamp()}"
    try:
        known: frozenset[str] | None = cache.get(key)
        if known is None:
            cache.set(key, known := frozenset(found(page)), KEPT_SECONDS)
    except RedisError as error:
        logger.warning("What lies beside a page is not kept: %s", error)
        return frozenset(found(page))
    return known


def found(page: Version) -> set[str]:
    artifact = page.artifact
    others = Artifact.objects.filter(project=artifact.project_id).exclude(pk=artifact.pk)
    kinds = dict(others.values_list("path", "kind"))
    then = Moment(artifact.project_id, page.pk)
    named: set[str] = set()
    unread, left = [page], READ_BYTES
    while unread and left > 0:
        version = unread.pop(0)
        said = beginning(version, left)
        left -= len(said)
        said_names = names(said.decode("utf-8", "replace"))
        # A style's names begin at the style, most of a script's at the page.
        bases = {posixpath.dirname(each.artifact.path) or "." for each in (page, version)}
        for path in kinds.keys() - named:
            if not said_names.isdisjoint(posixpath.relpath(path, base) for base in bases):
                named.add(path)
                if kinds[path] in TELLING and (other := wanted_version(then, path, "")):
                    unread.append(other)
    return named


def beginning(version: Version, most: int) -> bytes:
    size = store().size(version.digest) or 0
    return b"".join(store().part(version.digest, 0, min(size, most)))


def names(said: str) -> set[str]:
    """All that may be the path of a file in a text, as it is written and as browsers read it."""
    written = said.replace("\\/", "/")
    # A name between quotes may have anything in it; others end with what no name has.
    parts = {*QUOTES.split(written), *ENDS.split(written)} - {""}
    parts |= {html.unescape(unquote(part)) for part in parts if "%" in part or "&" in part}
    return {posixpath.normpath(part) for part in parts if len(part) <= PATH_LENGTH}
