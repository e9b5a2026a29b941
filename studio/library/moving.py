"""Files moved from their projects into another one."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from agent.store import Blob
from studio.accounts.models import User
from studio.artifacts import trash
from studio.artifacts.keeping import keep_version
from studio.artifacts.models import Artifact, Version
from studio.library.models import Star, Tag
from studio.projects import quota
from studio.projects.models import Project
from studio.projects.requests import NoRoom
from studio.projects.uploads import unique_name


def move(user: User, newest: Sequence[Version], target: Project) -> list[Artifact]:
    """Make files of these versions in a project, and put those they are of into the trash.

    They keep the user's tags and star. Older versions stay where they were.

    Raises:
        NoRoom: the files of the project's owner would take more than they may.
    """
    with transaction.atomic():
        blobs = [Blob(version.digest, version.size) for version in newest]
        if problem := quota.no_room(target.owner_id, blobs, own=target.is_own):
            raise NoRoom(problem)
        # Nobody else takes the same path meanwhile.
        Project.objects.select_for_update().get(pk=target.pk)
        taken = set(target.artifacts.values_list("path", flat=True))
        moved = []
        for version, blob in zip(newest, blobs, strict=True):
            path = unique_name(version.artifact.path, taken)
            taken.add(path)
            there, _ = keep_version(target.pk, path, blob, source=version)
            for tag in Tag.objects.filter(user=user, artifacts=version.artifact):
                tag.artifacts.add(there.artifact)
            if Star.objects.filter(user=user, artifact=version.artifact).exists():
                Star.objects.create(user=user, artifact=there.artifact)
            moved.append(there.artifact)
        trash.discard(Artifact.objects.filter(latest__in=newest))
        return moved
