"""The folder that a run's files end up in, whatever they are called."""

from __future__ import annotations

import hashlib
import logging
import shutil
from pathlib import Path, PurePosixPath

from agent.events import ArtifactRemoved, ArtifactSaved, Event
from agent.store import DirectoryStore

logger = logging.getLogger(__name__)

# What is written there besides, which no file takes the place of.
RECORDS = {"run.jsonl", "messages.json", "trajectory.json"}


class Folder:
    """Puts artifacts into a folder of the host under names that cannot leave it."""

    def __init__(self, folder: Path, store: DirectoryStore) -> None:
        self._folder = folder
        self._store = store
        self._places: dict[str, Path] = {}

    def take(self, event: Event) -> None:
        """Write the file that an event tells of, or remove it."""
        match event:
            case ArtifactSaved():
                place = self._places.get(event.path) or self._place(event.path)
                try:
                    self._write(event.digest, place)
                except (OSError, ValueError) as error:
                    # The name may be too long here, that of a folder, or none that a file can have.
                    place = self._folder / _short_name(event.path)
                    self._write(event.digest, place)
                    why = error.strerror if isinstance(error, OSError) else error
                    logger.warning("%r is kept as %s: %s", event.path, place.name, why)
                self._places[event.path] = place
            case ArtifactRemoved() if event.path in self._places:
                self._places.pop(event.path).unlink(missing_ok=True)

    def _write(self, digest: str, place: Path) -> None:
        new = self._store.root / "new"
        shutil.copyfile(self._store.path(digest), new)
        place.parent.mkdir(parents=True, exist_ok=True)
        new.replace(place)

    def _place(self, label: str) -> Path:
        parts = [part for part in label.split("/") if part not in {"", ".", ".."}]
        if parts[:1] and parts[0] in RECORDS:
            parts[0] = f"output-{parts[0]}"
        return self._folder.joinpath(*parts)


def _short_name(label: str) -> str:
    ending = PurePosixPath(label).suffix
    kept = ending if ending.isascii() and ending.isprintable() and len(ending) < 10 else ""
    return hashlib.sha256(label.encode(errors="replace")).hexdigest()[:16] + kept
