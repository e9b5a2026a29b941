"""Files of the output folder on their way into the store: bytes first, then the event."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agent.errors import FileChanged, LimitReached, ToolError
from agent.events import ArtifactRemoved, ArtifactSaved, ArtifactSkipped, Event, Reason
from agent.limits import Limits
from agent.sandbox import OUTPUT, Notice, Removed, Sandbox, Settled, Skipped
from agent.store import ArtifactStore

UNPRINTABLE = {"Cc", "Cs", "Zl", "Zp"}


class Saved(NamedTuple):
    """A file of the output folder that is in the store."""

    path: str
    digest: str


class Capture:
    """Knows what has been saved in this run: of each label the path and the digest."""

    def __init__(self, sandbox: Sandbox, store: ArtifactStore, limits: Limits) -> None:
        self._sandbox = sandbox
        self._store = store
        self._limits = limits
        self._saved: dict[str, Saved] = {}
        self._adopted: frozenset[Saved] = frozenset()

    @property
    def files(self) -> tuple[str, ...]:
        """The files saved and not removed since."""
        return tuple(self._saved)

    @property
    def digests(self) -> frozenset[str]:
        """Of these files."""
        return frozenset(saved.digest for saved in self._saved.values())

    @property
    def changed(self) -> tuple[Saved, ...]:
        """What of that is not as an earlier run left it."""
        return tuple(saved for saved in self._saved.values() if saved not in self._adopted)

    def take(self, notices: Iterable[Notice]) -> Iterator[Event]:
        """Store what settled and say so.

        Raises:
            LimitReached: the store is full.
        """
        for notice in notices:
            label = printable(notice.path)
            match notice:
                case Settled():
                    yield from self._save(notice, label)
                case Skipped(why=why):
                    yield ArtifactSkipped(path=label, why=printable(why))
                case Removed(path=path):
                    if label in self._saved and self._saved[label].path == path:
                        del self._saved[label]
                        yield ArtifactRemoved(path=label)

    def adopt(self, notices: Iterable[Notice]) -> None:
        """Know the files of an earlier run without telling of them again."""
        for _ in self.take(notices):
            pass
        self._adopted = frozenset(self._saved.values())

    def _save(self, notice: Settled, label: str) -> Iterator[Event]:
        if why := self._refusal(notice, label):
            yield ArtifactSkipped(path=label, why=why)
            return
        try:
            blob = self._store.put(
                self._sandbox.stream(f"{OUTPUT}/{notice.path}", self._limits.artifact_bytes)
            )
        except FileChanged:
            return  # it is gone, or is being written again and will settle again
        except ToolError as error:
            yield ArtifactSkipped(path=label, why=printable(str(error)))
            return
        except OSError as error:
            raise LimitReached(
                Reason.STORAGE_FULL,
                f"The file {label} could not be stored ({error.strerror}). Free some disk space.",
            ) from error
        saved = Saved(notice.path, blob.digest)
        if self._saved.get(label) != saved:
            self._saved[label] = saved
            yield ArtifactSaved(path=label, digest=blob.digest, size=blob.size)

    def _refusal(self, notice: Settled, label: str) -> str:
        """Why a file is not even looked at, or nothing."""
        if any(not part or part.startswith(".") for part in label.split("/")):
            return "it is hidden"
        if label in self._saved:
            same = self._saved[label].path == notice.path
            return "" if same else "its name looks like that of another file"
        if len(self._saved) >= self._limits.artifacts:
            return f"there are more than {self._limits.artifacts} files"
        return ""


def printable(text: str) -> str:
    """One line that can be stored and sent: what cannot be printed becomes U+FFFD."""
    return "".join("�" if unicodedata.category(char) in UNPRINTABLE else char for char in text)
