"""`inspect` tells what a file is and draws what shows it, whatever the file holds."""

import base64
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image, ImageStat

from tests.sandbox_image.conftest import Box

pytestmark = [pytest.mark.engine, pytest.mark.slow]

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200">{0}</svg>'
SOLID = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
PAGE = """<!doctype html><html lang="en"><title>t</title>
<style>body { margin: 0; background: #fff } iframe { border: 0; width: 100vw; height: 70vh }</style>
<div id="bar" style="height: 30vh"></div>
<iframe src="file:///etc/passwd"></iframe>
<script type="module">
import { colour } from "./colour.js";
alert("a page may ask");
const found = await fetch("data.json").then((answer) => answer.json());
const outside = await fetch("..%2f..%2fetc%2fpasswd").then((answer) => answer.ok, () => false);
if (found.ready && !outside) bar.style.background = colour;
</script>"""
MAKE = """mkdir -p inspect && cd inspect
echo '{"ready": true}' > data.json
echo 'export const colour = "#0080ff";' > colour.js
magick -size 1200x600 gradient:red-blue wide.png
magick -size 300x300 xc:none -fill red -draw 'rectangle 0,0 99,299' clear.png
magick -size 40x30 xc:white gradient:green-red a.gif
ffmpeg -v error -y -f lavfi -i testsrc=d=8:s=640x360:r=20 \
  -f lavfi -i "aevalsrc='0.5*sin(2000*t)*gt(t,4)|-0.5*sin(2000*t)*gt(t,4)':d=8" \
  -vf "drawbox=c=black:t=fill:enable='lt(t,3)'" -pix_fmt yuv420p -movflags +faststart film.mp4
ffmpeg -v error -y -f lavfi -i "aevalsrc='0.8*sin(2000*t)*lt(t,1)':d=4" tone.wav
ffmpeg -v error -y -i tone.wav tone.mp3; ffmpeg -v error -y -i tone.wav tone.m4a
ffmpeg -v error -y -i tone.wav -c:a libopus tone.webm
python3 - <<'PYTHON'
import mido
music = mido.MidiFile()
track = mido.MidiTrack()
music.tracks.append(track)
for note in (60, 64, 67, 72):
    for kind in ("note_on", "note_off"):
        track.append(mido.Message(kind, note=note, velocity=90, time=480 * (kind == "note_off")))
music.save("tune.mid")
PYTHON
echo "<h1>Paper</h1>" > paper.html; shoot paper.html paper.pdf > /dev/null
printf 'City,People\\nOslo,709037\\n东京,13960000\\n' > table.csv
printf '# Title\\n\\nSome *words*, <b>none of them HTML</b>.\\n' > words.md
printf 'def one():\\n    return "1"  # a comment\\n' > code.py
python3 - <<'PYTHON'
import docx
letter = docx.Document()
line = letter.add_paragraph("Hel")
line.add_run("lo").bold = True
letter.add_paragraph("你好")
letter.save("paper.docx")
with open("long.txt", "w") as text:
    text.write("词语 " * 30_000)
PYTHON
head -c 3000 paper.docx > cut.docx
cp wide.png wide.jpeg.txt
"""
INSPECT = "inspect '{0}' --into 'out-{0}' {1}"


@dataclass(frozen=True)
class Found:
    told: dict[str, Any]
    files: dict[str, bytes]

    def picture(self, role: str = "poster") -> Image.Image:
        """The picture, which is as large as it was told to be."""
        told = self.role(role)
        image = Image.open(io.BytesIO(self.files[told["file"]]))
        assert image.format == "JPEG"
        assert image.size == (told["width"], told["height"])
        return image.convert("RGB")

    def role(self, role: str) -> dict[str, Any]:
        return next(preview for preview in self.told["previews"] if preview["role"] == role)

    @property
    def roles(self) -> list[str]:
        return [preview["role"] for preview in self.told["previews"]]


Inspect = Callable[..., Found]


