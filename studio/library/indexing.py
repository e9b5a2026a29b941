"""Keeps the words of each file as they are: its name, the requests that made it, what it says."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models.signals import post_save

from studio.artifacts.models import Artifact
from studio.inspections.models import Text
from studio.library.models import Entry
from studio.library.words import indexed
from studio.runs.models import Run

PROMPT_CHARS = 20_000
BATCH = 200


def connect() -> None:
    """Follow what other apps write; these know nothing of the library."""
    post_save.connect(_saved, sender=Artifact, dispatch_uid="library.saved")
    post_save.connect(_read, sender=Text, dispatch_uid="library.read")


def _saved(instance: Artifact, update_fields: Collection[str] | None, **kwargs) -> None:
    if update_fields and "latest" in update_fields:
        index([instance.pk])


def _read(instance: Text, **kwargs) -> None:
    index(Artifact.objects.filter(latest=instance.inspection.version).values_list("pk", flat=True))


def index(keys: Iterable[int]) -> None:
    """Write the words of these artifacts anew."""
    artifacts = Artifact.objects.filter(pk__in=list(keys)).select_related("latest")
    for artifact in artifacts:
        Entry.objects.update_or_create(
            artifact=artifact, defaults={"words": " ".join(sorted(words_of(artifact)))}
        )


def words_of(artifact: Artifact) -> set[str]:
    runs = Run.objects.filter(versions__artifact=artifact).distinct()
    prompts = " ".join(runs.values_list("prompt", flat=True))[:PROMPT_CHARS]
    texts = Text.objects.filter(inspection__version=artifact.latest)
    read = texts.values_list("text", flat=True).first() or ""
    return indexed(f"{artifact.path}\n{prompts}\n{read}")


def mend() -> int:
    """Write the words that are missing, of files older than the library; returns how many."""
    missing = Artifact.objects.filter(entry=None).order_by("pk")
    keys = list(missing.values_list("pk", flat=True)[:BATCH])
    index(keys)
    return len(keys)
