"""Keeps the words of each file as they are: its name, the requests that made it, what it says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models.signals import post_save

from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Text
from studio.library.models import Entry
from studio.library.words import indexed
from studio.projects.duplicating import files_copied

PROMPT_CHARS = 20_000
BATCH = 200


def connect() -> None:
    """Follow what other apps write; these know nothing of the library."""
    post_save.connect(_saved, sender=Artifact, dispatch_uid="library.saved")
    post_save.connect(_read, sender=Text, dispatch_uid="library.read")
    files_copied.connect(_copied, dispatch_uid="library.copied")


def _saved(instance: Artifact, update_fields: Collection[str] | None, **kwargs) -> None:
    if update_fields and "latest" in update_fields:
        index([instance.pk])


def _read(instance: Text, **kwargs) -> None:
    index(Artifact.objects.filter(latest=instance.inspection.version).values_list("pk", flat=True))


def _copied(files: Collection[Artifact], **kwargs) -> None:
    index([file.pk for file in files])


def index(keys: Iterable[int]) -> None:
    """Write the words of these artifacts anew."""
    artifacts = Artifact.objects.filter(pk__in=list(keys))
    made = Version.objects.filter(artifact__in=artifacts, run__isnull=False)
    prompts = defaultdict(list)
    for key, prompt in made.order_by("run__number").values_list("artifact", "run__prompt"):
        prompts[key].append(prompt)
    read = Text.objects.filter(inspection__version__in=artifacts.values("latest"))
    texts: dict[int | None, str] = dict(read.values_list("inspection__version", "text"))
    entries = []
    for artifact in artifacts:
        asked = " ".join(prompts[artifact.pk])[:PROMPT_CHARS]
        words = indexed(f"{artifact.path}\n{asked}\n{texts.get(artifact.latest_id, '')}")
        entries.append(Entry(artifact=artifact, words=" ".join(sorted(words))))
    Entry.objects.bulk_create(
        entries, update_conflicts=True, unique_fields=["artifact"], update_fields=["words"]
    )


def mend() -> int:
    """Write the words that are missing, of files older than the library; returns how many."""
    missing = Artifact.objects.filter(entry=None).order_by("pk")
    keys = list(missing.values_list("pk", flat=True)[:BATCH])
    index(keys)
    return len(keys)
