"""What every store promises; the last part is what a `Store` promises besides."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from agent.store import CHUNK, ArtifactStore, DirectoryStore
from studio.artifacts.sweep import sweep_store
from studio.stores import Store
from studio.stores.disk import DiskStore
from studio.stores.s3 import S3Store

LARGE = os.urandom(1 << 20) * 9
NOWHERE = "0" * 64
HOUR = 3600


def made(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> ArtifactStore:
    match kind:
        case "directory":
            return DirectoryStore(tmp_path / "new")
        case "disk":
            return DiskStore(tmp_path / "new")
    name, endpoint = request.getfixturevalue("bucket"), request.getfixturevalue("s3_server")
    return S3Store(name, tmp_path / "spool", endpoint=endpoint, region="us-east-1")


@pytest.fixture(params=["directory", "disk", "s3"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> ArtifactStore:
    return made(request.param, request, tmp_path)


@pytest.fixture(params=["disk", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ArtifactStore:
    return made(request.param, request, tmp_path)


@pytest.fixture
def s3(request: pytest.FixtureRequest, tmp_path: Path) -> ArtifactStore:
    return made("s3", request, tmp_path)


def everything(store: Store) -> set[str]:
    return set(store.stored(time.time() + HOUR))


def test_bytes_come_back_in_small_chunks_under_their_hash(any_store: ArtifactStore) -> None:
    blob = any_store.put([LARGE[:7], b"", LARGE[7:]])
    assert (blob.digest, blob.size) == (hashlib.sha256(LARGE).hexdigest(), len(LARGE))
    chunks = list(any_store.open(blob.digest))
    assert b"".join(chunks) == LARGE
    assert max(map(len, chunks)) <= CHUNK
    assert b"".join(any_store.open(any_store.put([]).digest)) == b""


def test_what_is_not_there_is_not_found_and_what_is_no_digest_is_refused(
    any_store: ArtifactStore,
) -> None:
    with pytest.raises(FileNotFoundError):
        list(any_store.open(NOWHERE))
    for wrong in ("", "../" + "a" * 61, "A" * 64, "a" * 63):
        with pytest.raises(ValueError, match="not a digest"):
            list(any_store.open(wrong))


def test_of_bytes_that_break_off_nothing_stays(any_store: ArtifactStore, tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield LARGE
        raise OSError("the sandbox is gone")

    with pytest.raises(OSError, match="the sandbox is gone"):
        any_store.put(broken())
    with pytest.raises(FileNotFoundError):
        list(any_store.open(hashlib.sha256(LARGE).hexdigest()))
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_parts_and_sizes(store: Store) -> None:
    digest = store.put([bytes(range(100))]).digest
    for start, stop in [(0, 100), (10, 20), (99, 1000), (100, 200), (5, 5), (0, 10**12)]:
        assert b"".join(store.part(digest, start, stop)) == bytes(range(100))[start:stop]
    assert (store.size(digest), store.size(store.put([]).digest)) == (100, 0)
    assert store.size(NOWHERE) is None
    assert store.path(NOWHERE) is None
    with pytest.raises(FileNotFoundError):
        list(store.part(NOWHERE, 5, 5))


def test_what_is_set_aside_can_be_read_and_comes_back_or_goes(store: Store) -> None:
    digest, later = store.put([b"hello"]).digest, time.time() + HOUR
    store.set_aside(digest)
    store.set_aside(NOWHERE)
    assert everything(store) == set()
    assert (b"".join(store.open(digest)), store.size(digest)) == (b"hello", 5)
    assert b"".join(store.part(digest, 1, 3)) == b"el"
    assert store.path(digest) is None
    assert list(store.aside(time.time() - HOUR)) == []
    (blob,) = store.aside(later)
    assert blob.digest == digest
    for _ in range(2):
        store.bring_back(blob)
        assert everything(store) == {digest}
    store.delete(blob)
    assert b"".join(store.open(digest)) == b"hello"

    store.set_aside(digest)
    (again,) = store.aside(later)
    assert again.name != blob.name
    store.bring_back(blob)
    for _ in range(2):
        store.delete(again)
        assert store.size(digest) is None
    assert list(store.aside(later)) == []


def test_what_is_stored_anew_while_it_is_aside_stays_when_that_is_deleted(store: Store) -> None:
    digest = store.put([b"hello"]).digest
    store.set_aside(digest)
    store.put([b"hello"])
    (blob,) = store.aside(time.time() + HOUR)
    store.delete(blob)
    assert everything(store) == {digest}
    assert b"".join(store.open(digest)) == b"hello"


def test_of_many_who_store_the_same_bytes_at_once_each_can_read_them(store: Store) -> None:
    data, together, read = LARGE[: 2 * CHUNK + 7], threading.Barrier(4), []

    def put() -> None:
        together.wait(30)
        read.append(b"".join(store.open(store.put([data]).digest)))

    writers = [threading.Thread(target=put) for _ in range(4)]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    assert [each == data for each in read] == [True] * 4
    assert everything(store) == {hashlib.sha256(data).hexdigest()}


@pytest.mark.slow
def test_nothing_that_is_stored_and_then_referred_to_is_lost_to_sweeps(store: Store) -> None:
    """Two sweep without any patience for what is young; rows come after the bytes."""
    rows: set[str] = set()
    done = threading.Event()

    def sweep() -> None:
        later = time.time() + HOUR
        while not done.is_set():
            for digest in store.stored(later):
                if digest not in rows:
                    store.set_aside(digest)
            for blob in store.aside(later):
                if blob.digest in rows:
                    store.bring_back(blob)

    sweepers = [threading.Thread(target=sweep) for _ in range(2)]
    for thread in sweepers:
        thread.start()
    try:
        for number in range(16):
            rows.add(store.put([b"blob %d" % (number % 5)]).digest)
            assert all(b"".join(store.open(digest)) for digest in rows)
    finally:
        done.set()
        for thread in sweepers:
            thread.join()
    sweep_store(store, lambda digests: rows & set(digests), time.time() + 2 * HOUR)
    assert everything(store) == rows


def test_a_bucket_gets_the_same_bytes_once_and_they_are_young_again(s3: S3Store) -> None:
    def written() -> str:
        return s3._client.head_object(Bucket=s3._bucket, Key=name)["LastModified"]

    digest = s3.put([b"hello"]).digest
    name = f"{digest[:2]}/{digest}"
    uploads: list[str] = []
    s3._client.meta.events.register("before-send.s3.PutObject", lambda **_: uploads.append("put"))
    first = written()
    time.sleep(1.1)  # A bucket's clock shows seconds.
    s3.put([b"hello"])
    assert written() > first
    assert uploads == []
    s3.put([b"hello!"])
    assert uploads == ["put"]


def test_a_browser_fetches_from_a_bucket_what_its_address_says(s3: S3Store) -> None:
    digest = s3.put([b"<p>hello"]).digest
    told = {"media_type": "text/plain", "disposition": "attachment; filename=a.txt", "seconds": 60}
    for _ in range(2):
        address = s3.address(digest, **told)
        assert address is not None
        assert "Expires=60" in address
        answer = httpx.get(address, headers={"Range": "bytes=3-4"}, trust_env=False)
        assert (answer.status_code, answer.content) == (206, b"he")
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.headers["content-disposition"] == "attachment; filename=a.txt"
        s3.set_aside(digest)
    assert s3.address(NOWHERE, **told) is None


def test_an_upload_that_a_killed_process_began_is_aborted_later(s3: S3Store) -> None:
    s3._client.create_multipart_upload(Bucket=s3._bucket, Key="ab/half")

    def begun() -> int:
        found = s3._client.list_multipart_uploads(Bucket=s3._bucket)
        return len(found.get("Uploads", []))

    s3.tidy(0)
    assert begun() == 1
    s3.tidy(time.time() + HOUR)
    assert begun() == 0


def test_a_bucket_that_fails_in_the_middle_of_an_upload_has_nothing_of_it(s3: S3Store) -> None:
    def fails(params: dict, **_: object) -> None:
        if params["query_string"].get("partNumber") == 2:
            raise OSError("the wire is cut")

    s3._client.meta.events.register("before-call.s3.UploadPart", fails)
    with pytest.raises(OSError, match="the wire is cut"):
        s3.put([LARGE])
    assert s3.size(hashlib.sha256(LARGE).hexdigest()) is None
    assert "Uploads" not in s3._client.list_multipart_uploads(Bucket=s3._bucket)


def test_a_bucket_that_is_missing_or_silent_is_said_and_not_taken_for_a_missing_blob(
    s3_server: str, bucket: str, tmp_path: Path
) -> None:
    missing = S3Store("no-such-bucket", tmp_path, endpoint=s3_server, region="us-east-1")
    silent = S3Store(bucket, tmp_path, endpoint="http://127.0.0.1:9", region="us-east-1", seconds=1)
    for store, why in ((missing, "NoSuchBucket"), (silent, "does not answer")):
        with pytest.raises(OSError, match=why):
            store.put([b"hello"])
        with pytest.raises(OSError, match="bucket"):
            store.reach()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
