"""Which files wait to be looked into, and telling the inspectors of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from studio.artifacts.models import Artifact, Version
from studio.inspections import tasks
from studio.inspections.asked import kinds_meant
from studio.inspections.models import OPEN, PATIENCE, Inspection, Preview, State, Text
from studio.projects.models import Input
from studio.runs.models import Run

# The broker may still have the message: sending it again is harmless, but not every few seconds.
RESEND = timedelta(seconds=60)
# How these look, and what is wrong with them, depends on the files beside them, too.
REFERRING = ("html", "svg", "markdown", "model")
# Findings that tell a file from what was asked for: true of it in one run only.
AGAINST_REQUEST = {
    "wrong_seconds": "seconds",
    "wrong_size": "size",
    "wrong_paper": "paper",
    "no_bleed": "bleed",
}
COPIED = ("verdict", "media_type", "facts", "findings", "width", "height", "seconds", "blur")
COPIED_PREVIEW = ("role", "digest", "size", "width", "height", "frames")


def expect_version(version: Version) -> Inspection:
    """The inspection of a version's bytes, which are new there; it waits unless they are known.

    To be called in the transaction that writes the version. What was found in other bytes of the
    same version goes.
    """
    Inspection.objects.filter(version=version).delete()
    known = _known(version)
    if known is not None:
        return copy(known, version)
    offer()
    return Inspection.objects.create(version=version, lease_until=Now() + RESEND)


def expect_input(file: Input) -> Inspection:
    """The inspection of a file that the owner gave; in the transaction that writes it."""
    offer()
    return Inspection.objects.create(input=file, lease_until=Now() + RESEND)


def offer() -> None:
    """Tell the inspectors, when the transaction is through, that files wait."""
    transaction.on_commit(tasks.send)


def of_project(project_id: str, prefix: str = "") -> Q:
    """Inspections of a project's files, or rows with one behind `prefix`."""
    made, given = f"{prefix}version__artifact__project", f"{prefix}input__project"
    return Q(**{made: project_id}) | Q(**{given: project_id})


def open_in(run: Run) -> int:
    """How many of a run's files are being inspected, or will be soon."""
    recent = Inspection.objects.filter(created__gt=timezone.now() - PATIENCE)
    return recent.filter(version__run=run, state__in=OPEN).count()


def look_again(run: Run) -> None:
    """Inspect once more what the end of a run makes doubtful; what was found stays until then.

    That are pages and the like which were looked into before a file beside them was there, and
    files that were measured by the request as if they were the only ones of their kind.
    """
    doubtful = _seen_too_early(run) | _measured_as_the_only_one(run)
    again = Inspection.objects.filter(pk__in=doubtful).exclude(state=State.WAITING)
    changed = again.update(
        state=State.WAITING, claim=None, lease_until=Now() + RESEND, tries=0, created=Now()
    )
    if changed:
        offer()


def _seen_too_early(run: Run) -> set[int]:
    shown = Artifact.objects.filter(project=run.project_id, removed=False, kind__in=REFERRING)
    found: set[int] = set()
    # Of the two newest files one at least is not the page itself.
    for artifact, created in run.versions.order_by("-created").values_list("artifact", "created")[
        :2
    ]:
        pages = shown.exclude(pk=artifact).values("latest")
        found |= _keys(Inspection.objects.filter(version__in=pages, created__lte=created))
    return found


def _measured_as_the_only_one(run: Run) -> set[int]:
    meant = kinds_meant(run)
    found = Inspection.objects.filter(version__run=run)
    return {
        key
        for key, kind, findings in found.values_list("pk", "version__artifact__kind", "findings")
        if any(meant.get(name) != kind for name in _against_request(findings))
    }


def _keys(inspections: QuerySet[Inspection]) -> set[int]:
    return set(inspections.values_list("pk", flat=True))


def _against_request(findings: list[dict[str, str]]) -> list[str]:
    """What of the request the findings are about."""
    return [AGAINST_REQUEST[each["code"]] for each in findings if each["code"] in AGAINST_REQUEST]


def _known(version: Version) -> Inspection | None:
    """What was found in the same bytes at the same place, if it holds for them still."""
    if version.artifact.kind in REFERRING:
        return None
    same = Inspection.objects.filter(
        version__artifact=version.artifact, version__digest=version.digest, state=State.DONE
    )
    return next((item for item in same if not _against_request(item.findings)), None)


def copy(known: Inspection, version: Version) -> Inspection:
    """What was found holds for the same bytes elsewhere, too."""
    (inspection,) = inherit([(known, version)])
    return inspection


def inherit(copies: Iterable[tuple[Inspection | None, Version | Input]]) -> list[Inspection]:
    """The inspections of copies of files, with what was found in these; where that is not known
    yet the copy waits.
    """
    rows, new = [], {}
    for known, copy in copies:
        row = Inspection(**{"version" if isinstance(copy, Version) else "input": copy})
        if known:
            row.state = State.DONE
            for name in COPIED:
                setattr(row, name, getattr(known, name))
            new[known.pk] = row
        else:
            row.lease_until = Now() + RESEND
        rows.append(row)
    Inspection.objects.bulk_create(rows)
    Preview.objects.bulk_create(
        Preview(
            inspection=new[preview.inspection_id],
            **{name: getattr(preview, name) for name in COPIED_PREVIEW},
        )
        for preview in Preview.objects.filter(inspection__in=new)
    )
    Text.objects.bulk_create(
        Text(inspection=new[text.pk], text=text.text)
        for text in Text.objects.filter(inspection__in=new)
    )
    if len(new) < len(rows):
        offer()
    return rows
