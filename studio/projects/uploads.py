"""Uploads: bytes go straight to the store's disk, names become labels."""

from __future__ import annotations

import logging
import unicodedata
from pathlib import PurePath

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from agent.store import Blob
from studio.media import store
from studio.stores.incoming import Incoming

logger = logging.getLogger(__name__)

# A file name may have 255 bytes on Linux; " (99)" must still fit.
NAME_BYTES = 200


class Upload(UploadedFile):
    """A received file; `problem` says in words why it can't be used, if so."""

    def __init__(self, incoming: Incoming | None, name: str, problem: str = "") -> None:
        self.incoming = incoming
        self.problem = problem
        self.stored = False
        super().__init__(
            file=incoming.file if incoming else None,
            name=name,
            size=incoming.size if incoming else 0,
        )

    @property
    def blob(self) -> Blob:
        """What `commit` stores."""
        assert self.incoming is not None
        return self.incoming.blob

    def commit(self) -> None:
        """Store the bytes, once however often; only then do they outlive the request."""
        assert self.incoming is not None
        if not self.stored:
            self.incoming.commit()
            self.stored = True


class UploadHandler(FileUploadHandler):
    """Hashes while it writes; neither a large nor a failed file stops the form from being read."""

    def new_file(self, *args, **kwargs) -> None:
        super().new_file(*args, **kwargs)
        self.problem = ""
        self.incoming: Incoming | None = None
        try:
            self.incoming = store().incoming()
        except OSError as error:
            self.fail(error)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if self.incoming is None:
            return
        if start + len(raw_data) > settings.UPLOAD_BYTES:
            self.drop(
                _("“%(name)s” is larger than %(size)s.")
                % {"name": self.file_name, "size": filesizeformat(settings.UPLOAD_BYTES)}
            )
            return
        try:
            self.incoming.write(raw_data)
        except OSError as error:
            self.fail(error)

    def file_complete(self, file_size: int) -> Upload:
        upload = Upload(self.incoming, self.file_name or "", self.problem)
        self.incoming = None
        return upload

    def upload_interrupted(self) -> None:
        if self.incoming is not None:
            self.incoming.close()

    def fail(self, error: OSError) -> None:
        logger.error("An upload could not be stored: %s", error)
        self.drop(_("“%(name)s” could not be stored: the disk is full.") % {"name": self.file_name})

    def drop(self, problem: str) -> None:
        self.problem = problem
        if self.incoming is not None:
            self.incoming.close()
            self.incoming = None


def clean_name(name: str) -> str:
    """The user's own name as one path part without anything invisible, of at most 200 bytes."""
    name = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    name = "".join(char for char in name if char.isprintable()).strip()
    if name.strip(".") == "":
        return "file"
    path = PurePath(name)
    ending = _cut(path.suffix, 40)
    return _cut(path.stem, NAME_BYTES - len(ending.encode())) + ending


def unique_name(name: str, taken: set[str]) -> str:
    """`name`, or `name (2)`, `name (3)` … with the folder and the ending kept."""
    path, number, candidate = PurePath(name), 2, name
    while candidate in taken:
        candidate = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
        number += 1
    return candidate


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")
