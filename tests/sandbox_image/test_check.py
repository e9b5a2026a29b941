"""`check` passes good files and says what is wrong with bad ones."""

import json

import pytest

from tests.sandbox_image.conftest import Box

pytestmark = pytest.mark.engine

TONE = "sine=frequency=440:duration=3,volume=-2dB"
SOUND = 'python3 -c "import numpy, soundfile; t = numpy.arange(96000) / 48000; {0}"'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" viewBox="0 0 400 200">'
HTML = (
    "<!doctype html><html lang=en><title>t</title><meta name=viewport content=width=device-width>"
)
MIDI = (
    'python3 -c "import mido; f = mido.MidiFile(); t = mido.MidiTrack(); f.tracks.append(t)\n'
    "for kind, note, time in [{0}]: t.append(mido.Message(kind, note=note, time=time))\n"
    "f.save('{1}')\""
)


def test_good_files_pass(box: Box) -> None:
    box.ok("mkdir -p good")
    box.write(
        "good/a.html",
        f"{HTML}<style>body {{ font: 16px sans-serif }}</style><h1>你好</h1><p>Text in a page.</p>",
    )
    box.write(
        "good/a.svg", f'{SVG}<rect width="400" height="99"/><text x="9" y="150">A</text></svg>'
    )
    box.write("good/a.csv", "city,n\n东京,1\nParis,2")
    box.write("good/a.json", '{"a": [1, 2]}')
    box.write("good/a.txt", "Plain text.")
    box.ok(
        f"""cd good
ffmpeg -v error -f lavfi -i testsrc=d=3:s=320x240:r=10 -f lavfi -i '{TONE}' \
  -c:v libx264 -pix_fmt yuv420p -c:a aac -movflags +faststart a.mp4
ffmpeg -v error -f lavfi -i '{TONE}' a.wav
ffmpeg -v error -f lavfi -i '{TONE}' a.mp3
python3 -c "from PIL import Image; Image.effect_noise((300, 200), 80).save('a.png', dpi=(300, 300))"
python3 -c "from PIL import Image; Image.effect_noise((300, 200), 80).save('a.jpg')"
shoot a.html a.pdf"""
    )
    box.ok("cd good\n" + MIDI.format("('note_on', 60, 0), ('note_off', 60, 480)", "a.mid"))
    result = box.run("check good/*")
    assert result.status == 0, result.output
    assert result.output.count("\n  ok") == 12
    for fact in (
        "320x240",
        "yuv420p",
        "faststart yes",
        "LUFS",
        "dpi 300",
        "A4",
        "rows 2",
        "notes 1",
    ):
        assert fact in result.output


def test_json_has_the_same_facts_for_machines(box: Box) -> None:
    box.write("m.csv", "a,b\n1,2\n3")
    result = box.run("check --json m.csv nothing.csv")
    first, second = map(json.loads, result.output.splitlines())
    assert (first["kind"], first["facts"]["rows"]) == ("table", 2)
    assert first["findings"][0]["level"] == "warn"
    assert second["findings"] == [
        {
            "level": "fail",
            "code": "missing",
            "text": "cannot be read: no such file",
            "values": {"reason": "no such file"},
        }
    ]
    assert result.status == 2


