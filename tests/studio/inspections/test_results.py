"""A report comes from where strangers' files are: it is believed as far as it keeps its bounds."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.inspections import results
from studio.inspections.models import Role
from studio.runs.journal import storable

GOOD: dict[str, Any] = {"media_type": "image/png"}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    *("media_type", "kind", "facts", "findings", "width", "height", "seconds", "blur"),
    *("previews", "verdict"),
)
findings = st.lists(
    st.fixed_dictionaries(
        {
            "level": st.sampled_from(["fail", "warn", "fine", 1]),
            "code": st.text(max_size=5) | st.just("silence"),
            "text": st.text(),
        },
        optional={"values": values},
    ),
    max_size=3,
)


def checked(said: bytes) -> dict[str, Any] | None:
    try:
        return results.report(said).fields()
    except results.Refused:
        return None


def texts(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [text for pair in value.items() for item in pair for text in texts(item)]
        case list():
            return [text for item in value for text in texts(item)]
    return []


def sane(fields: dict[str, Any]) -> None:
    """What may go into the database and onto a page."""
    assert storable(fields) == fields
    json.dumps(fields, allow_nan=False)
    for text in texts(fields["facts"]) + texts(fields["findings"]):
        assert text.isprintable()
        assert len(text) <= results.TEXT_CHARS
    for side in ("width", "height"):
        assert fields[side] is None or 0 < fields[side] < 2**31
    assert fields["seconds"] is None or math.isfinite(fields["seconds"])
    assert len(fields["media_type"]) <= 100
    assert len(fields["blur"]) <= 1500
    assert set(fields["blur"]).isdisjoint("\"'<> ()\\")


@given(st.text() | st.text(alphabet="a\0\n长", min_size=1).map(lambda text: (text * 5000)[:25_000]))
def test_a_files_text_is_cut_and_holds_nothing_that_databases_refuse(text: str) -> None:
    kept = results.report(json.dumps({**GOOD, "text": text}).encode()).text
    assert len(kept) <= results.READ_CHARS
    assert storable(kept) == kept
    assert kept.isprintable()


@given(
    st.dictionaries(st.sampled_from(FIELDS), values | findings).map(lambda told: {**GOOD, **told})
)
def test_whatever_is_told_what_is_kept_is_sane(told: dict[str, Any]) -> None:
    if (fields := checked(json.dumps(told).encode())) is not None:
        sane(fields)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_report_or_refused(said: bytes) -> None:
    if (fields := checked(said)) is not None:
        sane(fields)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"null",
        b"[" * 100_000,
        b'{"media_type": "image/png", "width": NaN}',
        b'{"media_type": "image/png", "seconds": 1e999}',
        b'{"media_type": "image/png", "width": ' + b"9" * 5000 + b"}",
        b'{"media_type": "image/png", "width": "640"}',
        b'{"media_type": "image/png", "width": true}',
        b'{"media_type": "text/html\\r\\nX: y"}',
        b'{"media_type": "image/png", "blur": "javascript:alert(1)"}',
        b'{"media_type": "image/png", "blur": "data:image/svg+xml;base64,AAAA"}',
        b'{"media_type": "image/png", "blur": "data:image/jpeg;base64,' + b"A" * 1500 + b'"}',
        b'{"media_type": "image/png", "previews": [{"role": "poster", "file": "../a.jpg"}]}',
        b'{"media_type": "image/png", "previews": [{"role": "page", "file": "a.jpg"}]}',
        json.dumps({**GOOD, "facts": {"a": "x" * results.BYTES}}).encode(),
        json.dumps({**GOOD, "facts": {str(number): 1 for number in range(100)}}).encode(),
    ],
)
def test_what_breaks_its_bounds_is_refused(said: bytes) -> None:
    with pytest.raises(results.Refused):
        results.report(said)


def test_long_and_unprintable_texts_are_cut_and_cleaned() -> None:
    told = {**GOOD, "facts": {"title\x1b[31m": "a\0b\u202e\n" + "x" * 900}}
    ((name, value),) = results.report(json.dumps(told).encode()).fields()["facts"].items()
    assert name == "title [31m"
    assert value.startswith("a b xxx")
    assert len(value) == results.TEXT_CHARS


JPEG = b"\xff\xd8\xff\xe0 \xff\xd9"


@given(st.sampled_from(list(Role)), st.binary(max_size=60))
def test_a_preview_is_what_its_role_is_for_or_refused(role: Role, data: bytes) -> None:
    try:
        kept = results.preview(role, data)
    except results.Refused:
        return
    assert kept[:3] == b"\xff\xd8\xff" or role in (Role.PEAKS, Role.SOUND)


@pytest.mark.parametrize(
    ("role", "data"),
    [
        (Role.POSTER, JPEG[:-2]),
        (Role.POSTER, JPEG[:3] + bytes(results.LIMITS[Role.POSTER]) + JPEG[-2:]),
        (Role.STRIP, b"\x89PNG\r\n"),
        (Role.SOUND, b"RIFF"),
        (Role.PEAKS, b'{"peaks": [[0, 2]], "seconds": 1}'),
        (Role.PEAKS, b'{"peaks": [[0, 0, 0]], "seconds": 1}'),
        (Role.PEAKS, json.dumps({"peaks": [[0, 0]] * 1001, "seconds": 1}).encode()),
    ],
)
def test_previews_of_the_wrong_kind_or_size_are_refused(role: Role, data: bytes) -> None:
    with pytest.raises(results.Refused):
        results.preview(role, data)


@pytest.mark.parametrize(("role", "data"), [(Role.POSTER, JPEG), (Role.SOUND, b"ID3\4")])
def test_good_previews_stay_as_they_are(role: Role, data: bytes) -> None:
    assert results.preview(role, data) == data
