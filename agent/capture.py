"""Files of the output folder on their way into the store: bytes first, then the event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agent.errors import FileChanged, LimitReached, ToolError
from agent.events import ArtifactRemoved, ArtifactSaved, ArtifactSkipped, Event, Reason
from agent.limits import Limits
from agent.sandbox import OUTPUT, Notice, Removed, Sandbox, Settled, Skipped
from agent.store import ArtifactStore


class Capture:
    """Knows what has been saved in this run."""

    def __init__(self, sandbox: Sandbox, store: ArtifactStore, limits: Limits) -> None:
        self._sandbox = sandbox
        self._store = store
        self._limits = limits
        self._saved: dict[str, str] = {}

    @property
    def files(self) -> tuple[str, ...]:
        """The files saved and not removed since."""
        return tuple(self._saved)

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
                    yield ArtifactSkipped(path=label, why=why)
                case Removed():
                    if self._saved.pop(label, None) is not None:
                        yield ArtifactRemoved(path=label)

    def adopt(self, notices: Iterable[Notice]) -> None:
        """Know the files of an earlier run without telling of them again."""
        for _ in self.take(notices):
            pass

    def _save(self, notice: Settled, label: str) -> Iterator[Event]:
        if label not in self._saved and len(self._saved) >= self._limits.artifacts:
            why = f"there are more than {self._limits.artifacts} files"
            yield ArtifactSkipped(path=label, why=why)
            return
        try:
            blob = self._store.put(
                self._sandbox.stream(f"{OUTPUT}/{notice.path}", self._limits.artifact_bytes)
            )
        except FileChanged:
            return  # it is being written again and will settle again
        except ToolError as error:
            yield ArtifactSkipped(path=label, why=str(error))
            return
        except OSError as error:
            raise LimitReached(
                Reason.STORAGE_FULL,
                f"The file {label} could not be stored ({error.strerror}). Free some disk space.",
            ) from error
        if self._saved.get(label) != blob.digest:
            self._saved[label] = blob.digest
            yield ArtifactSaved(path=label, digest=blob.digest, size=blob.size)


def printable(path: str) -> str:
    """A path as text that can be stored and sent: bytes that are not UTF-8 become U+FFFD."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "�")
