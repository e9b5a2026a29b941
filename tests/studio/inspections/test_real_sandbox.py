"""The inspector, its sandbox and the image's `inspect` together, with files that fight back."""

from __future__ import annotations

import struct
import zlib

import pytest

from agent.sandbox.docker import INSTALLATION_LABEL
from studio.inspections import inspector
from studio.inspections.models import Inspection, Role, State, Verdict
from studio.media import store
from studio.runs.models import Run
from tests.studio.conftest import save
from tests.studio.inspections.conftest import inspect_all

pytestmark = [pytest.mark.django_db, pytest.mark.engine, pytest.mark.slow]

PAGE = (
    b"<!doctype html><html lang=en><title>x</title>"
    b"<meta name=viewport content='width=device-width'>"
)


def png(side: int) -> bytes:
    """A black picture that is small as a file and large in memory."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    rows = zlib.compressobj(1)
    body = b"".join(rows.compress(bytes(side // 8 + 1)) for _ in range(side)) + rows.flush()
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", body), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def of(path: str) -> Inspection:
    return Inspection.objects.get(version__artifact__path=path)


def test_good_files_pass_beside_bad_ones_and_no_sandbox_is_left(
    run: Run, engine, settings, monkeypatch
) -> None:
    settings.INSTALLATION = "test-inspections"
    # What hangs keeps two processors busy all that time.
    monkeypatch.setattr(inspector, "TOOL_SECONDS", 20)
    save(run, "lib/style.css", b"h1 { color: teal }")
    save(run, "page.html", PAGE + b"<link rel=stylesheet href=lib/style.css><h1>Hello there</h1>")
    save(run, "notes.txt", b"Hello\n")
    save(run, "huge.png", png(50_000))
    save(run, "stuck.html", PAGE + b"<h1>Mine</h1><script>while (1);</script>")
    save(run, "-rf *; $(touch x).svg", b"<svg")
    inspect_all()
    labelled = {"label": f"{INSTALLATION_LABEL}=test-inspections"}
    assert engine.containers.list(all=True, filters=labelled) == []
    assert Inspection.objects.filter(state=State.WAITING).count() == 0
    page = of("page.html")
    assert (page.verdict, page.findings) == (Verdict.PASSED, [])
    poster = page.previews.get(role=Role.POSTER)
    assert b"".join(store().open(poster.digest)).startswith(b"\xff\xd8\xff")
    assert of("notes.txt").verdict == Verdict.PASSED
    for path in ("huge.png", "stuck.html", "-rf *; $(touch x).svg"):
        assert of(path).findings
        assert of(path).verdict != Verdict.PASSED
