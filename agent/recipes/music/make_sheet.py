"""Sets the pages of a sheet: title, tempo, the music, and the chords that are in it."""

import re

from kit.svg import Drawing, drawn, pdf
from kit.type import face
from make_notation import pages, systems
from make_parts import Accompaniment
from make_staff import EDGE, WIDTH, chord_markup, engrave
from PIL import Image

PAGE_WIDTH, PAGE_HEIGHT, MARGIN = 210.0, 297.0, 16.0
INK, SOFT, BLUE, PALE = "#1b1c26", "#6b6d80", "#39418a", "#b9bfe6"
DPI = 150
CHINESE = {
    "calm": "宁静地", "sad": "忧伤地", "lullaby": "轻柔摇曳", "waltz": "圆舞曲速度",
    "lively": "活泼地", "march": "进行曲速度", "grand": "壮阔地",
    "chinese": "悠扬地", "birthday": "欢喜地",
}  # fmt: skip
ENGLISH = {
    "calm": "Calmly, unhurried", "sad": "Wistfully", "lullaby": "Rocking gently",
    "waltz": "Waltz time", "lively": "Lively", "march": "March tempo", "grand": "Broadly",
    "chinese": "Flowing, singing", "birthday": "Joyfully",
}  # fmt: skip


class Sheet:
    """Pages of one kind of sheet for a piece."""

    def __init__(self, piece, subtitle, lang):
        self.piece, self.subtitle, self.lang = piece, subtitle, lang
        self.serif, self.bold = face("serif", lang, 400), face("serif", lang, 700)
        self.italic = face("serif", lang, 400, italic=lang == "en")
        self.sans, self.plain = face("sans", "en", 700), face("sans", lang, 400)
        # Lato has no ♯ and ♭, and a Chinese font's are as wide as a character.
        self.symbols = f"{self.sans.latin.family}, DejaVu Sans"
        self.pages = []

    def page(self):
        """A new white page; the first carries the title. Returns it and where music may begin."""
        drawing = Drawing(PAGE_WIDTH, PAGE_HEIGHT, title=self.piece.title, lang=self.lang)
        self.pages.append(drawing)
        drawing.layer("Paper")
        drawing.add(f'<rect width="{PAGE_WIDTH}" height="{PAGE_HEIGHT}" fill="#fff"/>')
        drawing.layer("Music")
        if len(self.pages) > 1:
            drawing.text(self.piece.title, MARGIN, 15, self.italic, 3.6, SOFT)
            number = str(len(self.pages))
            drawing.text(number, PAGE_WIDTH - MARGIN, 15, self.serif, 3.6, SOFT, anchor="end")
            return drawing, 24.0
        size = min(11.0, 150 / max(1e-6, self.bold.width(self.piece.title, 1)))
        middle = PAGE_WIDTH / 2
        drawing.text(self.piece.title, middle, 27, self.bold, size, INK, anchor="middle")
        drawing.text(self.subtitle, middle, 34.5, self.italic, 4.1, SOFT, anchor="middle")
        self.tempo(drawing, MARGIN, 44)
        return drawing, 48.0

    def tempo(self, drawing, x, y):
        """The tempo words and the metronome mark from `x`, and at the right how long it takes."""
        piece, zh = self.piece, self.lang == "zh"
        words = (CHINESE if zh else ENGLISH)[piece.style]
        _, _, right, _ = drawing.text(words, x, y, self.bold, 4.0, INK)
        x = right + 4
        drawing.add(
            f'<g fill="{INK}"><ellipse cx="{x}" cy="{y - 0.7}" rx="1.05" ry="0.78"'
            f' transform="rotate(-22 {x} {y - 0.7})"/>'
            f'<rect x="{x + 0.82}" y="{y - 5.2}" width="0.24" height="4.3"/></g>'
        )
        x += 2.2
        if piece.metre == "6/8":
            drawing.add(f'<circle cx="{x}" cy="{y - 0.7}" r="0.42" fill="{INK}"/>')
            x += 1.2
        drawing.text(f"= {piece.bpm:.0f}", x, y, self.plain, 3.7, INK)
        minutes, seconds = divmod(round(piece.seconds), 60)
        length = f"{minutes}′{seconds:02d}″" if minutes else f"{seconds}″"
        length = f"约 {length}" if zh else f"about {length}"
        drawing.text(length, PAGE_WIDTH - MARGIN, y, self.plain, 3.4, SOFT, anchor="end")

    def save(self, path, picture):
        """Write the PDF, and all pages one below the other as PNG."""
        svgs = [page.svg() for page in self.pages]
        pdf(svgs, path)
        width, height = round(PAGE_WIDTH / 25.4 * DPI), round(PAGE_HEIGHT / 25.4 * DPI)
        tall = Image.new("RGB", (width, height * len(svgs)), "white")
        for number, svg in enumerate(svgs):
            tall.paste(drawn(svg, width, height), (0, number * height))
        tall.save(picture, dpi=(DPI, DPI))