@pytest.fixture(scope="module")
def inspect(box: Box) -> Inspect:
    box.write("inspect/page.html", PAGE)
    box.write("inspect/a.svg", SVG.format('<rect width="200" height="200" fill="red"/>'))
    box.write("inspect/solid.obj", SOLID)
    box.ok(MAKE)
    known: dict[tuple[str, str], Found] = {}

    def inspected(name: str, options: str = "") -> Found:
        if (name, options) not in known:
            told = json.loads(box.ok("cd inspect; " + INSPECT.format(name, options)))
            names = [preview["file"] for preview in told["previews"]]
            files = {file: box.read(f"inspect/out-{name}/{file}") for file in names}
            known[name, options] = Found(told, files)
        return known[name, options]

    return inspected


@pytest.mark.parametrize(
    ("name", "media_type", "kind", "size", "seconds", "roles"),
    [
        ("wide.png", "image/png", "image", (1200, 600), None, "poster wide"),
        ("wide.jpeg.txt", "image/png", "image", (1200, 600), None, "poster wide"),
        ("clear.png", "image/png", "image", (300, 300), None, "poster wide"),
        ("a.gif", "image/gif", "image", (40, 30), None, "poster wide"),
        ("a.svg", "image/svg+xml", "svg", (400, 200), None, "poster wide"),
        ("page.html", "text/html", "html", None, None, "poster wide"),
        ("film.mp4", "video/mp4", "video", (640, 360), 8, "poster wide strip peaks"),
        ("tone.wav", "audio/wav", "audio", None, 4, "poster wide peaks"),
        ("tone.mp3", "audio/mpeg", "audio", None, 4, "poster wide peaks"),
        ("tone.m4a", "audio/mp4", "audio", None, 4, "poster wide peaks"),
        ("tone.webm", "audio/webm", "audio", None, 4, "poster wide peaks"),
        ("tune.mid", "audio/midi", "midi", None, 2, "poster wide sound"),
        ("paper.pdf", "application/pdf", "pdf", None, None, "poster wide"),
        ("table.csv", "text/csv", "csv", None, None, "poster wide"),
        ("words.md", "text/markdown", "markdown", None, None, "poster wide"),
        ("code.py", "text/x-python", "text", None, None, "poster wide"),
        ("data.json", "application/json", "json", None, None, "poster wide"),
        ("solid.obj", "model/obj", "model", None, None, "poster wide"),
    ],
)
def test_a_file_of_each_kind_is_known_and_shown(
    inspect: Inspect, name: str, media_type: str, kind: str, size: Any, seconds: Any, roles: str
) -> None:
    found = inspect(name)
    assert (found.told["media_type"], found.told["kind"]) == (media_type, kind)
    if size:
        assert (found.told["width"], found.told["height"]) == size
    if seconds:
        assert found.told["seconds"] == pytest.approx(seconds, abs=0.3)
    assert found.roles == roles.split()
    poster = found.picture()
    assert max(poster.size) <= 640
    assert len(found.files["poster.jpg"]) <= 200_000
    assert max(ImageStat.Stat(poster).stddev) > 3, "nothing is to be seen in it"
    start, _, data = found.told["blur"].partition(",")
    assert start == "data:image/jpeg;base64"
    assert len(found.told["blur"]) <= 1500
    assert max(Image.open(io.BytesIO(base64.b64decode(data))).size) <= 24


def test_what_can_be_read_in_a_file_is_told(inspect: Inspect) -> None:
    assert inspect("paper.pdf").told["text"] == "Paper"
    assert inspect("table.csv").told["text"] == "City People Oslo 709037 东京 13960000"
    assert inspect("words.md").told["text"].startswith("# Title Some *words*")
    assert inspect("paper.docx").told["text"] == "Hello 你好"
    assert "import" not in inspect("page.html").told["text"]
    assert len(inspect("long.txt").told["text"]) == 20_000
    assert inspect("wide.png").told["text"] == inspect("cut.docx").told["text"] == ""


