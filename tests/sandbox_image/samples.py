"""Makes one file of each kind as it should be in `good/`, and broken ones in `bad/`.

Runs in the sandbox, whose programs make the files: `python3 samples.py`.
"""

from __future__ import annotations

import json
import math
import struct
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import docx
import mido
import numpy
import openpyxl
import pptx
import soundfile
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

GOOD, BAD = Path("good"), Path("bad")
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
RATE = 48_000
NO_SIGNS = "\u5317\u4eac\u4e09\u65e5\u6e38"

PICTURE = "-f lavfi -i testsrc=d=3:s=160x120:r=10"
SOUND = "-f lavfi -i sine=frequency=440:duration=3,volume=-2dB"
H264 = "-c:v libx264 -pix_fmt yuv420p -c:a aac -shortest"
EARLY = "-movflags +faststart"
DARKENED = "drawbox=t=fill:c=black:enable='gt(t,1.4)'"
FILMS = {
    "good/a.mp4": f"{PICTURE} {SOUND} {H264} {EARLY}",
    "good/a.webm": f"{PICTURE} {SOUND} -pix_fmt yuv420p",
    "good/a.mp3": SOUND,
    "good/a.m4a": f"{SOUND} {EARLY}",
    "good/a.flac": SOUND,
    "good/a.ogg": f"{SOUND} -c:a libvorbis",
    "bad/silent.mp4": f"{PICTURE} -f lavfi -i anullsrc {H264} {EARLY}",
    "bad/black.mp4": f"-f lavfi -i color=black:d=3:s=160x120 {SOUND} {H264} {EARLY}",
    "bad/black-part.mp4": f"{PICTURE} {SOUND} -vf {DARKENED} {H264} {EARLY}",
    "bad/frozen.mp4": f"-f lavfi -i smptebars=d=6:s=160x120 {H264} {EARLY}",
    "bad/late.mp4": f"{PICTURE} {SOUND} {H264}",
    "bad/444.mp4": f"{PICTURE} -c:v libx264 -pix_fmt yuv444p {EARLY}",
    "bad/short-sound.mp4": f"{PICTURE} -f lavfi -i sine=d=1 -pix_fmt yuv420p {EARLY}",
}
CUT = ("mp4", "webm", "mp3", "ogg", "flac", "wav", "png", "jpg", "pdf", "zip", "docx", "glb", "stl")

