"""Findings put into a request that mends them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from studio.artifacts.models import Artifact
from studio.inspections.models import Inspection

FINDINGS = 20
FINDING_CHARS = 500


def request_for(artifact: Artifact, inspection: Inspection) -> str:
    """A request in the reader's language to mend what was found in a file; empty if nothing was."""
    found = [each for each in inspection.findings if each.get("level") in ("fail", "warn")]
    # What is broken first: there is no room for a thousand complaints.
    found.sort(key=lambda each: each["level"] != "fail")
    lines = [" ".join(str(each["text"]).split())[:FINDING_CHARS] for each in found[:FINDINGS]]
    if not lines:
        return ""
    asked = _("Please mend %(name)s. Looking into it found:") % {"name": artifact.path}
    keep = _("Change nothing else in it.")
    return "\n".join([asked, *(f"- {line}" for line in lines), "", keep])
