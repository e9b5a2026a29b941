"""The end of an inspection: what was found is kept, and told to whoever watches the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from studio.inspections import claims
from studio.inspections.claims import Claim
from studio.inspections.models import Inspection, Preview, State, Text, Verdict
from studio.runs import journal
from studio.runs.models import Run


@dataclass(frozen=True, slots=True)
class GivenUp:
    """Why nobody knows what is in a file: `code` has its words in `studio.inspections.wording`."""

    code: str
    text: str


TOO_SLOW = GivenUp("inspection_too_slow", "looking into it took too long")
TOO_MUCH_MEMORY = GivenUp("inspection_out_of_memory", "looking into it took too much memory")
TOO_LARGE = GivenUp("inspection_too_large", "it is too large to be looked into")
BROKEN = GivenUp("inspection_broken", "it could not be looked into")

# What is known of a file before anybody has looked into it.
BLANK: Mapping[str, Any] = {
    "verdict": Verdict.UNKNOWN,
    "media_type": "",
    "facts": {},
    "findings": [],
    "width": None,
    "height": None,
    "seconds": None,
    "blur": "",
}


def give_up(claim: Claim, why: GivenUp) -> bool:
    """Nobody tries again; False if the claim is lost."""
    finding = {"level": "unknown", "code": why.code, "text": why.text, "values": {}}
    found = {"verdict": Verdict.UNKNOWN, "findings": [finding]}
    return keep(claim, State.GIVEN_UP, found, [])


def keep(
    claim: Claim,
    state: State,
    found: Mapping[str, Any],
    previews: Sequence[Preview],
    text: str = "",
) -> bool:
    """Write fields, previews, whose bytes are stored, the file's text and the event.

    False if the claim is lost.
    """
    with transaction.atomic():
        of_run = Run.objects.filter(versions__inspection=claim.inspection)
        # First the run, then its files: whoever saves a file locks in this order, too.
        list(of_run.select_for_update())
        over = {"state": state, "claim": None, "lease_until": None}
        if not claims.held(claim).update(**{**BLANK, **found, **over}):
            return False
        Preview.objects.filter(inspection=claim.inspection).delete()
        for preview in previews:
            preview.inspection_id = claim.inspection
        Preview.objects.bulk_create(previews)
        Text.objects.filter(inspection=claim.inspection).delete()
        if text.strip():
            Text.objects.create(inspection_id=claim.inspection, text=text)
        inspection = Inspection.objects.select_related("version__artifact").get(pk=claim.inspection)
        version = inspection.version
        if version is not None and version.run_id is not None:
            journal.inspected(version.run_id, journal.found(version, inspection))
    return True