HEAD = (
    "<!doctype html><html lang=en><title>t</title>"
    "<meta name=viewport content=width=device-width><body>"
)
PAGES = {
    "good/a.html": f"{HEAD}<style>body {{ font: 16px sans-serif }}</style><h1>你好</h1>"
    "<img src=a.png alt=Noise width=90><a href='a.pdf#page=1'>Paper</a>"
    "<style>@keyframes in { from { opacity: 0.1 } }</style><p style='animation: in 9s'>Coming",
    "bad/script.html": f"{HEAD}<p>x<script>oops()</script>",
    "bad/console.html": f"{HEAD}<p>x<script>console.error('no data')</script>",
    "bad/network.html": f"{HEAD}<p>x<script src=https://example.com/lib.js></script>",
    "bad/no-picture.html": f"{HEAD}<p>x<img src=none.png alt=None>",
    "bad/wide.html": f"{HEAD}<div style='width: 900px'>wide</div>",
    "bad/over.html": f"{HEAD}<h1 style='position: absolute; top: 9px'>Over</h1>"
    "<h1 style='position: absolute; top: 12px; left: 20px'>Under</h1>",
    "bad/cut.html": f"{HEAD}<p style='width: 90px; overflow: hidden; white-space: nowrap'>"
    "A line of words that is cut</p>",
    "bad/blank.html": HEAD,
    "bad/language.html": HEAD.replace(" lang=en", "") + "<p>x",
    "bad/faint.html": f"{HEAD}<p style='color: #bbb'>Faint</p><button></button>",
    "bad/sign.html": f"{HEAD}<p>An icon \ue900 without its font",
    "bad/link.html": f"{HEAD}<a href=none.html>None</a> <a href='/workspace/output/a.html'>Here</a>"
    "<a href=script.html>There</a> <a href=https://example.com/>Elsewhere</a>",
}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200" viewBox="0 0 400 200">'
# Neighbouring lines and labels, turned labels, an outline behind its own words, an unseen word;
# and a link, which is not loaded.
CLOSE = (
    '<text x="20" y="50" font-size="20">One</text><text x="20" y="72" font-size="20">Two</text>',
    '<text x="20" y="50">One</text><text x="60" y="50">Two</text>',
    '<text transform="translate(50 120) rotate(-45)">Turned</text><text x="60" y="69">Flat</text>',
    '<text x="20" y="50" stroke="red">Words</text><text x="20" y="50">Words</text>',
    '<text x="20" y="50">Seen</text><text x="22" y="50" visibility="hidden">Unseen</text>',
    '<a href="https://example.com"><text x="20" y="50">example.com</text></a>',
)
SQUARE = '<rect width="90" height="9"/>'
DRAWINGS = {
    "good/a.svg": f'{SVG}{SQUARE}<text x="9" y="150">A 你</text></svg>',
    "good/close.svg": SVG.replace("200", "900")
    + "".join(f'<g transform="translate(0 {n * 140})">{texts}</g>' for n, texts in enumerate(CLOSE))
    + "</svg>",
    "bad/over.svg": f'{SVG}<text y="50">First label</text><text x="9" y="52">Second</text></svg>',
    "bad/outside.svg": f'{SVG}{SQUARE}<text x="350" y="50">A label that is too long</text></svg>',
    "bad/network.svg": f'{SVG}{SQUARE}<image href="https://example.com/a.png" width="9"/></svg>',
    "bad/open.svg": f"{SVG}<text>open</svg>",
    "bad/blank.svg": f"{SVG}</svg>",
    "bad/sign.svg": f'{SVG}{SQUARE}<text x="20" y="50">\ue900</text></svg>',
    "bad/no-view-box.svg": f"{SVG.replace('viewBox', 'data-box')}{SQUARE}</svg>",
}
TRIANGLES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1/1 2/2 -1/3\n"
VERTICES = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
GLTF = {"asset": {"version": "2.0"}}
FEATURES = {"type": "FeatureCollection", "features": []}
TEXTS = {
    "good/a.csv": "city,n\n东京,1\nParis,2",
    "good/a.json": '{"a": [1, 2]}',
    "good/a.geojson": json.dumps(FEATURES),
    "good/a.jsonl": '{"a": 1}\n[2]\n',
    "good/a.xml": '<?xml version="1.0"?><a><b/></a>',
    "good/a.txt": "Plain text.",
    "good/a.md": "# T\n\n![Noise](a.png) [a page](a.html#x) <https://example.com> `![](none.png)`",
    "good/a.obj": TRIANGLES,
    "good/b.stl": f"solid\nfacet\nouter loop\n{VERTICES}endloop\nendfacet\nendsolid\n",
    "bad/ragged.csv": "a,b\n1,2\n3\n",
    "bad/heading.csv": "a,b\n",
    "bad/open.json": '{"a": }',
    "bad/deep.json": "[" * 200_000,
    "bad/open.geojson": '{"type": "FeatureCollection"}',
    "bad/open.jsonl": '{"a": 1}\n{"a"',
    "bad/open.xml": "<a><b></a>",
    "bad/lost.txt": "caf\ufffd",
    "bad/empty.txt": "",
    "bad/blank.txt": "\n",
    "bad/picture.md": "![A picture](none.png)",
    "bad/link.md": "[Paper](none.pdf)",
    "bad/corner.obj": TRIANGLES + "f 1 2 9\n",
    "bad/faces.obj": "v 0 0 0\n",
    "bad/fake.gltf": json.dumps(GLTF | {"meshes": [{"primitives": [{"attributes": {}}]}]}),
    "bad/parts.gltf": json.dumps(GLTF | {"buffers": [{"uri": "none.bin", "byteLength": 9}]}),
    "bad/fake.mp4": "no video",
    "bad/fake.wav": "no sound",
    "bad/fake.png": "<html><p>x",
    "bad/fake.pdf": "no paper",
    "bad/fake.mid": "no music",
    "bad/fake.zip": "no archive",
    "bad/fake.xlsx": "a,b",
    "bad/fake.glb": "no model",
}


def films() -> None:
    def make(name: str) -> None:
        command = f"ffmpeg -v error -y -threads 1 {FILMS[name]} {name}".split()
        subprocess.run(command, check=True)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(make, FILMS))


def sounds() -> None:
    time = numpy.arange(3 * RATE) / RATE
    tone = numpy.sin(2 * math.pi * 220 * time)
    # Struck strings die away for long, and a zither is quiet.
    plucked = 0.1 * tone * numpy.exp(-1.2 * time)
    made = {
        "good/a.wav": 0.5 * tone,
        "good/plucked.wav": numpy.concatenate([plucked, plucked, plucked * 0.5]),
        "good/beat-loop.wav": 0.5 * tone,
        "bad/silent.wav": 0 * tone,
        "bad/clipped.wav": (3 * tone).clip(-1, 1),
        "bad/hot.wav": 0.999 * numpy.sin(time * 2 * math.pi * 11_999 + 0.8),
        "bad/quiet.wav": 0.001 * tone,
        "bad/gap.wav": 0.5 * tone * (abs(time - 1.5) > 0.7),
        "bad/drum-loop.wav": 0.5 * numpy.cos(time * 1000),
        "bad/no-length.wav": tone[:1],
    }
    for name, samples in made.items():
        soundfile.write(name, samples, RATE)
    (BAD / "named.wav").write_bytes((GOOD / "a.mp3").read_bytes())