def staff(piece, subtitle, lang, under, path, picture):
    """The lead sheet on a staff, with the chords as they are voiced below it."""
    sheet = Sheet(piece, subtitle, lang)
    lines = systems(piece, 15.5 if piece.bars <= 60 else 18.5)
    layout = pages(lines, 8, 10)
    words = ", ".join(sheet.serif.families)
    bodies = engrave(piece, layout, (words, sheet.symbols))
    for svg, height in bodies:
        drawing, top = sheet.page()
        wide = WIDTH + 2 * EDGE
        room = PAGE_HEIGHT - MARGIN - top
        scale = min((PAGE_WIDTH - 2 * MARGIN) / WIDTH, room / height)
        x = (PAGE_WIDTH - wide * scale) / 2
        placed = (
            f'<svg x="{x:.2f}" y="{top}" width="{wide * scale:.2f}" height="{height * scale:.2f}"'
            f' viewBox="0 0 {wide} {height:g}"'
        )
        drawing.add(re.sub(r'<svg viewBox="[^"]*"', placed, svg, count=1))
        foot = top + height * scale
    chords(sheet, drawing, foot + 10, under)
    sheet.save(path, picture)


def chords(sheet, drawing, top, under):
    """Small keyboards that show each chord as the accompaniment plays it, where there is room."""
    piece = sheet.piece
    player = Accompaniment(piece, under)
    voiced, before, bass = {}, None, None
    for chord in piece.chords:
        before, bass = player.voicing(chord, before), player.bass(chord, bass)
        voiced.setdefault(chord.symbol, sorted({bass, *before}))
    columns, step = 4, 19.0
    rows = -(-len(voiced) // columns)
    if top + 6 + rows * step > PAGE_HEIGHT - 12:
        return
    drawing.add(
        f'<path d="M{MARGIN} {top}H{PAGE_WIDTH - MARGIN}" stroke="#cfd0da" stroke-width=".25"/>'
    )
    heading = "和弦" if sheet.lang == "zh" else "Chords"
    drawing.text(heading, MARGIN, top + 7.5, sheet.bold, 4.6, INK)
    hint = (
        "按伴奏的实际音高；深色为低音" if sheet.lang == "zh"
        else "as the accompaniment plays them; dark: the bass note"
    )  # fmt: skip
    drawing.text(hint, PAGE_WIDTH - MARGIN, top + 7.2, sheet.italic, 3.2, SOFT, anchor="end")
    lowest = min(min(p) for p in voiced.values()) // 12 * 12
    highest = max(max(p) for p in voiced.values())
    width = (PAGE_WIDTH - 2 * MARGIN - 3 * 6) / columns
    for index, (symbol, pitches) in enumerate(voiced.items()):
        x = MARGIN + index % columns * (width + 6)
        y = top + 13 + index // columns * step
        name = chord_markup(symbol, 0, 0, sheet.symbols)
        drawing.add(f'<g transform="translate({x:.2f} {y:.2f}) scale(.0118)">{name}</g>')
        drawing.add(keyboard(x, y + 1.8, width, 9.0, lowest, highest, pitches))


def keyboard(x, y, width, height, lowest, highest, pitches):
    """A keyboard from C `lowest` to past `highest` with `pitches` marked."""
    last = highest + (-1 - highest) % 12
    white = [p for p in range(lowest, last + 1) if p % 12 in (0, 2, 4, 5, 7, 9, 11)]
    each = width / len(white)

    def fill(pitch, plain):
        if pitch not in pitches:
            return plain
        return BLUE if pitch == pitches[0] else PALE if plain == "#fff" else "#8089c9"

    out = [
        f'<rect x="{x + i * each:.3f}" y="{y}" width="{each:.3f}" height="{height}"'
        f' fill="{fill(p, "#fff")}" stroke="#80828f" stroke-width=".14"/>'
        for i, p in enumerate(white)
    ]
    out += [
        f'<rect x="{x + (white.index(p - 1) + 0.69) * each:.3f}" y="{y}" width="{each * 0.62:.3f}"'
        f' height="{height * 0.6:.2f}" fill="{fill(p, INK)}" stroke="{INK}" stroke-width=".1"/>'
        for p in range(lowest, last + 1)
        if p % 12 in (1, 3, 6, 8, 10)
    ]
    return "".join(out)
