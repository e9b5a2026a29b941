"""Pages as SVG with live text, and the same pages as PNG and PDF.

The SVG carries its fonts (only the characters used), so that it looks the same in any browser,
and stays editable: text is text, layers are named. librsvg draws it, with the installed fonts.
"""

from __future__ import annotations

import base64
import io
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import Image

from .colour import contrast, hexadecimal
from .lines import Setting
from .shapes import Box, rect
from .type import Face, Font

Stop = tuple[float, str] | tuple[float, str, float]
"""Of a gradient: offset 0–1, colour, opacity."""


@dataclass(frozen=True)
class Label:
    """A line of text that has been placed, and the box of its ink: left, top, right, bottom."""

    text: str
    face: Face
    size: float
    fill: str
    box: Box
    markup: str


class Drawing:
    """One page under construction; its units are millimetres or pixels."""

    def __init__(self, width: float, height: float, unit: str = "mm", *, title: str, lang: str):
        self.width, self.height, self.unit = width, height, unit
        self.title, self.lang = title, lang
        self.labels: list[Label] = []
        self._defs: list[str] = []
        self._layers: list[tuple[str, str, list[str]]] = []

    def define(self, markup: str) -> None:
        """Add a gradient, clip path or symbol."""
        self._defs.append(markup)

    def layer(self, name: str) -> None:
        """Begin a layer (Inkscape shows the name); later drawing goes into it."""
        self._layers.append((f"layer-{len(self._layers) + 1}", name, []))

    def add(self, markup: str) -> None:
        """Draw on the current layer."""
        self._layers[-1][2].append(markup)

    def gradient(self, name: str, *stops: Stop) -> str:
        """Define a gradient from top to bottom of what it fills; returns its paint."""
        self.define(f'<linearGradient id="{name}" x2="0" y2="1">{_stops(stops)}</linearGradient>')
        return f"url(#{name})"

    def glow(
        self, name: str, *stops: Stop, cx: float = 0.5, cy: float = 0.5, r: float = 0.5
    ) -> str:
        """Define a gradient from a centre outwards, in shares of what it fills; its paint."""
        self.define(
            f'<radialGradient id="{name}" cx="{cx}" cy="{cy}" r="{r}">{_stops(stops)}'
            "</radialGradient>"
        )
        return f"url(#{name})"

    def clip(self, name: str, box: Box) -> str:
        """Define a clip to a box; returns its reference."""
        self.define(f'<clipPath id="{name}">{rect(box)}</clipPath>')
        return f"url(#{name})"

    def text(
        self,
        text: str,
        x: float,
        y: float,
        face: Face,
        size: float,
        fill: str,
        *,
        anchor: str = "start",
        tracking: float = 0,
    ) -> Box:
        """Set one line with its baseline at `y`; type lies above all layers. Returns its ink box.

        `anchor` is start, middle or end; `tracking` is in page units.
        """
        width = face.width(text, size, tracking)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        ink = face.ink(text, size, tracking)
        box = (left + ink[0], y + ink[1], left + ink[2], y + ink[3])
        # letter-spacing also follows the last letter, which would shift what is not start-aligned.
        nudge = {"start": 0.0, "middle": tracking / 2, "end": tracking}[anchor]
        families = ", ".join(f"'{family}'" for family in face.families)
        style = f' letter-spacing="{tracking:.3f}"' if tracking else ""
        style += ' font-style="italic"' if face.italic else ""
        style += f' text-anchor="{anchor}"' if anchor != "start" else ""
        markup = (
            f'<text x="{x + nudge:.2f}" y="{y:.2f}" font-family="{families}"'
            f' font-weight="{face.weight}" font-size="{size:.3f}" fill="{fill}"{style}'
            f' xml:space="preserve">{escape(text)}</text>'
        )
        self.labels.append(Label(text, face, size, fill, box, markup))
        return box

    def setting(
        self,
        setting: Setting,
        x: float,
        top: float,
        face: Face,
        fill: str,
        *,
        anchor: str = "start",
        tracking: float = 0,
    ) -> float:
        """Set broken lines with the cap line of the first at `top`; returns the last baseline."""
        y = top + face.cap(setting.size)
        for line in setting.lines:
            self.text(line, x, y, face, setting.size, fill, anchor=anchor, tracking=tracking)
            y += setting.leading
        return y - setting.leading

    def column(
        self,
        text: str,
        x: float,
        top: float,
        face: Face,
        size: float,
        fill: str,
        *,
        step: float = 1.08,
    ) -> Box:
        """Set Chinese text downwards, centred on `x`, from `top`; returns its ink box."""
        spans, y, widest = [], top, 0.0
        for char in text:
            width = face.width(char, size)
            widest = max(widest, width)
            baseline = y + 0.88 * size
            spans.append(
                f'<tspan x="{x - width / 2:.2f}" y="{baseline:.2f}">{escape(char)}</tspan>'
            )
            y += size * step
        families = ", ".join(f"'{family}'" for family in face.families)
        box = (x - widest / 2, top, x + widest / 2, y - size * (step - 1))
        markup = (
            f'<text font-family="{families}" font-weight="{face.weight}" font-size="{size:.3f}"'
            f' fill="{fill}">{"".join(spans)}</text>'
        )
        self.labels.append(Label(text, face, size, fill, box, markup))
        return box

    def svg(self, *, type: bool = True, fonts: bool = False) -> str:
        """The page as SVG; without type only the picture, `fonts` embeds them (WOFF2)."""
        w, h, unit = self.width, self.height, self.unit
        layers = list(self._layers)
        if type:
            layers.append(("type", "Type", [label.markup for label in self.labels]))
        body = "\n".join(
            f'<g id="{key}" inkscape:groupmode="layer" inkscape:label="{escape(name)}">\n'
            + "\n".join(markup)
            + "\n</g>"
            for key, name, markup in layers
        )
        style = f"<style>{font_faces(self.labels)}</style>" if fonts and type else ""
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
            ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
            f' width="{w:g}{unit}" height="{h:g}{unit}" viewBox="0 0 {w:g} {h:g}"'
            f' xml:lang="{"zh-CN" if self.lang == "zh" else "en"}">\n'
            f"<title>{escape(self.title)}</title>\n<defs>{style}{''.join(self._defs)}</defs>\n"
            f"{body}\n</svg>\n"
        )


