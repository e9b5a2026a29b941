"""Make what the starting points show: real runs of the built-in recipes, one at a time.

They are made when nobody has asked for anything, and give way to whoever has.
"""

from __future__ import annotations

import logging

from django.db import IntegrityError, transaction

from studio.accounts import house
from studio.endpoints import choices
from studio.media import store
from studio.projects.requests import BadRequest, add_inputs, begin_project
from studio.runs import stopping
from studio.runs.models import ACTIVE, Run, Status
from studio.sharing.models import Share
from studio.starting.catalogue import Point, points
from studio.starting.models import Result

logger = logging.getLogger(__name__)


def step() -> Point | None:
    """Begin the next result that is missing, if nothing else is being made; which one it is."""
    active = Run.objects.filter(status__in=ACTIVE)
    ours = active.filter(project__owner__username=house.NAME).first()
    others = active.exclude(project__owner__username=house.NAME)
    if ours:
        if others.filter(status=Status.QUEUED).exists():
            stopping.stop(ours)
        return None
    if others.exists():
        return None
    clear()
    point = next(iter(missing()), None)
    return point if point and begin(point) else None


def missing() -> list[Point]:
    """What nobody has tried to make yet, one of each kind before the second of any."""
    tried = dict(Result.objects.values_list("point", "digest"))
    ranks: dict[str, int] = {}
    ordered = []
    for point in points():
        group = f"{point.language} {point.kind}"
        ranks[group] = ranks.get(group, -1) + 1
        ordered.append((ranks[group], point))
    ordered.sort(key=lambda each: each[0])
    return [point for _, point in ordered if tried.get(point.key) != point.digest]


def begin(point: Point) -> bool:
    """Queue the run of a point; False if that can't be or somebody else has done it."""
    try:
        with transaction.atomic():
            asked = point.filled({})
            project = begin_project(house.house(), asked, [], model=choices.RECIPES).project
            project.title = point.title
            project.save(update_fields=["title"])
            give_table(project, point)
            share = Share(project=project)
            share.give_token()
            share.save()
            Result.objects.create(
                point=point.key, digest=point.digest, project=project, share=share
            )
    except (BadRequest, IntegrityError) as problem:
        logger.warning("The starting point %s is not made: %s", point.key, problem)
        return False
    logger.info("The starting point %s is being made", point.key)
    return True


def give_table(project, point: Point) -> None:
    """The point's example among the project's own files, if there is one."""
    if point.table:
        blob = store().put([point.read_table()])
        add_inputs(project, [(point.table, blob)])


def clear() -> None:
    """Remove what is asked for differently now, or not any more, and what was given up."""
    wanted = {point.key: point.digest for point in points()}
    given_up = set(Result.objects.stopped().values_list("pk", flat=True))
    for result in Result.objects.select_related("project"):
        if wanted.get(result.point) != result.digest or result.pk in given_up:
            result.project.delete()


def forget_failures() -> None:
    """Remove what was tried in vain, so that it is tried again."""
    for result in Result.objects.exclude(pk__in=Result.objects.good()).select_related("project"):
        if not result.project.busy:
            result.project.delete()
