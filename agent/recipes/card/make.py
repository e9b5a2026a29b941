"""Make a card: a PDF for print (with bleed) and a PNG to look at. Usage: make.py recipe.json"""

import io
from dataclasses import dataclass
from pathlib import Path
from random import Random

import make_art
from kit.colour import PALETTES, from_colours, mix
from kit.plants import blossom, in_bloom, leaf
from kit.script import run
from kit.shapes import rect
from kit.svg import Drawing, collisions, contrasts, drawn, pdf
from make_words import set_front, set_inside, tones
from PIL import Image, ImageFilter
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

BLEED = 3.0
"""Millimetres beyond the trimmed edge."""


@dataclass
class Panel:
    """One face of the card on a sheet, in mm; `full` reaches into the bleed where there is any."""

    left: float
    top: float
    width: float
    height: float
    full: tuple
    seal: tuple = ()
    """Where a picture wants its one large character: x, y, size, colour."""

    @property
    def right(self):
        return self.left + self.width

    @property
    def bottom(self):
        return self.top + self.height

    @property
    def cx(self):
        return self.left + self.width / 2

    @property
    def cy(self):
        return self.top + self.height / 2

    @property
    def u(self):
        """A hundredth of its shorter side."""
        return min(self.width, self.height) / 100

    @property
    def trim(self):
        return (self.left, self.top, self.right, self.bottom)

    def share(self, left, top, right, bottom):
        """A box inside it, in shares of its width and height."""
        return (
            self.left + left * self.width,
            self.top + top * self.height,
            self.left + right * self.width,
            self.top + bottom * self.height,
        )


def sheet(parameters, panels):
    """An empty drawing for this many panels side by side, and the panels."""
    size = parameters["size"]
    width, height = size["width"], size["height"]
    drawing = Drawing(
        panels * width + 2 * BLEED,
        height + 2 * BLEED,
        title=parameters["title"],
        lang=parameters["lang"],
    )
    faces = []
    for number in range(panels):
        left = BLEED + number * width
        start = 0 if number == 0 else left
        end = drawing.width if number == panels - 1 else left + width
        faces.append(Panel(left, BLEED, width, height, (start, 0, end, drawing.height)))
        drawing.clip(f"face{number}", faces[-1].full)
    return drawing, faces


def draw_front(drawing, panel, number, parameters, palette):
    """The picture and the words of the card's face."""
    random = Random(parameters["seed"])
    drawing.layer("Front")
    drawing.add(f'<g clip-path="url(#face{number})">')
    box = getattr(make_art, parameters["style"])(drawing, panel, palette, random)
    drawing.add("</g>")
    set_front(drawing, panel, box, parameters, palette)


def draw_back(drawing, panel, palette, style):
    """The outside left: plain, with a small mark."""
    inks = tones(palette, style)
    ground = mix(palette.primary, palette.deep, 0.45) if style == "medallion" else palette.deep
    drawing.layer("Back")
    drawing.add(rect(panel.full, ground if inks.dark else palette.light))
    sprig(drawing, panel.cx, panel.bottom - 14 * panel.u, 5 * panel.u, palette)


def draw_inside(drawing, faces, parameters, palette):
    """Two pages of paper; the message is on the right one."""
    drawing.layer("Inside")
    drawing.add(rect((0, 0, drawing.width, drawing.height), palette.light))
    page = faces[1]
    sprig(drawing, page.cx, page.top + 13 * page.u, 6 * page.u, palette)
    set_inside(drawing, page, parameters, palette)


def sprig(drawing, x, y, size, palette):
    """A flower between two pairs of leaves: the card's small mark."""
    plants = in_bloom(palette)
    for angle in (-152, -28, 152, 28):
        tone = mix(plants.primary, palette.light, 0.25 if angle < 0 else 0)
        drawing.add(leaf(x, y, angle, 1.5 * size, tone, mix(tone, palette.light, 0.4)))
    drawing.add(blossom(x, y, 0.62 * size, plants.accent, palette.deep))


def print_pdf(drawings, path, parameters):
    """PDF pages with trim and bleed boxes, so that a printer knows where to cut."""
    pdf([drawing.svg() for drawing in drawings], path)
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(path.read_bytes())))
    for page in writer.pages:
        page.bleedbox = RectangleObject(page.mediabox)
        inset = BLEED * 72 / 25.4
        page.trimbox = RectangleObject(
            (inset, inset, float(page.mediabox.width) - inset, float(page.mediabox.height) - inset)
        )
    writer.add_metadata({"/Title": parameters["title"]})
    writer.write(path)


def preview(pages, path, dpi):
    """The trimmed faces as they look: one alone, or front and inside side by side on a table."""
    faces = []
    for drawing, panel in pages:
        scale = dpi / 25.4
        size = round(drawing.width * scale), round(drawing.height * scale)
        edges = [round(edge * scale) for edge in panel.trim]
        faces.append(drawn(drawing.svg(), *size).crop(edges))
    if len(faces) == 1:
        faces[0].save(path, dpi=(dpi, dpi))
        return
    gap = round(0.09 * faces[0].width)
    wide = sum(face.width for face in faces) + gap * (len(faces) + 1)
    table = Image.new("RGB", (wide, faces[0].height + 2 * gap), "#d9d6d0")
    shadow = Image.new("L", table.size, 0)
    for number, face in enumerate(faces):
        spot = (gap + number * (face.width + gap), gap)
        shadow.paste(
            95,
            (spot[0], spot[1] + gap // 8, spot[0] + face.width, spot[1] + gap // 8 + face.height),
        )
    shadow = shadow.filter(ImageFilter.GaussianBlur(gap // 5))
    table.paste("#3a352e", mask=shadow)
    for number, face in enumerate(faces):
        table.paste(face, (gap + number * (face.width + gap), gap))
    table.save(path, dpi=(dpi, dpi))


def make(parameters):
    palette = Random(parameters["seed"]).choice(PALETTES[parameters["mood"]])
    if parameters["colours"]:
        palette = from_colours(parameters["colours"], palette)
    print(f"style: {parameters['style']}, {parameters['mood']}", flush=True)
    if parameters["folded"]:
        outside, faces = sheet(parameters, 2)
        draw_back(outside, faces[0], palette, parameters["style"])
        draw_front(outside, faces[1], 1, parameters, palette)
        inside, pages = sheet(parameters, 2)
        draw_inside(inside, pages, parameters, palette)
        drawings, shown = [outside, inside], [(outside, faces[1]), (inside, pages[1])]
    else:
        front, faces = sheet(parameters, 1)
        draw_front(front, faces[0], 0, parameters, palette)
        drawings, shown = [front], [(front, faces[0])]
    for drawing in drawings:
        least = min(ratio for _, ratio in contrasts(drawing))
        print(f"type: {len(drawing.labels)} lines, least contrast {least:.1f}:1", flush=True)
        for finding in collisions(drawing, BLEED + 4):
            print(f"finding: {finding}", flush=True)
    out = Path("output")
    out.mkdir(exist_ok=True)
    print_pdf(drawings, out / parameters["files"]["pdf"], parameters)
    print(f"{parameters['files']['pdf']}: {len(drawings)} page(s), {BLEED:g} mm bleed", flush=True)
    preview(shown, out / parameters["files"]["png"], 300)
    print(parameters["files"]["png"], flush=True)


run(make)
