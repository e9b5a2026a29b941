"""Files that lie in the database and the store as if a run had made and somebody inspected them.

python -m tests.browser.seeding COUNT      a project of the first user with so many pictures
python -m tests.browser.seeding POINT…     what came of these starting points
"""

from __future__ import annotations

import base64
import io
import os
import sys
import wave
from datetime import timedelta
from functools import cache

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")
django.setup()

from django.db import transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from PIL import Image, ImageDraw  # noqa: E402

from agent.store import Blob  # noqa: E402
from studio.accounts import house  # noqa: E402
from studio.accounts.models import User  # noqa: E402
from studio.artifacts.keeping import keep_version  # noqa: E402
from studio.artifacts.models import Artifact, Version  # noqa: E402
from studio.inspections.models import Inspection, Preview, Role, State  # noqa: E402
from studio.media import store  # noqa: E402
from studio.projects.models import Project  # noqa: E402
from studio.runs.models import Run, Status  # noqa: E402
from studio.sharing.models import Share  # noqa: E402
from studio.starting.catalogue import Point, points  # noqa: E402
from studio.starting.models import Result  # noqa: E402

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


@cache
def silence(seconds: int) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setparams((1, 1, 8000, 0, "NONE", ""))
        file.writeframes(b"\x80" * 8000 * seconds)
    return buffer.getvalue()


def ended(project: Project, prompt: str) -> Run:
    return Run.objects.create(
        project=project,
        number=1,
        prompt=prompt,
        status=Status.ENDED,
        reason="submitted",
        ended=timezone.now(),
    )


def keep(run: Run, path: str, look: int, data: bytes = b"", **found: object) -> Version:
    """A file of a run, by itself a picture; another one has that picture to show for it."""
    size = SIZES[look % len(SIZES)]
    picture = jpeg(size, look)
    poster = store().put([picture])
    stored = store().put([data]) if data else poster
    blob = Blob(stored.digest, len(data or picture))
    version, inspection = keep_version(run.project_id, path, blob, run=run)
    assert inspection
    measures = {"width": 2 * size[0], "height": 2 * size[1], "blur": blur(size, look)}
    Inspection.objects.filter(pk=inspection.pk).update(
        state=State.DONE, verdict="passed", **measures | found
    )
    Preview.objects.create(
        inspection=inspection, role=Role.POSTER, digest=poster.digest, size=len(picture)
    )
    return version


def seed(count: int) -> Project:
    owner = User.objects.order_by("pk").first()
    assert owner
    project = Project.objects.create(owner=owner, title="A book of pictures")
    run = ended(project, "Pictures for every week of the year")
    for number in range(count):
        path = f"{NAMES[number % len(NAMES)]}-{number:03}.jpg"
        version = keep(run, path, number % (len(SIZES) * len(COLOURS)))
        made = timezone.now() - timedelta(hours=5 * number)
        Artifact.objects.filter(pk=version.artifact_id).update(updated=made)
    return project


def seed_result(point: Point) -> Project:
    """A sound and a picture."""
    project = Project.objects.create(owner=house.house(), title=point.title)
    run = ended(project, point.filled({}))
    keep(run, "sheet.jpg", 1)
    keep(run, "piece.wav", 2, silence(1), seconds=1)
    share = Share(project=project)
    share.give_token()
    share.save()
    Result.objects.create(point=point.key, digest=point.digest, project=project, share=share)
    return project


if __name__ == "__main__":
    with transaction.atomic():
        if sys.argv[1].isdecimal():
            print(seed(int(sys.argv[1])).pk)
        for point in points():
            if point.key in sys.argv[1:]:
                print(seed_result(point).pk)
