"""Music: what a request becomes, what the composer writes, and the files at the end."""

from __future__ import annotations

import importlib
import itertools
import sys
import wave
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import mido
import pytest
from PIL import Image
from pypdf import PdfReader

from agent import Exchange
from agent.events import Event, ToolFinished
from agent.recipes import music
from agent.recipes.music import terms
from agent.recipes.music.terms import Key
from agent.recipes.request import Request

RunRecipe = Callable[..., tuple[list[Event], Path]]


@pytest.fixture(scope="module")
def composer() -> Iterator[ModuleType]:
    """The composing script, which needs nothing but the standard library."""
    folder = str(Path(music.__file__).parent)
    sys.path.insert(0, folder)
    yield importlib.import_module("make_compose")
    sys.path.remove(folder)


def parameters(*texts: str) -> dict[str, Any]:
    return music.RECIPE.parameters(Request(texts))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("in A minor", Key("A", "minor")),
        ("a nocturne in B flat major", Key("Bb", "major")),
        ("F#m, slow", Key("F#", "minor")),
        ("降E大调", Key("Eb", "major")),
        ("升f小调", Key("F#", "minor")),
        ("1=D 的简谱", Key("D", "major")),
        ("a tune in G", Key("G", "major")),
        ("A minor", Key("A", "minor")),
        ("a piece for piano", None),
    ],
)
def test_keys_are_read_in_both_languages(text: str, key: Key | None) -> None:
    assert terms.key(text) == key


def test_tempo_metre_and_length_are_read() -> None:
    asked = parameters("A 90-second march titled Iron Road in D major, 3/4, 112 bpm")
    assert (asked["seconds"], asked["metre"], asked["tempo"]) == (90, "3/4", [112, 112])
    assert (asked["title"], asked["tonic"], asked["style"]) == ("Iron Road", "D", "march")
    assert parameters("写一首十六小节的四三拍曲子")["bars"] == 16
    assert parameters("写一首十六小节的四三拍曲子")["metre"] == "3/4"


def test_one_line_instruments_sing_and_others_accompany() -> None:
    assert parameters("a piece for guitar and flute")["instruments"] == ["flute", "guitar"]
    assert parameters("a violin piece")["instruments"] == ["violin", "piano"]
    assert parameters("a flute solo")["instruments"] == ["flute"]
    assert parameters("写一首二胡曲")["instruments"] == ["erhu", "guzheng"]


def test_chinese_requests_get_numbered_notation_too() -> None:
    files = parameters("写一首圆舞曲，《春江》")["files"]
    assert files["numbered_pdf"] == "春江-简谱.pdf"
    assert files["staff_pdf"] == "春江-五线谱.pdf"
    assert "numbered_pdf" not in parameters("compose a waltz")["files"]


def test_follow_ups_change_one_thing_and_keep_the_file_names() -> None:
    first = "写一首圆舞曲，降E大调"
    before, after = parameters(first), parameters(first, "快一点，改成 D 大调")
    assert after["tonic"] == "D"
    assert after["tempo"][0] > before["tempo"][0]
    assert (after["files"], after["seed"]) == (before["files"], before["seed"])
    assert parameters(first, "再来一首")["seed"] != before["seed"]


REQUESTS = [
    "calm piano piece in A minor, one minute",
    "waltz in E flat major, 45 seconds",
    "lullaby, 30 seconds",
    "march in Bb, 20 seconds",
    "lively tune in 2/4, three minutes",
    "lively fiddle tune, 6/8, 30 s",
    "写一首古筝曲，半分钟",
    "写一首忧伤的二胡曲，F#小调，50秒",
    "epic music in C# minor, 40 seconds",
    "calm music, 8 seconds",
    "a waltz of 17 bars",
    "calm piece in 3/4, 100 bpm, 25 seconds",
    "happy birthday song in 2/4",
    "a march of 4 bars",
    "a solemn march, 44 bpm, 20 seconds",
]


@pytest.fixture(scope="module", params=REQUESTS)
def asked(request: pytest.FixtureRequest) -> dict[str, Any]:
    return parameters(request.param)


@pytest.fixture(scope="module")
def piece(composer: ModuleType, asked: dict[str, Any]) -> Any:
    return composer.compose(asked)


def test_a_piece_fills_its_bars_and_its_time(asked: dict[str, Any], piece: Any) -> None:
    length = piece.bars * piece.bar
    ends = [chord.start + chord.length for chord in piece.chords]
    assert piece.chords[0].start == 0
    assert ends[-1] == length
    assert ends[:-1] == [chord.start for chord in piece.chords[1:]]
    assert all(a.start + a.length <= b.start for a, b in itertools.pairwise(piece.notes))
    assert piece.notes[-1].start + piece.notes[-1].length == length
    pulse = 1.5 if piece.metre == "6/8" else 1.0
    assert len(piece.pace) * pulse == length
    sounding = sum(60 / piece.bpm / pace for pace in piece.pace)
    assert piece.seconds - 6.5 <= sounding <= piece.seconds - 0.75
    if not asked["bars"]:
        assert piece.seconds == asked["seconds"]


