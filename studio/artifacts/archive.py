"""Files to take away together, as a zip that is made while it is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from asgiref.sync import ThreadSensitiveContext
from channels.db import database_sync_to_async
from django.utils.translation import override
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from zipstream import ZIP_DEFLATED, ZipStream

from studio.artifacts.delivery import disposition
from studio.artifacts.models import Artifact, Version
from studio.artifacts.names import archive_names
from studio.artifacts.readme import bundle_readme, readme, requests
from studio.media import store
from studio.projects.models import Project
from studio.runs.exports import FORMS
from studio.runs.models import Run

# Sent at once, so that many small files cost few turns of a thread.
PIECE_BYTES = 256 * 1024
TEXTS = {"events": "jsonl", "messages": "messages.json"}


@dataclass(slots=True)
class Archive:
    """What goes into a zip: a label for each and its bytes, looked for when their turn comes."""

    labels: list[str] = field(default_factory=list)
    bodies: list[tuple[Iterable[bytes], int | None]] = field(default_factory=list)

    def blob(self, label: str, digest: str) -> bool:
        """Add what the store has; whether it has it."""
        size = store().size(digest)
        if size is None:
            return False
        self.labels.append(label)
        self.bodies.append((Blob(digest, size), size))
        return True

    def text(self, label: str, pieces: Callable[[], Iterator[str]]) -> None:
        self.labels.append(label)
        self.bodies.append((Text(pieces), None))

    def zipped(self, about: Callable[[list[str]], str]) -> ZipStream:
        """The zip, with a README that is told the names of the others."""
        *names, last = archive_names([*self.labels, "README.md"])
        archive = ZipStream(sized=all(size is not None for _, size in self.bodies))
        archive.add(about(names), last)
        for name, (body, size) in zip(names, self.bodies, strict=True):
            packed = {} if size is not None else {"compress_type": ZIP_DEFLATED}
            archive.add(body, name, size=size, **packed)
        return archive


@dataclass(frozen=True, slots=True)
class Blob:
    digest: str
    size: int

    def __iter__(self) -> Iterator[bytes]:
        return store().part(self.digest, 0, self.size)


@dataclass(frozen=True, slots=True)
class Text:
    pieces: Callable[[], Iterator[str]]

    def __iter__(self) -> Iterator[bytes]:
        return (piece.encode() for piece in self.pieces())


def all_files(project: Project) -> ZipStream:
    """The project's files as they are now, under their names."""
    return these_files(project.title, current(project), requests(project.runs.all()))


def these_files(title: str, versions: Iterable[Version], asked: Iterable[str]) -> ZipStream:
    """Some files of a project under their names, and the lines of what was asked for."""
    archive = Archive()
    kept = [each for each in versions if archive.blob(each.artifact.path, each.digest)]
    return archive.zipped(lambda names: readme(title, zip(names, kept, strict=True), asked))


def whole_project(project: Project) -> ZipStream:
    """All that is kept of a project: files, older versions, what was given, what happened."""
    archive = Archive()
    kept = add_whole(archive, project)
    asked = requests(project.runs.all())
    return archive.zipped(
        lambda names: readme(project.title, zip(names, kept, strict=False), asked)
    )


def add_whole(archive: Archive, project: Project, folder: str = "") -> list[Version]:
    """Add all that is kept of a project; the versions that come first, as its files are now."""
    newest, files = current(project), f"{folder}files/"
    kept = [each for each in newest if archive.blob(files + each.artifact.path, each.digest)]
    older = Version.objects.filter(artifact__project=project).exclude(
        pk__in=[each.pk for each in newest]
    )
    for version in older.select_related("artifact").order_by("artifact__path", "number"):
        label = f"{folder}versions/v{version.number}/{version.artifact.path}"
        archive.blob(label, version.digest)
    for given in project.inputs.all():
        archive.blob(f"{folder}inputs/{given.name}", given.digest)
    for run in project.runs.all():
        for form, ending in TEXTS.items():
            archive.text(f"{folder}trajectory/{run.number}.{ending}", writer(run, form))
    return kept


def bundle(versions: Sequence[Version]) -> ZipStream:
    """Files of several projects, each project's in a folder."""
    archive = Archive()
    kept = [each for each in versions if archive.blob(_filed(each), each.digest)]
    return archive.zipped(lambda names: bundle_readme(zip(names, kept, strict=True)))


def _filed(version: Version) -> str:
    artifact = version.artifact
    return f"{artifact.project.title.replace('/', '_')}/{artifact.path}"


def current(project: Project) -> list[Version]:
    """What the gallery shows, by path."""
    shown = Artifact.objects.filter(project=project, removed=False)
    versions = Version.objects.filter(pk__in=shown.values("latest"))
    return list(versions.select_related("artifact", "inspection").order_by("artifact__path"))


def writer(run: Run, form: str) -> Callable[[], Iterator[str]]:
    return lambda: FORMS[form][2](run)


async def send(
    request: Request, title: str, make: Callable[[], ZipStream], language: str
) -> Response:
    """The zip that `make` gives, as an attachment of that name, in the reader's `language`."""

    def made() -> ZipStream:
        with override(language):
            return make()

    # Each file is looked for, in a bucket too: not in the thread in which all sockets read.
    async with ThreadSensitiveContext():
        archive = await database_sync_to_async(made)()
    (name,) = archive_names([f"{title}.zip".replace("/", "_")])
    headers = {"Content-Disposition": disposition(name), "Cache-Control": "no-store"}
    if archive.sized:
        headers["Content-Length"] = str(len(archive))
    if request.method == "HEAD":
        return Response(media_type="application/zip", headers=headers)
    return StreamingResponse(gathered(archive), media_type="application/zip", headers=headers)


async def gathered(pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    """The pieces, several at a time, made in a thread of their own."""
    rest = iter(pieces)

    def some() -> bytes:
        found, size = [], 0
        for piece in rest:
            found.append(piece)
            size += len(piece)
            if size >= PIECE_BYTES:
                break
        return b"".join(found)

    async with ThreadSensitiveContext():
        while piece := await database_sync_to_async(some)():
            yield piece
