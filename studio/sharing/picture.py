"""The picture that stands for a share: beside links to it on other sites, and in the gallery."""

from __future__ import annotations

from collections.abc import Sequence

from studio.artifacts.kinds import VISUAL
from studio.artifacts.models import Artifact
from studio.inspections.models import Preview, Role

# The first that there is: older files have a poster only.
ROLES = (Role.WIDE, Role.POSTER)


def of(files: Sequence[Artifact]) -> Preview | None:
    """What shows the first of these files that can be seen, or else can be shown at all."""
    order = [file.latest_id for file in sorted(files, key=lambda file: file.kind not in VISUAL)]
    previews = Preview.objects.filter(inspection__version__in=order, role__in=ROLES)
    found = list(previews.select_related("inspection__version"))
    return min(
        found,
        key=lambda each: (order.index(each.inspection.version_id), ROLES.index(Role(each.role))),
        default=None,
    )