def test_pictures_fill_their_posters_and_stand_on_white(inspect: Inspect) -> None:
    assert inspect("wide.png").picture().size == (640, 320)
    clear = inspect("clear.png").picture()
    assert near(clear.getpixel((280, 150)), (255, 255, 255))
    assert near(clear.getpixel((20, 150)), (255, 0, 0))
    drawing = inspect("a.svg").picture()
    assert drawing.size == (640, 320)
    assert near(drawing.getpixel((100, 160)), (255, 0, 0))
    assert near(drawing.getpixel((500, 160)), (255, 255, 255))


def test_beside_a_link_the_whole_picture_stands_on_a_ground_of_its_colours(
    inspect: Inspect,
) -> None:
    for name in ("wide.png", "clear.png", "a.gif", "page.html", "tone.wav"):
        assert inspect(name).picture("wide").size == (1200, 630)
        assert len(inspect(name).files["wide.jpg"]) <= 200_000
    drawing = inspect("a.svg").picture("wide")
    assert near(drawing.getpixel((150, 315)), (255, 0, 0))
    assert near(drawing.getpixel((1050, 315)), (255, 255, 255))
    # A small one is not blown up: beside it is a darker ground.
    small = inspect("a.gif").picture("wide")
    assert small.getpixel((20, 315)) != small.getpixel((600, 315))


def test_a_page_is_shown_as_it_is_served_and_sees_its_own_folder_alone(inspect: Inspect) -> None:
    poster = inspect("page.html").picture()
    assert poster.size == (640, 400)
    # Its module was loaded, its data were there, and a dialogue held up nothing.
    assert near(poster.getpixel((320, 40)), (0, 128, 255))
    below = poster.crop((0, 130, 640, 400))
    assert below.getextrema() == ((255, 255),) * 3, "the frame shows a file from elsewhere"


def test_a_video_has_a_frame_that_is_not_black_and_a_strip_of_all_of_it(inspect: Inspect) -> None:
    found = inspect("film.mp4")
    assert ImageStat.Stat(found.picture().convert("L")).mean[0] > 60
    strip, frames = found.picture("strip"), found.role("strip")["frames"]
    assert frames == 24
    assert strip.size == (160 * frames, 90)
    light = [
        ImageStat.Stat(strip.crop((160 * n + 8, 8, 160 * n + 152, 82)).convert("L")).mean[0] > 30
        for n in range(frames)
    ]
    assert light == [n / frames * 8 >= 3 for n in range(frames)]


def test_peaks_follow_the_sound(inspect: Inspect) -> None:
    # The two sides of the film's sound would cancel each other out.
    for name, seconds, loud in (("tone.wav", 4, (0, 1)), ("film.mp4", 8, (4, 8))):
        told = json.loads(inspect(name).files["peaks.json"])
        assert told["seconds"] == pytest.approx(seconds, abs=0.2)
        peaks = told["peaks"]
        assert 100 <= len(peaks) <= 1000
        assert all(-1 <= low <= high <= 1 for low, high in peaks)
        for number, (low, high) in enumerate(peaks):
            time = (number + 0.5) / len(peaks) * seconds
            if loud[0] + 0.1 < time < loud[1] - 0.1:
                assert high - low > 0.5
            elif not loud[0] - 0.1 < time < loud[1] + 0.1:
                assert high - low < 0.1


def test_midi_can_be_heard(inspect: Inspect, box: Box) -> None:
    inspect("tune.mid")
    show = "-show_entries stream=codec_name:format=duration -of default=nw=1:nk=1"
    codec, seconds = box.ok(f"ffprobe -v error {show} inspect/out-tune.mid/sound.mp3").split()
    assert codec == "mp3"
    assert 2 <= float(seconds) <= 6