def _stops(stops: Sequence[Stop]) -> str:
    return "".join(
        f'<stop offset="{stop[0]:g}" stop-color="{stop[1]}"'
        + (f' stop-opacity="{stop[2]:g}"' if len(stop) == 3 else "")
        + "/>"
        for stop in stops
    )


def font_faces(labels: Sequence[Label]) -> str:
    """`@font-face` rules with the characters that these labels use, as data URIs."""
    used: dict[tuple[Font, int, bool], set[str]] = {}
    for label in labels:
        for font, run in label.face.runs(label.text):
            key = (font, label.face.weight, label.face.italic)
            used.setdefault(key, set()).update(run)
    rules = []
    with tempfile.TemporaryDirectory() as folder:
        for number, ((font, weight, italic), chars) in enumerate(used.items()):
            file = Path(folder, f"{number}.woff2")
            subprocess.run(
                [
                    sys.executable, "-m", "fontTools.subset", font.file,
                    f"--font-number={font.index & 0xFFFF}",
                    f"--text={''.join(sorted(chars))}", "--flavor=woff2",
                    "--layout-features=kern,liga,lnum,mark,locl", f"--output-file={file}",
                ],
                check=True,
                capture_output=True,
            )  # fmt: skip
            data = base64.b64encode(file.read_bytes()).decode()
            slant = "font-style:italic;" if italic else ""
            rules.append(
                f"@font-face{{font-family:'{font.family}';font-weight:{weight};{slant}"
                f"src:url(data:font/woff2;base64,{data}) format('woff2')}}"
            )
    return "\n".join(rules)


def drawn(svg: str, width: int, height: int) -> Image.Image:
    """`svg` at exactly this many pixels."""
    with tempfile.NamedTemporaryFile(suffix=".svg") as source:
        source.write(svg.encode())
        source.flush()
        command = ["rsvg-convert", "--unlimited", "-w", str(width), "-h", str(height), source.name]
        bytes_ = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    with Image.open(io.BytesIO(bytes_)) as picture:
        return picture.convert("RGB")


def png(svg: str, path: Path, width: int, height: int, dpi: float | None = None) -> None:
    """Draw `svg` at exactly this many pixels; `dpi` is written into the file.

    It is written once: what lies among the results for a moment would be shown as one of them.
    """
    picture = drawn(svg, width, height)
    picture.save(path, dpi=(dpi, dpi) if dpi else None, compress_level=6)


def pdf(pages: Sequence[str], path: Path) -> None:
    """One PDF page per SVG at its own size, as vectors with embedded fonts."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, page in enumerate(pages):
            file = Path(folder, f"{number}.svg")
            file.write_text(page, encoding="utf-8")
            files.append(str(file))
        subprocess.run(
            ["rsvg-convert", "--unlimited", "-f", "pdf", "-o", str(path), *files], check=True
        )


# --------------------------------------------------------------------------------- measuring


def collisions(drawing: Drawing, margin: float) -> list[str]:
    """What is wrong with where the text stands: lines that overlap, or leave the margin."""
    found = []
    labels = drawing.labels
    for i, label in enumerate(labels):
        left, top, right, bottom = label.box
        inside = (
            left >= margin and top >= margin
            and right <= drawing.width - margin and bottom <= drawing.height - margin
        )  # fmt: skip
        if not inside:
            found.append(f"too near the edge: {label.text}")
        for other in labels[:i]:
            x0, y0, x1, y1 = other.box
            if min(right, x1) > max(left, x0) and min(bottom, y1) > max(top, y0):
                found.append(f"overlap: {label.text} / {other.text}")
    return found


def contrasts(drawing: Drawing, pixels: int = 700) -> list[tuple[Label, float]]:
    """Each line's contrast with the picture under it, as drawn: the 5th percentile of WCAG's."""
    height = round(pixels * drawing.height / drawing.width)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "picture.png")
        png(drawing.svg(type=False), path, pixels, height)
        with Image.open(path) as image:
            picture = image.point([value & 0xFC for value in range(256)] * 3)
    scale = pixels / drawing.width
    return [
        (label, _contrast(label.fill, picture, [round(edge * scale) for edge in label.box]))
        for label in drawing.labels
    ]


def _contrast(fill: str, picture: Image.Image, box: Sequence[int]) -> float:
    left, top, right, bottom = box
    area = picture.crop((left, top, max(right, left + 1), max(bottom, top + 1)))
    pixels = area.width * area.height
    worst_first: list[tuple[float, int]] = []
    for count, colour in area.getcolors(pixels) or ():
        assert isinstance(colour, tuple)  # the picture is RGB
        ratio = contrast(fill, hexadecimal([channel / 255 for channel in colour]))
        worst_first.append((ratio, count))
    seen = 0
    for ratio, count in sorted(worst_first):
        seen += count
        if seen >= 0.05 * pixels:
            return ratio
    return 1.0
