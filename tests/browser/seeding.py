"""python -m tests.browser.seeding COUNT: gives the first user a project with so many pictures.

They lie in the database and the store as if a run had made them and somebody had inspected them.
"""

from __future__ import annotations

import base64
import io
import os
import sys
from datetime import timedelta
from functools import cache

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
django.setup()

from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402

from agent.store import Blob  # noqa: E402
from studio.accounts.models import User  # noqa: E402
from studio.artifacts.keeping import keep_version  # noqa: E402
from studio.artifacts.models import Artifact  # noqa: E402
from studio.inspections.models import Inspection, Preview, Role, State  # noqa: E402
from studio.media import store  # noqa: E402
from studio.projects.models import Project  # noqa: E402
from studio.runs.models import Run, Status  # noqa: E402

SIZES = ((640, 426), (426, 640), (640, 640), (640, 360), (480, 640))
NAMES = ("harbour", "京都地图", "poster", "spring", "night-sky", "menu")
COLOURS = ("#274690", "#c0392b", "#2a9d8f", "#e9c46a", "#6d597a", "#f4a261", "#1d3557")


@cache
def jpeg(size: tuple[int, int], number: int) -> bytes:
    image = Image.new("RGB", size, COLOURS[number % len(COLOURS)])
    draw, (width, height) = ImageDraw.Draw(image), size
    for step in range(5):
        side = (5 - step) * min(size) // 12
        middle = (width * (2 + number % 5) // 8, height // 2)
        box = (middle[0] - side, middle[1] - side, middle[0] + side, middle[1] + side)
        draw.ellipse(box, fill=COLOURS[(number + step + 1) % len(COLOURS)])
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=80)
    return buffer.getvalue()


@cache
def blur(size: tuple[int, int], number: int) -> str:
    small = Image.open(io.BytesIO(jpeg(size, number)))
    small.thumbnail((24, 24))
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=50)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode()


def seed(count: int) -> Project:
    owner = User.objects.order_by("pk").first()
    assert owner
    project = Project.objects.create(owner=owner, title="A book of pictures")
    run = Run.objects.create(
        project=project,
        number=1,
        prompt="Pictures for every week of the year",
        status=Status.ENDED,
        reason="submitted",
        ended=timezone.now(),
    )
    for number in range(count):
        size, look = SIZES[number % len(SIZES)], number % (len(SIZES) * len(COLOURS))
        data = jpeg(size, look)
        stored = store().put([data])
        path = f"{NAMES[number % len(NAMES)]}-{number:03}.jpg"
        version, found = keep_version(project.pk, path, Blob(stored.digest, len(data)), run=run)
        assert found
        Inspection.objects.filter(pk=found.pk).update(
            state=State.DONE,
            verdict="passed",
            width=2 * size[0],
            height=2 * size[1],
            blur=blur(size, look),
        )
        Preview.objects.create(
            inspection=found, role=Role.POSTER, digest=stored.digest, size=len(data)
        )
        made = timezone.now() - timedelta(hours=5 * number)
        Artifact.objects.filter(pk=version.artifact_id).update(updated=made)
    return project


if __name__ == "__main__":
    with transaction.atomic():
        print(seed(int(sys.argv[1])).pk)