def pictures() -> None:
    noise = Image.effect_noise((300, 200), 80)
    noise.save(GOOD / "a.png", dpi=(300, 300))
    noise.save(GOOD / "a.jpg")
    noise.convert("RGB").save(GOOD / "a.webp")
    Image.new("RGB", (90, 90), "white").save(BAD / "blank.png")
    Image.new("RGBA", (90, 90)).save(BAD / "clear.png")
    noise.save(BAD / "named.jpg", "PNG")
    noise.convert("CMYK").save(BAD / "print.tif")
    for name, words in (("good/words.png", "Besuch in Peking"), ("bad/tofu.png", NO_SIGNS)):
        image = Image.new("RGB", (900, 200), "#204060")
        ImageDraw.Draw(image).text((30, 60), words, "white", ImageFont.truetype(FONT, 40))
        image.save(name)


def papers() -> None:
    pdfmetrics.registerFont(TTFont("Embedded", FONT))
    for name, font, words in (
        ("good/a.pdf", "Embedded", ["Words"]),
        ("bad/fonts.pdf", "Times-Roman", ["Words"]),
        ("bad/tofu.pdf", "Embedded", [NO_SIGNS]),
        ("bad/page.pdf", "Embedded", ["Words", ""]),
    ):
        canvas = Canvas(name)
        for page in words:
            canvas.setFont(font, 20)
            canvas.drawString(90, 500, page)
            canvas.showPage()
        canvas.save()
    canvas = Canvas("bad/off.pdf", pagesize=(300, 200))
    canvas.setFont("Embedded", 20)
    canvas.drawString(260, 100, "beyond")
    canvas.save()


def music() -> None:
    on, off = ("note_on", 60, 0), ("note_off", 60, 480)
    for name, events in (
        ("good/a.mid", [on, off]),
        ("bad/no-notes.mid", []),
        ("bad/hanging.mid", [on]),
        ("bad/doubled.mid", [on, on, off, off]),
    ):
        track = mido.MidiTrack(mido.Message(kind, note=note, time=t) for kind, note, t in events)
        mido.MidiFile(tracks=[track]).save(name)


def documents() -> None:
    book = openpyxl.Workbook()
    book.save(BAD / "empty.xlsx")
    book.active["A1"] = "Word"
    book.save(GOOD / "a.xlsx")
    book.active["A2"] = "#REF!"
    book.save(BAD / "errors.xlsx")
    words = docx.Document()
    words.save(BAD / "empty.docx")
    words.add_paragraph("Words")
    words.save(GOOD / "a.docx")
    slides = pptx.Presentation()
    slides.slides.add_slide(slides.slide_layouts[0]).shapes.title.text = "Words"
    slides.save(GOOD / "a.pptx")
    with zipfile.ZipFile(GOOD / "a.zip", "w") as file:
        file.writestr("a.txt", "Plain text. " * 99)
    # Programs refuse a book whose sheet is not there, or does not parse.
    for name, change in (("sheet.xlsx", None), ("open.xlsx", b"<worksheet>")):
        with zipfile.ZipFile(GOOD / "a.xlsx") as old, zipfile.ZipFile(BAD / name, "w") as new:
            for part in old.namelist():
                data = old.read(part)
                if part == "xl/worksheets/sheet1.xml":
                    if change is None:
                        continue
                    data = change
                new.writestr(part, data)


def solids() -> None:
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    points = b"".join(struct.pack("<3f", *corner) for corner in corners)
    (GOOD / "a.stl").write_bytes(bytes(80) + struct.pack("<I", 1) + bytes(12) + points + bytes(2))
    tree = {
        **GLTF,
        "buffers": [{"byteLength": len(points)}],
        "bufferViews": [{"buffer": 0, "byteLength": len(points)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    }
    for name, count in (("good/a.glb", 3), ("bad/outside.glb", 4)):
        tree["accessors"][0]["count"] = count
        text = json.dumps(tree).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<I4s", len(text), b"JSON") + text
        body += struct.pack("<I4s", len(points), b"BIN\0") + points
        Path(name).write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)


def main() -> None:
    GOOD.mkdir()
    BAD.mkdir()
    for name, text in {**PAGES, **DRAWINGS, **TEXTS}.items():
        Path(name).write_text(text, "utf-8")
    (BAD / "gbk.txt").write_bytes(b"\304\343\272\303")
    for make in (films, sounds, pictures, papers, music, documents, solids):
        make()
    for suffix in CUT:
        data = (GOOD / f"a.{suffix}").read_bytes()
        (BAD / f"cut.{suffix}").write_bytes(data[: len(data) * 2 // 3])


main()