@pytest.mark.parametrize(
    ("make", "name", "finding"),
    [
        ("ffmpeg -v error -y -f lavfi -i color=black:d=3:s=160x120 -pix_fmt yuv420p -movflags +faststart "
         "black.mp4", "black.mp4", "FAIL nothing but black"),
        ("ffmpeg -v error -y -f lavfi -i testsrc=d=1:s=160x120 -c:v libx264 -pix_fmt yuv444p "
         "-movflags +faststart 444.mp4", "444.mp4", "use yuv420p"),
        ("ffmpeg -v error -y -f lavfi -i testsrc=d=1:s=160x120 -pix_fmt yuv420p slow.mp4",
         "slow.mp4", "-movflags +faststart"),
        ("ffmpeg -v error -y -f lavfi -i smptebars=d=6:s=160x120 -pix_fmt yuv420p -movflags +faststart "
         "still.mp4", "still.mp4", "the picture stands still 0.0–6.0 s"),
        ("ffmpeg -v error -y -f lavfi -i testsrc=d=2:s=160x120 -pix_fmt yuv420p -movflags +faststart w.mp4; "
         "head -c 9000 w.mp4 > cut.mp4", "cut.mp4", "FAIL cannot be read"),
        ("echo no video > fake.mp4", "fake.mp4", "FAIL cannot be read: "),
    ],
)  # fmt: skip
def test_video(box: Box, make: str, name: str, finding: str) -> None:
    box.ok(make)
    result = box.run(f"check {name}")
    assert result.status != 0
    assert finding in result.output


@pytest.mark.parametrize(
    ("code", "name", "finding"),
    [
        ("soundfile.write('silent.wav', t * 0, 48000)", "silent.wav", "FAIL nothing but silence"),
        ("soundfile.write('clip.wav', (3 * numpy.sin(t * 999)).clip(-1, 1), 48000)",
         "clip.wav", "clipped"),
        ("soundfile.write('hot.wav', 0.999 * numpy.sin(t * 6.2831853 * 11999 + 0.8), 48000)",
         "hot.wav", "is above 0: it distorts"),
        ("soundfile.write('quiet.wav', 0.001 * numpy.sin(t * 999), 48000)", "quiet.wav", "very quiet"),
        ("soundfile.write('gap.wav', 0.5 * numpy.sin(t * 999) * (abs(t - 1) > 0.7), 48000)",
         "gap.wav", "silence inside: 0.3"),
        ("soundfile.write('drum-loop.wav', 0.5 * numpy.cos(t * 1000), 48000)",
         "drum-loop.wav", "the loop clicks"),
    ],
)  # fmt: skip
def test_sound(box: Box, code: str, name: str, finding: str) -> None:
    box.ok(SOUND.format(code))
    result = box.run(f"check {name}")
    assert result.status == 1
    assert finding in result.output


@pytest.mark.parametrize(
    ("code", "name", "finding"),
    [
        ("Image.new('RGB', (90, 90), 'white').save('flat.png')", "flat.png", "one flat colour"),
        ("Image.new('RGBA', (90, 90)).save('clear.png')", "clear.png", "every pixel is transparent"),
        ("Image.effect_noise((90, 90), 50).save('x.png'); import os; os.rename('x.png', 'x.jpg')",
         "x.jpg", "a PNG file called .jpg"),
        ("Image.effect_noise((90, 90), 50).convert('CMYK').save('c.tif')", "c.tif", "without a colour profile"),
        ("Image.effect_noise((90, 90), 50).save('y.png'); d = open('y.png', 'rb').read(); "
         "open('y.png', 'wb').write(d[:len(d) // 2])", "y.png", "FAIL cannot be read"),
    ],
)  # fmt: skip
def test_picture(box: Box, code: str, name: str, finding: str) -> None:
    box.ok(f'python3 -c "from PIL import Image; {code}"')
    result = box.run(f"check {name}")
    assert result.status != 0
    assert finding in result.output


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ('<text x="20" y="50">First label</text><text x="40" y="52">Second label</text>',
         "text overlaps: “First label” and “Second label”"),
        ('<rect width="9" height="9"/><text x="350" y="50">A label that is too long</text>',
         "text leaves the picture: “A label that is too long”"),
        ('<rect width="90" height="9"/><image href="https://example.com/a.png" width="9" height="9"/>',
         "loads https://example.com/a.png from the network"),
        ("<text>open", "FAIL cannot be read: not well-formed"),
    ],
)  # fmt: skip
def test_svg(box: Box, body: str, finding: str) -> None:
    box.write("bad.svg", f"{SVG}{body}</svg>")
    result = box.run("check bad.svg")
    assert result.status != 0
    assert finding in result.output