def test_a_piece_has_a_home_a_contour_and_no_wild_leaps(piece: Any) -> None:
    theory = importlib.import_module("make_theory")
    degrees = [note.degree for note in piece.notes]
    assert degrees[-1] % 7 == 0
    assert {0} <= set(piece.chords[-1].steps)
    assert max(degrees) - min(degrees) >= 3
    assert all(abs(b - a) <= 7 for a, b in itertools.pairwise(degrees))
    strong = [n for n in piece.notes if n.start % piece.bar == 0]
    inside = [n for n in strong if theory.at(piece.chords, n.start).has(n.degree)]
    assert len(inside) >= 0.8 * len(strong)


def test_every_bar_can_be_printed_and_stands_on_one_line(piece: Any) -> None:
    notation = importlib.import_module("make_notation")
    for bar in notation.bars_of(piece):
        assert sum(item.length for item in bar) == piece.bar
        assert all(notation.value(item.length) for item in bar)
    lines = notation.systems(piece, 15.5)
    assert [bar for line in lines for bar in line] == list(range(piece.bars))


def test_the_theme_comes_back(composer: ModuleType) -> None:
    piece = composer.compose(parameters("calm piano piece in A minor, one minute"))
    names = [section.name for section in piece.sections]
    assert names == ["Intro", "A", "A′", "B", "A″", "Coda"]

    def head(name: str) -> list[tuple[float, int]]:
        begin = next(s.bar for s in piece.sections if s.name == name) * piece.bar
        return [
            (n.start - begin, n.degree)
            for n in piece.notes
            if begin <= n.start < begin + 2 * piece.bar
        ]

    assert head("A") == head("A′")
    assert head("A") != head("B")


def test_the_same_request_gives_the_same_piece_and_another_request_another(
    composer: ModuleType,
) -> None:
    first, again, other = (
        composer.compose(parameters(text)).notes
        for text in ("a calm piece in C major", "a calm piece in C major", "a calm piece, C major")
    )
    assert first == again
    assert first != other


def test_a_chinese_piece_is_pentatonic(composer: ModuleType) -> None:
    piece = composer.compose(parameters("写一首一分钟的古筝曲，D 大调"))
    assert {note.degree % 7 for note in piece.notes} <= {0, 1, 2, 4, 5}


def sound(path: Path) -> tuple[float, array[int]]:
    """Length in seconds and samples of a 16-bit stereo WAV at 48 kHz."""
    with wave.open(str(path), "rb") as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (48_000, 2, 2)
        return file.getnframes() / 48_000, array("h", file.readframes(file.getnframes()))


def loudness(events: list[Event]) -> float:
    """What the script measured, in LUFS."""
    told = next(e.output for e in events if isinstance(e, ToolFinished) and "LUFS" in e.output)
    return float(told.split(" LUFS")[0].split()[-1])


@pytest.mark.engine
def test_an_english_request_gives_sound_midi_and_a_lead_sheet(run_recipe: RunRecipe) -> None:
    events, folder = run_recipe(
        "Compose a calm piano piece in A minor, 20 seconds, titled Last Light"
    )
    assert {path.name for path in folder.iterdir()} == {
        "Last-Light.wav", "Last-Light.mid",
        "Last-Light-lead-sheet.pdf", "Last-Light-lead-sheet.png",
    }  # fmt: skip
    seconds, samples = sound(folder / "Last-Light.wav")
    assert seconds == pytest.approx(20, rel=0.05)
    assert 3_000 < max(samples) < 32_000
    assert max(abs(s) for s in [*samples[:20], *samples[-200:]]) < 40
    assert loudness(events) == pytest.approx(-16, abs=2)

    midi = mido.MidiFile(folder / "Last-Light.mid")
    meta = {message.type: message for message in midi.tracks[0]}
    assert {"time_signature", "key_signature", "set_tempo"} <= set(meta)
    assert meta["key_signature"].key == "Am"
    assert 14 < midi.length < 22
    for track in midi.tracks:
        held: set[int] = set()
        for message in track:
            if message.type == "note_on":
                assert message.note not in held
                held.add(message.note)
            elif message.type == "note_off":
                held.remove(message.note)
        assert not held

    page = PdfReader(folder / "Last-Light-lead-sheet.pdf").pages[0]
    assert [round(float(edge)) for edge in page.mediabox[2:]] == [595, 842]
    assert "Last Light" in page.extract_text()
    with Image.open(folder / "Last-Light-lead-sheet.png") as picture:
        assert picture.size == (1240, 1754)


@pytest.mark.engine
def test_a_chinese_request_gives_numbered_notation_and_a_follow_up_a_new_version(
    run_recipe: RunRecipe,
) -> None:
    prompt = "写一首十二秒的圆舞曲，降E大调，笛子和古筝，题为《春江》"
    _, folder = run_recipe(prompt)
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "春江.wav", "春江.mid",
        "春江-简谱.pdf", "春江-简谱.png", "春江-五线谱.pdf", "春江-五线谱.png",
    }  # fmt: skip
    assert sound(folder / "春江.wav")[0] == pytest.approx(12, rel=0.05)
    text = PdfReader(folder / "春江-简谱.pdf").pages[0].extract_text()
    assert "春江" in text
    assert "1 =" in text

    _, later = run_recipe("改成 8 秒", history=[Exchange(prompt, "写好了。", tuple(sorted(names)))])
    assert {path.name for path in later.iterdir()} == names
    assert sound(later / "春江.wav")[0] == pytest.approx(8, rel=0.05)
