"""What lies beside files that were taken away: what was asked for, and what was found in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from django.db.models import QuerySet
from django.template.defaultfilters import date, filesizeformat
from django.utils.translation import gettext, ngettext

from studio.artifacts.models import Version
from studio.inspections.models import Inspection, State, Verdict
from studio.inspections.wording import remarks
from studio.runs.models import Run

# What would begin a link, a picture, HTML or emphasis somewhere in a line.
SPECIAL = re.compile(r"([\\`*_\[\]<>&|~#])")


def readme(title: str, files: Iterable[tuple[str, Version]], asked: Iterable[str]) -> str:
    """Markdown in the reader's language about files as they are named here, and with the lines of
    what was asked for, if there are any.
    """
    asked = [*asked]
    return "\n".join(
        [
            f"# {text(title)}",
            "",
            *([f"## {gettext('Requests')}", "", *asked] if asked else ()),
            f"## {gettext('Files')}",
            "",
            *(line for name, version in files for line in about(name, version)),
            "",
        ]
    )


def bundle_readme(files: Iterable[tuple[str, Version]]) -> str:
    """Markdown about files of several projects, which come one project after the other."""
    lines = [f"# {gettext('Files')}"]
    for project, group in groupby(files, lambda file: file[1].artifact.project):
        lines += ["", f"## {text(project.title)}", ""]
        lines += (line for name, version in group for line in about(name, version))
    return "\n".join([*lines, ""])


def requests(runs: QuerySet[Run], *, answers: bool = True) -> Iterator[str]:
    """The lines of what was asked for, and of the `answers`."""
    for run in runs.iterator(chunk_size=50):
        yield f"### {run.number} · {date(run.created, 'Y-m-d H:i')} UTC"
        yield ""
        for line in run.prompt.splitlines():
            yield f"> {text(line)}".rstrip()
        yield ""
        if answers and (told := run.summary or run.message):
            yield from (text(line) for line in told.splitlines())
            yield ""


def about(name: str, version: Version) -> Iterator[str]:
    number = gettext("version {number}").format(number=version.number)
    size = filesizeformat(version.size).replace("\xa0", " ")
    yield f"- **{text(name)}** · {number} · {size} · {checked(version)}"
    for finding in findings(version):
        yield f"    - {text(finding)}"


def inspection(version: Version) -> Inspection | None:
    found: Inspection | None = getattr(version, "inspection", None)
    return found if found and found.state == State.DONE else None


def checked(version: Version) -> str:
    found = inspection(version)
    if found is None or found.verdict == Verdict.UNKNOWN:
        return gettext("not checked")
    count = len(found.findings)
    if not count:
        return gettext("checked, nothing found")
    return ngettext("checked, {count} finding", "checked, {count} findings", count).format(
        count=count
    )


def findings(version: Version) -> list[str]:
    found = inspection(version)
    return [remark.text for remark in remarks(found.findings)] if found else []


def text(line: str) -> str:
    """A line that Markdown shows as it is."""
    plain = "".join(char if char.isprintable() else " " for char in line)
    return SPECIAL.sub(r"\\\1", plain)