def test_what_was_asked_for_is_checked(inspect: Inspect) -> None:
    assert not inspect("wide.png").told["findings"]
    (finding,) = inspect("wide.png", """--asked '{"size": [640, 480]}'""").told["findings"]
    assert finding["level"] in ("warn", "fail")
    assert {"level", "code", "text", "values"} == set(finding)


HOSTILE = {
    "list.mp4": "#EXTM3U\n#EXTINF:8,\nfilm.mp4\n#EXT-X-ENDLIST\n",
    "cat.mp4": "ffconcat version 1.0\nfile film.mp4\n",
    "entity.svg": '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "/etc/passwd">]>'
    + SVG.format('<text y="50">&x;</text><image href="wide.png" width="400" height="200"/>'),
    "bomb.svg": SVG.format(
        '<defs><rect id="a0" width="1" height="1"/>'
        + "".join(f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 9))
        + '</defs><use href="#a8"/>'
    ),
    "spin.html": "<script>while (true) {}</script>",
}
BYTES = """cd inspect; python3 - <<'PYTHON'
import os, struct, zipfile, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
header = struct.pack(">IIBBBBB", 50000, 50000, 8, 2, 0, 0, 0)
body = zlib.compress(bytes(150001) * 20)
start = b"\\x89PNG\\r\\n\\x1a\\n"
open("huge.png", "wb").write(start + chunk(b"IHDR", header) + chunk(b"IDAT", body))
film = open("film.mp4", "rb").read()
open("cut.mp4", "wb").write(film[:2000])
open("noise.mp4", "wb").write(film[:5000] + os.urandom(len(film) - 5000))
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
    file.writestr("a", bytes(300_000_000))
open("noise.glb", "wb").write(b"glTF" + os.urandom(300))
open("empty.png", "wb").close()
PYTHON
printf '%%PDF-1.4 x' > bad.pdf; printf 'MThd\\0\\0\\0\\6' > bad.mid"""


@pytest.fixture(scope="module")
def hostile(box: Box, inspect: Inspect) -> Inspect:
    for name, text in HOSTILE.items():
        box.write(f"inspect/{name}", text)
    box.ok(BYTES)
    return inspect


@pytest.mark.parametrize(
    "name",
    [
        "huge.png",
        "cut.mp4",
        "noise.mp4",
        "bomb.zip",
        "noise.glb",
        "empty.png",
        "bad.pdf",
        "bad.mid",
    ],
)
def test_what_cannot_be_shown_has_no_poster_and_is_told_all_the_same(
    hostile: Inspect, name: str
) -> None:
    found = hostile(name)
    assert found.roles == []
    if name not in ("bomb.zip", "noise.glb"):
        assert "fail" in [finding["level"] for finding in found.told["findings"]]


@pytest.mark.parametrize("name", ["list.mp4", "cat.mp4"])
def test_a_list_of_other_files_is_a_text(hostile: Inspect, name: str) -> None:
    found = hostile(name)
    assert found.told["kind"] == "text"
    assert found.roles == ["poster", "wide"]
    assert "size" not in found.told["facts"]


def test_a_drawing_shows_no_other_file(hostile: Inspect) -> None:
    poster = hostile("entity.svg").picture()
    middle = poster.crop((80, 120, 640, 320))
    assert middle.getextrema() == ((255, 255),) * 3


@pytest.mark.parametrize("name", ["bomb.svg", "spin.html"])
def test_what_never_ends_is_ended_in_time(hostile: Inspect, box: Box, name: str) -> None:
    found = hostile(name, "--seconds 9")
    assert found.roles == []
    assert [finding["code"] for finding in found.told["findings"]] == ["unchecked"]
    # What is killed takes a moment to give back the memory it had taken.
    gone = "for _ in $(seq 100); do ! pgrep -r R,S,D chrom && exit; sleep 0.1; done; exit 1"
    box.ok(gone)


def near(colour: Any, other: tuple[int, int, int]) -> bool:
    return all(abs(one - two) <= 12 for one, two in zip(colour, other, strict=True))
