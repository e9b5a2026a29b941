"""`look` shows any medium, as a picture and in words, and says what it cannot show."""

import re

import pytest

from tests.sandbox_image.conftest import Box

pytestmark = pytest.mark.engine

LINE = re.compile(r"\[picture: (/workspace/\.seen/[A-Za-z0-9_-][A-Za-z0-9._-]*)\]")
PILLOW = 'python3 -c "from PIL import Image, ImageDraw, ImageFont\n{0}"'
WORDS = PILLOW.format(
    """i = Image.new('RGB', (1240, 800), '#204060'); d = ImageDraw.Draw(i)
f = ImageFont.truetype('/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc', 64, index=2)
d.text((80, 80), 'Summer Festival', 'white', f)
d.text((80, 560), '蓝色的背景上有白色的字', 'white', f)
i.save('words.{0}')"""
)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200">{0}</svg>'
TESTSRC = "ffmpeg -v error -y -f lavfi -i testsrc=d=3:s=320x240:r=10 -pix_fmt yuv420p"
TONE = "ffmpeg -v error -y -f lavfi -i sine=frequency=440:duration=2"
NOTE = (
    'python3 -c "import mido; f = mido.MidiFile(); t = mido.MidiTrack(); f.tracks.append(t)\n'
    "for k in ('note_on', 'note_off'): t.append(mido.Message(k, note=60, time=240))\n"
    "f.save('a.mid')\""
)
SIZE_BOMB = """python3 - <<'PYTHON'
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
header = struct.pack(">IIBBBBB", 50000, 50000, 8, 2, 0, 0, 0)
body = zlib.compress(bytes(150001) * 20)
with open("huge.png", "wb") as file:
    file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body))
PYTHON"""


def picture(box: Box, output: str) -> tuple[int, int, int]:
    """The width, height and bytes of the picture that the last line names."""
    found = LINE.fullmatch(output.splitlines()[-1])
    assert found, output
    told = box.ok(f"identify -format '%w %h %B' {found[1]}")
    width, height, size = map(int, told.split())
    return width, height, size


@pytest.mark.parametrize(
    ("make", "name", "facts"),
    [
        (WORDS.format("png"), "words.png", "PNG picture, 1240x800 px"),
        (WORDS.format("jpg"), "words.jpg", "JPEG picture, 1240x800 px"),
        (WORDS.format("webp"), "words.webp", "WEBP picture"),
        (WORDS.format("bmp"), "words.bmp", "BMP picture"),
        (WORDS.format("tiff"), "words.tiff", "TIFF picture"),
        (f"{TESTSRC} -f gif a.gif", "a.gif", "frame 1: "),
        (f"{TESTSRC} a.mp4", "a.mp4", "2.75 s: "),
        (f"{TESTSRC} a.mp4", "a.mp4 --at 1.5", "video, 3.00 s, 320x240 px, h264"),
        (f"{TESTSRC} -c:v libvpx-vp9 -deadline realtime a.webm", "a.webm", "vp9"),
        (f"{TONE} a.wav", "a.wav", "level in dB, 24 steps"),
        (f"{TONE} a.mp3", "a.mp3", "loudness"),
        (f"{TONE} a.m4a", "a.m4a", "codec aac"),
        (NOTE, "a.mid", "channel 1: 1 notes from 60 to 60"),
        (f"cat > a.svg <<< '{SVG.format('<path/>')}'", "a.svg", "SVG, 400x200"),
        ("echo '<!doctype html><title>T</title><h1>Hello' > a.html", "a.html", "web page “T”"),
        ("echo '<p style=height:9000px>x' > l.html", "l.html --page 2", "part 2 of 5"),
        ("echo '<p>One' > a.html; shoot a.html a.pdf", "a.pdf", "PDF, 1 pages, the first A4"),
    ],
)  # fmt: skip
def test_a_medium_becomes_a_picture_that_a_model_can_take(
    box: Box, make: str, name: str, facts: str
) -> None:
    output = box.ok(f"mkdir -p look && cd look\n{make}\nlook {name}")
    assert facts in output
    width, height, size = picture(box, output)
    assert 100 <= max(width, height) <= 1568
    assert size <= 500_000


def test_english_and_chinese_text_is_read(box: Box) -> None:
    output = box.ok(f"{WORDS.format('png')}\nlook words.png")
    assert re.search(r"\d+%; \d+%-\d+%: Summer Festival", output)
    assert re.search("蓝色的背景上有.?白色的字", output)


def test_text_drawn_on_a_canvas_is_read(box: Box) -> None:
    box.write(
        "canvas.html",
        """<!doctype html><canvas width=1200 height=300></canvas><script>
const pen = document.querySelector("canvas").getContext("2d");
pen.font = "64px Noto Sans CJK SC";
pen.fillText("Summer Festival", 40, 90);
</script>""",
    )
    assert "Summer Festival" in box.ok("look canvas.html")


def test_the_text_of_pages_svg_and_pdf_is_exact(box: Box) -> None:
    box.write("t.svg", SVG.format('<text x="9" y="150" font-size="9">tiny 你好 &amp; exact</text>'))
    box.write("t.html", "<!doctype html><p>An <b>exact</b> text, &lt;small&gt;<p hidden>never")
    box.ok("shoot t.html t.pdf > /dev/null")
    assert "tiny 你好 & exact" in box.ok("look t.svg")
    assert "text, <small>" in box.ok("look t.html")
    assert "An exact text, <small>" in box.ok("look t.pdf")
    assert "never" not in box.ok("look t.html; look t.pdf")


