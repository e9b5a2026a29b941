"""The store in a bucket of S3, or of a server that speaks like it."""

from __future__ import annotations

import contextlib
import errno
import secrets
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

from agent.store import CHUNK, Blob, key
from studio.stores import Aside, incoming
from studio.stores.incoming import Incoming

ASIDE = "aside/"
# Without threads there is one part of 8 MiB in memory, and an upload breaks off at once.
TRANSFER = TransferConfig(use_threads=False)
MISSING = {"404", "NoSuchKey", "NoSuchUpload", "NotFound"}


class S3Store:
    """A `Store` in a bucket: `ab/abcdef…`, and below `aside/` what is set aside.

    A bucket renames nothing: what is set aside or brought back is copied first and deleted then,
    and who is killed in between leaves two copies, of which a later sweep takes one away. Bytes
    that are there already are copied onto themselves, which makes them young again.
    """

    def __init__(
        self, bucket: str, spool: Path, *, endpoint: str = "", region: str = "", seconds: int = 60
    ) -> None:
        """Keys are taken from where Amazon's tools find them; what arrives waits in `spool`.

        A server that is silent for so many `seconds` is given up.
        """
        self._bucket = bucket
        self._spool = spool
        self._storage = S3Storage(
            bucket_name=bucket,
            endpoint_url=endpoint or None,
            region_name=region or None,
            client_config=Config(
                connect_timeout=min(10, seconds),
                read_timeout=seconds,
                retries={"mode": "standard", "total_max_attempts": 3},
                signature_version="s3v4",
                # Not every server that speaks like S3 has hosts for its buckets, or newer sums.
                s3={"addressing_style": "path" if endpoint else "auto"},
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )

    @property
    def _client(self) -> Any:
        return self._storage.connection.meta.client

    def reach(self) -> None:
        """Look whether the bucket is there and may be used.

        Raises:
            OSError: it can't; the message says why.
        """
        with spoken():
            self._client.list_objects_v2(Bucket=self._bucket, MaxKeys=1)

    def incoming(self) -> Incoming:
        return Incoming(self._spool, self._keep)

    def put(self, chunks: Iterable[bytes], *, instead_of: str | None = None) -> Blob:
        with self.incoming() as new:
            for chunk in chunks:
                new.write(chunk)
            return new.commit()

    def _keep(self, file: Path, blob: Blob) -> None:
        name = key(blob.digest)
        with contextlib.suppress(FileNotFoundError):
            if self._head(name)["ContentLength"] == blob.size:
                # S3 copies nothing onto itself unless something about it is replaced.
                self._copy(name, name, MetadataDirective="REPLACE")
                return
        with spoken():
            self._client.upload_file(str(file), self._bucket, name, Config=TRANSFER)

    def open(self, digest: str) -> Iterator[bytes]:
        yield from self._read(digest, {})

    def part(self, digest: str, start: int, stop: int) -> Iterator[bytes]:
        size = self.size(digest)
        if size is None:
            raise FileNotFoundError(errno.ENOENT, f"There is no blob {digest}.")
        if start < min(stop, size):
            yield from self._read(digest, {"Range": f"bytes={start}-{stop - 1}"})

    def _read(self, digest: str, wanted: dict[str, str]) -> Iterator[bytes]:
        for name in self._places(digest):
            with contextlib.suppress(FileNotFoundError):
                with spoken():
                    answer = self._client.get_object(Bucket=self._bucket, Key=name, **wanted)
                break
        else:
            raise FileNotFoundError(errno.ENOENT, f"There is no blob {digest}.")
        with contextlib.closing(answer["Body"]) as body:
            while True:
                with spoken():
                    chunk = body.read(CHUNK)
                if not chunk:
                    return
                yield chunk

    def size(self, digest: str) -> int | None:
        found = self._find(digest)
        return found[1] if found else None

    def path(self, digest: str) -> Path | None:
        return None

    def address(
        self, digest: str, *, media_type: str, disposition: str, seconds: int
    ) -> str | None:
        found = self._find(digest)
        if found is None:
            return None
        headers = {"ResponseContentType": media_type, "ResponseContentDisposition": disposition}
        with spoken():
            return str(self._storage.url(found[0], parameters=headers, expire=seconds))

    def _find(self, digest: str) -> tuple[str, int] | None:
        """The name under which a blob is at present, and its size."""
        for name in self._places(digest):
            with contextlib.suppress(FileNotFoundError):
                return name, self._head(name)["ContentLength"]
        return None

    def _places(self, digest: str) -> Iterator[str]:
        yield key(digest)
        yield from (item["Key"] for item in self._listed(f"{ASIDE}{digest}/"))
        # Somebody may have brought it back meanwhile.
        yield key(digest)

    def stored(self, before: float) -> Iterator[str]:
        for item in self._listed(""):
            digest = item["Key"].rpartition("/")[2]
            with contextlib.suppress(ValueError):
                if item["Key"] == key(digest) and _old(item["LastModified"], before):
                    yield digest

    def set_aside(self, digest: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._copy(key(digest), f"{ASIDE}{digest}/{secrets.token_hex(4)}")
            self._delete(key(digest))

    def aside(self, before: float) -> Iterator[Aside]:
        for item in self._listed(ASIDE):
            if _old(item["LastModified"], before):
                yield Aside(item["Key"].split("/")[1], item["Key"])

    def bring_back(self, blob: Aside) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._copy(blob.name, key(blob.digest))
            self.delete(blob)

    def delete(self, blob: Aside) -> None:
        self._delete(blob.name)

    def tidy(self, before: float) -> None:
        incoming.tidy(self._spool, before)
        for begun in self._pages("list_multipart_uploads", "Uploads", ""):
            if _old(begun["Initiated"], before):
                with contextlib.suppress(FileNotFoundError), spoken():
                    self._client.abort_multipart_upload(
                        Bucket=self._bucket, Key=begun["Key"], UploadId=begun["UploadId"]
                    )

    def _head(self, name: str) -> dict[str, Any]:
        with spoken():
            return self._client.head_object(Bucket=self._bucket, Key=name)

    def _copy(self, name: str, target: str, **how: str) -> None:
        source = {"Bucket": self._bucket, "Key": name}
        with spoken():
            self._client.copy(source, self._bucket, target, ExtraArgs=how, Config=TRANSFER)

    def _delete(self, name: str) -> None:
        with spoken():
            self._client.delete_object(Bucket=self._bucket, Key=name)

    def _listed(self, prefix: str) -> Iterator[dict[str, Any]]:
        return self._pages("list_objects_v2", "Contents", prefix)

    def _pages(self, what: str, rows: str, prefix: str) -> Iterator[dict[str, Any]]:
        with spoken():
            pages = iter(
                self._client.get_paginator(what).paginate(Bucket=self._bucket, Prefix=prefix)
            )
        while True:
            with spoken():
                page = next(pages, None)
            if page is None:
                return
            yield from page.get(rows, [])


def _old(time: datetime, before: float) -> bool:
    return time < datetime.fromtimestamp(before, UTC)


@contextlib.contextmanager
def spoken() -> Iterator[None]:
    """Turn what the client library raises into `FileNotFoundError` and `OSError`."""
    try:
        yield
    except ClientError as error:
        told = error.response.get("Error", {})
        if told.get("Code") in MISSING:
            raise FileNotFoundError(errno.ENOENT, "There is no such object.") from error
        raise OSError(errno.EIO, f"the bucket refuses: {error}") from error
    except (BotoCoreError, Boto3Error) as error:
        raise OSError(errno.EIO, f"the bucket does not answer: {error}") from error
