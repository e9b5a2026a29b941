"""The store on a disk that web and workers share."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from agent.store import CHUNK, Blob, key
from studio.stores import Aside, incoming
from studio.stores.incoming import Incoming


class DiskStore:
    """A `Store` in a folder: `ab/abcdef…`, and below `.aside` what is set aside."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def incoming(self) -> Incoming:
        return Incoming(self.root, self._keep)

    def put(self, chunks: Iterable[bytes], *, instead_of: str | None = None) -> Blob:
        with self.incoming() as new:
            for chunk in chunks:
                new.write(chunk)
            return new.commit()

    def _keep(self, file: Path, blob: Blob) -> None:
        target = self.root / key(blob.digest)
        with contextlib.suppress(FileNotFoundError):
            if target.stat().st_size == blob.size:
                os.utime(target)
                return
        target.parent.mkdir(exist_ok=True)
        file.chmod(0o644)
        whole = file.with_name(f"{file.name}.whole")
        whole.hardlink_to(file)
        # Writing it may have taken long.
        os.utime(whole)
        whole.replace(target)

    def open(self, digest: str) -> Iterator[bytes]:
        size = self.size(digest)
        yield from self.part(digest, 0, size or 0)

    def part(self, digest: str, start: int, stop: int) -> Iterator[bytes]:
        for place in self._places(digest):
            with contextlib.suppress(FileNotFoundError):
                file = place.open("rb")
                break
        else:
            raise FileNotFoundError(f"There is no blob {digest}.")
        with file:
            file.seek(start)
            while chunk := file.read(min(CHUNK, stop - start)):
                yield chunk
                start += len(chunk)

    def size(self, digest: str) -> int | None:
        for place in self._places(digest):
            with contextlib.suppress(FileNotFoundError):
                return place.stat().st_size
        return None

    def path(self, digest: str) -> Path | None:
        place = self.root / key(digest)
        return place if place.is_file() else None

    def _places(self, digest: str) -> Iterator[Path]:
        yield self.root / key(digest)
        yield from self._folder_aside.glob(f"{digest}.*")
        # Somebody may have brought it back meanwhile.
        yield self.root / key(digest)

    def address(
        self, digest: str, *, media_type: str, disposition: str, seconds: int
    ) -> str | None:
        return None

    def stored(self, before: float) -> Iterator[str]:
        for folder in self.root.glob("[0-9a-f][0-9a-f]"):
            for path in list(folder.iterdir()):
                with contextlib.suppress(FileNotFoundError):
                    if len(path.name) == 64 and path.stat().st_mtime < before:
                        yield path.name

    @property
    def _folder_aside(self) -> Path:
        return self.root / ".aside"

    def set_aside(self, digest: str) -> None:
        self._folder_aside.mkdir(exist_ok=True)
        name = f"{digest}.{int(time.time())}.{secrets.token_hex(4)}"
        with contextlib.suppress(FileNotFoundError):
            (self.root / key(digest)).rename(self._folder_aside / name)

    def aside(self, before: float) -> Iterator[Aside]:
        for path in self._folder_aside.glob("*"):
            digest, since, _ = path.name.split(".")
            if int(since) < before:
                yield Aside(digest, path.name)

    def bring_back(self, blob: Aside) -> None:
        with contextlib.suppress(FileNotFoundError):
            (self._folder_aside / blob.name).rename(self.root / key(blob.digest))

    def delete(self, blob: Aside) -> None:
        (self._folder_aside / blob.name).unlink(missing_ok=True)

    def tidy(self, before: float) -> None:
        incoming.tidy(self.root, before)
