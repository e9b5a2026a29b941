"""Findings put into a request that mends them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from studio.artifacts.models import Artifact
from studio.inspections import wording
from studio.inspections.models import Inspection

MENDED = ("fail", "warn")
FINDINGS = 20
FINDING_CHARS = 500


def request_for(artifact: Artifact, inspection: Inspection) -> str:
    """A request in the reader's language to mend what was found in a file; empty if nothing was."""
    remarks = [each for each in wording.remarks(inspection.findings) if each.level in MENDED]
    # What is broken comes first: there is no room for a thousand complaints.
    lines = [" ".join(each.text.split())[:FINDING_CHARS] for each in remarks[:FINDINGS]]
    if not lines:
        return ""
    asked = _("Please mend %(name)s. Looking into it found:") % {"name": artifact.path}
    keep = _("Change nothing else in it.")
    return "\n".join([asked, *(f"- {line}" for line in lines), "", keep])
