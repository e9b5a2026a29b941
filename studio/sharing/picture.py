"""The picture that stands for a share: beside links to it on other sites, and in the gallery."""

from __future__ import annotations

from collections.abc import Sequence

from studio.artifacts.kinds import VISUAL
from studio.artifacts.models import Artifact
from studio.inspections.models import Preview, Role

# The first that there is: older files have a poster only.
ROLES = (Role.WIDE, Role.POSTER)
# Nearly always it is among the first files.
BATCH = 200


def of(files: Sequence[Artifact]) -> Preview | None:
    """What shows the first of these files that can be seen, or else can be shown at all."""
    order = [file.latest_id for file in sorted(files, key=lambda file: file.kind not in VISUAL)]
    for begin in range(0, len(order), BATCH):
        some = order[begin : begin + BATCH]
        previews = Preview.objects.filter(inspection__version__in=some, role__in=ROLES)
        if found := list(previews.select_related("inspection__version")):
            return min(
                found,
                key=lambda each: (
                    some.index(each.inspection.version_id),
                    ROLES.index(Role(each.role)),
                ),
            )
    return None