def test_a_blank_picture_is_called_blank(box: Box) -> None:
    box.ok(PILLOW.format("Image.new('RGB', (800, 600), '#fdf6e3').save('blank.png')"))
    assert "blank: one flat colour; colour light orange #fdf6e3" in box.ok("look blank.png")
    box.ok(PILLOW.format("Image.new('RGBA', (800, 600)).save('clear.png')"))
    assert "blank: every pixel is transparent" in box.ok("look clear.png")
    box.ok("ffmpeg -v error -y -f lavfi -i color=black:d=1:s=160x120 black.mp4")
    assert box.ok("look black.mp4").count("blank, black #000000 100%") == 6


def test_colours_margins_and_places_are_told(box: Box) -> None:
    box.ok(PILLOW.format(
        "i = Image.new('RGB', (800, 600), 'white')\n"
        "ImageDraw.Draw(i).rectangle((400, 300, 719, 599), '#c01020'); i.save('corner.png')"
    ))  # fmt: skip
    output = box.ok("look corner.png")
    assert "white #ffffff 80%, red #c01020 20%" in output
    assert "margins left 50 %, right 10 %, top 50 %, bottom 0 %" in output


def test_a_part_is_shown_closer(box: Box) -> None:
    output = box.ok(f"{WORDS.format('png')}\nlook words.png --part 0,0,60,30")
    assert "Summer Festival" in output
    assert "蓝色" not in output
    assert picture(box, output)[0] == 1568


def test_large_print_is_scaled_and_read(box: Box) -> None:
    box.ok(f"{WORDS.format('png')}\nmagick words.png -resize 7016x4961! -depth 8 print.png")
    output = box.ok("look print.png")
    assert "Summer Festival" in output
    assert max(picture(box, output)[:2]) == 1568


def test_only_the_newest_pictures_stay(box: Box) -> None:
    box.ok(
        "for n in 1 2 3 4 5 6 7 8 9 10; do magick -size 300x200 xc:rgb\\($n,0,0\\) n$n.png; "
        "look --brief n$n.png > /dev/null; done"
    )
    assert int(box.ok("ls -A .seen | wc -l")) == 8
    assert "n10-" in box.ok("ls .seen")


def test_a_shot_page_is_also_shown(box: Box) -> None:
    box.write("shot.html", "<!doctype html><body style='background: #204060'>")
    output = box.ok("shoot shot.html shot.png")
    assert "blank: one flat colour; colour dark blue #204060" in output
    assert picture(box, output)[:2] == (1280, 800)


@pytest.mark.parametrize(
    ("make", "name", "message"),
    [
        (SIZE_BOMB, "huge.png", "50000x50000 px are too many"),
        (f"{WORDS.format('png')}; head -c 3000 words.png > cut.png", "cut.png", "truncated"),
        (f"{TESTSRC} a.mp4; head -c 3000 a.mp4 > cut.mp4", "cut.mp4", "Invalid data"),
        (f"{TESTSRC} a.mp4", "a.mp4 --at 9", "it ends at 3.00 s"),
        ("echo '<svg xmlns=\"http://www.w3.org/2000/svg\"><a></svg>' > b.svg", "b.svg", "not well"),
        ("printf '%%PDF-1.4 x' > bad.pdf", "bad.pdf", "xref"),
        ("printf 'MThd\\0\\0\\0\\6' > bad.mid", "bad.mid", "not a MIDI file"),
        ("echo hello > a.txt", "a.txt", "no picture, page, video, sound or PDF"),
        (": > empty.png", "empty.png", "the file is empty"),
        ("mkfifo p.png", "p.png", "no such file"),
        ("ln -sf /dev/zero z.png", "z.png", "no such file"),
        ("printf '#EXTM3U\\nfile:///etc/passwd\\n' > l.mp4", "l.mp4", "no picture"),
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_said(box: Box, make: str, name: str, message: str) -> None:
    box.ok(f"mkdir -p bad; cd bad\n{make}")
    result = box.run(f"cd bad; look {name}")
    assert result.status == 2
    assert message in result.output
    assert "Traceback" not in result.output


@pytest.fixture(scope="module")
def hasty(box: Box) -> str:
    """`look` as it is, but for the seconds that a page has."""
    box.ok("""cp -r /opt/tools hasty
      find hasty -name __pycache__ -prune -exec rm -r {} +
      sed -i 's/^SECONDS = 25$/SECONDS = 6/' hasty/sight/screen.py
      grep -qx 'SECONDS = 6' hasty/sight/screen.py""")
    return "/usr/bin/python3 -sE hasty/look.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("spin.html", "<script>while (true) {}</script>"),
        (
            "bomb.svg",
            SVG.format(
                '<defs><rect id="a0" width="1" height="1"/>'
                + "".join(
                    f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 9)
                )
                + '</defs><use href="#a8"/>'
            ),
        ),
    ],
)
def test_what_never_ends_is_ended(box: Box, hasty: str, name: str, content: str) -> None:
    box.write(name, content)
    result = box.run(f"{hasty} {name}", seconds=60)
    assert result.status == 2
    assert "in time" in result.output
    box.await_end_of("chromium")