@pytest.mark.parametrize(
    "body",
    [
        # Neighbouring lines and labels, turned labels, an outline behind its own words.
        '<text x="20" y="50" font-size="20">One</text><text x="20" y="72" font-size="20">Two</text>',
        '<text x="20" y="50">One</text><text x="60" y="50">Two</text>',
        '<text transform="translate(50 150) rotate(-45)">Turned label</text><text x="60" y="99">Flat</text>',
        '<text x="20" y="50" stroke="red">Words</text><text x="20" y="50">Words</text>',
        # A link is not loaded.
        '<a href="https://example.com"><text x="20" y="50">example.com</text></a>',
        '<text x="20" y="50">Seen</text><text x="22" y="50" visibility="hidden">Unseen</text>',
    ],
)
def test_text_that_only_looks_close_is_left_alone(box: Box, body: str) -> None:
    box.write("fine.svg", f'{SVG}<rect y="180" width="90" height="9"/>{body}</svg>')
    box.ok("check fine.svg")


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("<p>x<script>oops()</script>", "FAIL uncaught: ReferenceError"),
        ("<p>x<script src='https://example.com/lib.js'></script>", "example.com/lib.js"),
        ("<div style='width: 900px'>wide</div>", "px wider than the screen"),
        ("<h1 style='position: absolute; top: 9px; left: 9px'>Over</h1><h1 style='position: absolute;"
         " top: 12px; left: 20px'>Under</h1>", "text overlaps: “Over” and “Under”"),
        ("<p style='width: 90px; overflow: hidden; white-space: nowrap'>A line of words that is cut</p>",
         "cut off by its box"),
        ("", "one flat colour"),
    ],
)  # fmt: skip
def test_web_page(box: Box, body: str, finding: str) -> None:
    box.write("bad.html", f"{HTML}<body>{body}")
    result = box.run("check bad.html")
    assert result.status == 1, result.output
    assert finding in result.output


def test_pdf_with_an_empty_page_a_foreign_font_and_words_off_the_paper(box: Box) -> None:
    box.ok(
        """python3 -c "
from reportlab.pdfgen.canvas import Canvas
canvas = Canvas('bad.pdf', pagesize=(300, 200))
canvas.drawString(280, 100, 'beyond')
canvas.showPage(); canvas.showPage()
canvas.save()" """
    )
    result = box.run("check bad.pdf")
    assert result.status == 1
    assert "the font Helvetica is not embedded" in result.output
    assert "page 2 is empty" in result.output
    assert "page 1: “beyo” leaves the paper" in result.output
    box.ok("head -c 300 bad.pdf > cut.pdf")
    assert box.run("check cut.pdf").status == 2


@pytest.mark.parametrize(
    ("events", "finding"),
    [
        ("('note_on', 60, 0)", "1 notes never end"),
        ("('note_on', 60, 0), ('note_on', 60, 9), ('note_off', 60, 9), ('note_off', 60, 9)",
         "1 notes start while the same note"),
        ("", "not one note"),
    ],
)  # fmt: skip
def test_midi(box: Box, events: str, finding: str) -> None:
    box.ok(MIDI.format(events, "bad.mid"))
    result = box.run("check bad.mid")
    assert result.status == 1
    assert finding in result.output


@pytest.mark.parametrize(
    ("name", "make", "finding"),
    [
        ("ragged.csv", "printf 'a,b\\n1,2\\n3\\n'", "1 rows have another number of columns, the first is row 3"),
        ("bad.json", "echo '{\"a\": }'", "FAIL cannot be read: not JSON"),
        ("gbk.txt", "printf '\\304\\343\\272\\303'", "FAIL cannot be read: not UTF-8"),
        ("lost.txt", "printf 'caf\\357\\277\\275'", "1 characters were lost"),
        ("empty.txt", "true", "FAIL the file is empty"),
        ("blank.txt", "echo", "nothing but blank space"),
        ("bad.mid", "echo no music", "FAIL cannot be read: not a MIDI file"),
    ],
)  # fmt: skip
def test_data(box: Box, name: str, make: str, finding: str) -> None:
    box.ok(f"{make} > {name}")
    result = box.run(f"check {name}")
    assert result.status != 0
    assert finding in result.output


