"""`check` passes good files and says what is wrong with bad ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.sandbox_image.conftest import Box

pytestmark = [pytest.mark.engine, pytest.mark.slow]

SAMPLES = Path(__file__).with_name("samples.py").read_text("utf-8")
# What is found in each broken file of samples.py: all of it, and nothing else.
BROKEN = {
    # Films
    "444.mp4": "warn pixel_format",
    "black.mp4": "fail black",
    "black-part.mp4": "warn black_part",
    "cut.mp4": "fail truncated",
    "cut.webm": "fail truncated",
    "fake.mp4": "fail unreadable",
    "frozen.mp4": "warn frozen",
    "late.mp4": "warn late_index",
    "short-sound.mp4": "warn sound_length",
    "silent.mp4": "fail silent",
    # Sounds
    "clipped.wav": "fail clipped",
    "cut.flac": "fail unreadable",
    "cut.mp3": "fail truncated",
    "cut.ogg": "fail truncated",
    "cut.wav": "fail truncated",
    "drum-loop.wav": "warn loop_seam",
    "fake.wav": "fail unreadable",
    "gap.wav": "warn silence",
    "hot.wav": "warn over_peak",
    "named.wav": "warn wrong_name",
    "no-length.wav": "fail no_length",
    "quiet.wav": "warn quiet",
    "silent.wav": "fail silent",
    # Music
    "doubled.mid": "warn doubled_notes",
    "fake.mid": "fail unreadable",
    "hanging.mid": "warn hanging_notes",
    "no-notes.mid": "fail no_notes",
    # Pictures
    "blank.png": "fail blank",
    "clear.png": "fail transparent",
    "cut.jpg": "fail truncated",
    "cut.png": "fail truncated",
    "fake.png": "fail wrong_name",
    "named.jpg": "warn wrong_name",
    "print.tif": "warn no_profile",
    "tofu.png": "fail tofu",
    "blank.svg": "fail blank",
    "network.svg": "fail outside_request",
    "no-view-box.svg": "warn no_view_box",
    "open.svg": "fail unreadable",
    "outside.svg": "warn text_outside",
    "over.svg": "warn overlap",
    "sign.svg": "warn no_sign",
    # Pages
    "blank.html": "fail blank",
    "console.html": "fail console_error",
    "cut.html": "warn text_cut",
    "faint.html": "warn axe, warn axe",
    "language.html": "warn no_language",
    "link.html": "warn missing_link, warn missing_link",
    "network.html": "fail outside_request",
    "no-picture.html": "fail failed_request",
    "over.html": "warn overlap",
    "script.html": "fail uncaught",
    "sign.html": "warn no_sign",
    "wide.html": "warn wide_on_phone",
    # Paper
    "cut.pdf": "fail truncated",
    "fake.pdf": "fail unreadable",
    "fonts.pdf": "warn not_embedded",
    "off.pdf": "warn off_paper",
    "page.pdf": "warn empty_page",
    "tofu.pdf": "fail tofu",
    # Documents and archives
    "cut.docx": "fail truncated",
    "cut.zip": "fail truncated",
    "empty.docx": "fail no_text",
    "empty.xlsx": "fail no_text",
    "errors.xlsx": "warn cell_errors",
    "fake.xlsx": "fail wrong_name",
    "fake.zip": "fail wrong_name",
    "open.xlsx": "fail not_parsed",
    "sheet.xlsx": "fail not_parsed",
    # Models
    "corner.obj": "fail not_parsed",
    "cut.glb": "fail truncated",
    "cut.stl": "fail truncated",
    "faces.obj": "fail no_faces",
    "fake.glb": "fail not_parsed",
    "fake.gltf": "fail not_parsed",
    "outside.glb": "fail not_parsed",
    "parts.gltf": "fail missing_file",
    # Texts and data
    "blank.txt": "fail no_text",
    "deep.json": "fail not_parsed",
    "empty.txt": "fail empty_file",
    "gbk.txt": "fail unreadable",
    "heading.csv": "warn only_heading",
    "link.md": "warn missing_link",
    "lost.txt": "warn lost_characters",
    "open.geojson": "fail not_parsed",
    "open.json": "fail not_parsed",
    "open.jsonl": "fail not_parsed",
    "open.xml": "fail not_parsed",
    "picture.md": "fail missing_file",
    "ragged.csv": "warn ragged",
}
# What some of these findings are filled with.
VALUES = {
    "444.mp4": {"format": "yuv444p"},
    "frozen.mp4": {"from": 0, "to": 6},
    "gap.wav": {"where": "inside", "from": 0.8, "to": 2.2},
    "named.wav": {"format": "mp3", "suffix": ".wav"},
    "fake.png": {"format": "text/html", "suffix": ".png"},
    "named.jpg": {"format": "PNG", "suffix": ".jpg"},
    "over.svg": {"first": "First label", "second": "Second"},
    "outside.svg": {"text": "A label that is too long"},
    "network.html": {"url": "https://example.com/lib.js"},
    "sign.html": {"number": 1, "signs": "U+E900"},
    "link.md": {"target": "none.pdf"},
    "fonts.pdf": {"font": "Times-Roman"},
    "page.pdf": {"page": 2},
    "off.pdf": {"page": 1, "text": "beyo"},
    "errors.xlsx": {"number": 1, "error": "#REF!"},
    "ragged.csv": {"number": 1, "row": 3},
}
Told = Mapping[str, dict]


@pytest.fixture(scope="module")
def told(box: Box) -> Told:
    """What `check` says of each sample, by its path."""
    box.ok("mkdir samples")
    box.write("samples/samples.py", SAMPLES)
    box.ok("cd samples && python3 samples.py", 300)
    result = box.run("cd samples && check --json -- good/* bad/*", 600)
    lines = [json.loads(line) for line in result.output.splitlines()]
    return {line["path"]: line for line in lines}


def test_there_is_a_good_file_of_each_kind(told: Told) -> None:
    kinds = {line["kind"] for line in told.values() if line["path"].startswith("good/")}
    assert kinds >= {
        *("video", "sound", "MIDI", "picture", "SVG", "web page", "PDF", "3D model", "text"),
        *("table", "JSON", "GeoJSON", "JSON Lines", "XML", "Markdown"),
        *("Word document", "workbook", "presentation"),
    }


def test_in_good_files_nothing_is_found(told: Told) -> None:
    good = {path: line for path, line in told.items() if path.startswith("good/")}
    assert {path: line["findings"] for path, line in good.items() if line["findings"]} == {}


def test_in_each_broken_file_is_found_what_is_wrong_and_nothing_else(told: Told) -> None:
    found = {
        path.removeprefix("bad/"): ", ".join(f"{f['level']} {f['code']}" for f in line["findings"])
        for path, line in told.items()
        if path.startswith("bad/")
    }
    assert found == BROKEN


@pytest.mark.parametrize("name", VALUES)
def test_a_finding_has_the_values_for_its_words(told: Told, name: str) -> None:
    values = told[f"bad/{name}"]["findings"][0]["values"]
    assert values.items() >= VALUES[name].items()


def test_what_keeps_people_out_of_a_page_is_told_by_its_rule(told: Told) -> None:
    found = {f["values"]["rule"]: f["values"] for f in told["bad/faint.html"]["findings"]}
    assert found.keys() == {"button-name", "color-contrast"}
    assert found["color-contrast"]["number"] == 1
    assert "Faint" in found["color-contrast"]["example"]


@pytest.mark.parametrize(
    ("name", "fact", "value"),
    [
        ("a.mp4", "size", "160x120"),
        ("a.mp4", "faststart", "yes"),
        ("a.png", "dpi", 300),
        ("a.pdf", "paper", "A4 portrait"),
        ("a.csv", "rows", 2),
        ("a.mid", "notes", 1),
        ("a.glb", "faces", 1),
        ("a.xlsx", "sheets", 1),
        ("a.pptx", "slides", 1),
    ],
)
def test_facts_of_good_files(told: Told, name: str, fact: str, value: object) -> None:
    assert told[f"good/{name}"]["facts"][fact] == value


@pytest.mark.parametrize(
    ("asked", "name", "code", "found"),
    [
        ({"seconds": 30}, "a.mp4", "wrong_seconds", 3),
        ({"seconds": 30}, "a.wav", "wrong_seconds", 3),
        ({"size": [1920, 1080]}, "a.mp4", "wrong_size", "160x120"),
        ({"size": [600, 400]}, "a.png", "wrong_size", "300x200"),
        ({"paper": "A3"}, "a.pdf", "wrong_paper", "A4 portrait"),
        ({"bleed": True}, "a.pdf", "no_bleed", None),
    ],
)
def test_what_is_not_as_asked_is_found(
    box: Box, told: Told, asked: dict, name: str, code: str, found: object
) -> None:
    result = box.run(f"cd samples/good && check --json --asked '{json.dumps(asked)}' {name}")
    (finding,) = json.loads(result.output)["findings"]
    assert (finding["code"], finding["values"].get("found")) == (code, found)


def test_of_several_files_one_need_be_as_asked(box: Box, told: Told) -> None:
    asked = """--asked '{"seconds": 9, "size": [300, 200]}'"""
    box.ok(f"cd samples/good && check {asked} a.wav plucked.wav a.png words.png")


def test_people_are_told_in_lines_and_programs_by_the_exit_status(box: Box) -> None:
    box.write("m.csv", "a,b\n1,2\n3")
    box.write("n.csv", "a,b\n1,2")
    result = box.run("check m.csv n.csv nothing.csv")
    assert result.output.splitlines()[1::2] == [
        "  WARN 1 rows have another number of columns, the first is row 3",
        "  ok",
        "  FAIL cannot be read: no such file",
    ]
    statuses = [box.run(f"check {names}").status for names in ("n.csv", "n.csv m.csv")]
    assert (*statuses, result.status) == (0, 1, 2)
