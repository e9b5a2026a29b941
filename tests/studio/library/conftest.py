"""Many files at once, without the runs that would make them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from studio.accounts.models import User
from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Inspection, Preview, Role, State
from studio.projects.models import Project

# As long as inspections write them for a photograph.
BLUR = "data:image/jpeg;base64," + "A" * 900
DIGEST = "d" * 64


@pytest.fixture
def fill(db) -> Callable[..., Project]:
    """Makes a project with inspected pictures, a minute apart, the first one the newest."""

    def filled(owner: User, count: int, newest: datetime | None = None) -> Project:
        project = Project.objects.create(owner=owner, title="Holidays")
        newest = newest or timezone.now()
        files = Artifact.objects.bulk_create(
            Artifact(
                project=project,
                path=f"pictures/photo-{number:04}.png",
                kind="image",
                updated=newest - timedelta(minutes=number),
            )
            for number in range(count)
        )
        versions = Version.objects.bulk_create(
            Version(
                artifact=file,
                number=1,
                digest=DIGEST,
                size=123_456,
                media_type="image/png",
                created=newest,
            )
            for file in files
        )
        for file, version in zip(files, versions, strict=True):
            file.latest = version
        Artifact.objects.bulk_update(files, ["latest"], batch_size=500)
        found = Inspection.objects.bulk_create(
            Inspection(version=version, state=State.DONE, width=1920, height=1080, blur=BLUR)
            for version in versions
        )
        Preview.objects.bulk_create(
            Preview(inspection=each, role=Role.POSTER, digest=DIGEST, size=9) for each in found
        )
        return project

    return filled