BROKEN = r"""
V="-c:v libx264 -pix_fmt yuv420p -c:a aac -movflags +faststart"
T="-f lavfi -i testsrc=d=3:s=320x240:r=10"
S="-f lavfi -i sine=frequency=440:duration=3,volume=-2dB"
F="ffmpeg -v error -y"
$F $T $S $V whole.mp4; head -c 20000 whole.mp4 > cut.mp4
$F $T -f lavfi -i anullsrc -t 3 $V silent.mp4
$F $T $S -pix_fmt yuv420p whole.webm; head -c 25000 whole.webm > cut.webm
$F $S whole.mp3; head -c 18000 whole.mp3 > cut.mp3; cp whole.mp3 named.wav
$F $S whole.wav; head -c 99999 whole.wav > cut.wav
$F $S -c:a libvorbis whole.ogg; head -c 8000 whole.ogg > cut.ogg
$F -f lavfi -i sine=frequency=440:duration=3,volume=30dB clipped.wav
echo '<html><p>x' > page.png
python3 - <<'END'
from PIL import Image, ImageDraw, ImageFont
font = ImageFont.truetype("DejaVuSans.ttf", 40)
for name, words in (("tofu", "Besuch in \u5317\u4eac\u4e09\u65e5\u6e38"), ("letters", "Besuch in Peking")):
    image = Image.new("RGB", (900, 200), "#204060")
    ImageDraw.Draw(image).text((30, 60), words, "white", font)
    image.save(name + ".png")
from reportlab.pdfgen.canvas import Canvas
canvas = Canvas("tofu.pdf")
canvas.drawString(90, 500, "\u5317\u4eac\u4e09\u65e5\u6e38")
canvas.save()
END
"""
CODES = {
    "cut.mp4": "truncated",
    "silent.mp4": "silent",
    "cut.webm": "truncated",
    "cut.mp3": "truncated",
    "named.wav": "wrong_name",
    "cut.wav": "truncated",
    "cut.ogg": "truncated",
    "clipped.wav": "clipped",
    "page.png": "wrong_name",
    "tofu.png": "tofu",
    "tofu.pdf": "tofu",
}


def test_each_broken_file_is_caught_by_its_code_and_the_whole_one_raises_none(box: Box) -> None:
    box.ok(f"mkdir -p broken; cd broken{BROKEN}")
    box.ok("cd broken; check whole.* letters.png")
    lines = box.run(f"cd broken; check --json {' '.join(CODES)}").output.splitlines()
    found = {line["path"]: [f["code"] for f in line["findings"]] for line in map(json.loads, lines)}
    assert {name: code for name, code in CODES.items() if code not in found[name]} == {}


def test_what_was_asked_for_is_compared_where_no_file_is_as_asked(box: Box) -> None:
    tone = "ffmpeg -v error -y -f lavfi -i sine=d={0} {1}"
    box.ok(f"{tone.format(5, 'five.wav')}; {tone.format(9, 'nine.wav')}")
    asked = """--asked '{"seconds": 5, "size": [1920, 1080], "paper": "A3"}'"""
    assert "wrong" not in box.run(f"check --json {asked} -- five.wav nine.wav").output
    line = json.loads(box.run(f"check --json {asked} nine.wav").output)
    assert [(f["code"], f["values"]) for f in line["findings"]] == [
        ("wrong_seconds", {"asked": 5.0, "found": 9.0})
    ]
