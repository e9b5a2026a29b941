"""Sets 简谱, numbered notation: figures for degrees, dots for octaves, lines for lengths.

1 is the tonic of the major key with the same signature, so a minor piece rests on 6.
"""

from make_notation import bars_of, pages, systems
from make_sheet import BLUE, INK, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, SOFT, Sheet
from make_staff import chord_markup
from make_theory import PULSE

SIZE = 6.2
"""Height of the figures' em, mm."""
LINE, FIRST_LINES, LATER_LINES = 24.5, 9, 10
MAJOR_NAMES = [*("C♭", "G♭", "D♭", "A♭", "E♭", "B♭", "F", "C", "G", "D", "A", "E", "B", "F♯", "C♯")]
STEP = {"C": 0, "D": 1, "E": 2, "F": 3, "G": 4, "A": 5, "B": 6}


def numbered(piece, subtitle, lang, path, picture):
    """Write the sheet as PDF and PNG."""
    sheet = Numbered(piece, subtitle, lang)
    lines = systems(piece, 15.5)
    bars = bars_of(piece)
    for page in pages(lines, FIRST_LINES, LATER_LINES):
        drawing, top = sheet.page()
        # Few lines are set larger and further apart, so that the page is used.
        step = min(LINE * 1.4, (PAGE_HEIGHT - MARGIN - top) / max(len(page), 7))
        for number, line in enumerate(page):
            last = number == len(page) - 1 and line is lines[-1]
            sheet.line(drawing, line, bars, top + step * (number + 0.72), last)
    sheet.save(path, picture)


class Numbered(Sheet):
    """The pages; figures are in the sans face, centred on their places."""

    def __init__(self, piece, subtitle, lang):
        super().__init__(piece, subtitle, lang)
        self.digit = self.sans
        name = MAJOR_NAMES[piece.key.fifths + 7]
        self.do = name
        self.do_letter = STEP[name[0]]
        tonic = piece.key.home if piece.key.mode == "major" else piece.key.home + 3
        self.home = tonic if tonic <= 66 else tonic - 12

    def tempo(self, drawing, x, y):
        """`1 = ♭E  3/4` before the tempo, as is the custom."""
        name = self.do[1:] + self.do[0]
        _, _, right, _ = drawing.text(f"1 = {name}", x, y, self.digit, 4.6, INK)
        x = right + 6
        over, under = self.piece.metre.split("/")
        drawing.text(over, x, y - 2.1, self.digit, 4.0, INK, anchor="middle")
        drawing.text(under, x, y + 2.5, self.digit, 4.0, INK, anchor="middle")
        drawing.add(f'<path d="M{x - 2} {y - 1.35}h4" stroke="{INK}" stroke-width=".3"/>')
        super().tempo(drawing, x + 8, y)

    def figure(self, item):
        """(digit, octave dots, accidental) of a note."""
        letter, _, _ = self.piece.key.spelt(item.note.degree, item.note.raised)
        digit = (STEP[letter] - self.do_letter) % 7
        pitch = self.piece.key.pitch(item.note.degree, item.note.raised)
        natural = (0, 2, 4, 5, 7, 9, 11)[digit]
        away = (pitch - self.home - natural + 6) % 12 - 6
        dots = (pitch - away - natural - self.home) // 12
        return digit + 1, dots, {1: "♯", -1: "♭"}.get(away, "")

    def line(self, drawing, line, bars, y, last):
        """One system: bars spaced by what is in them."""
        weights = [self.weight(bars[bar]) for bar in line]
        total = sum(weights)
        room = PAGE_WIDTH - 2 * MARGIN
        if total * 11.5 < room * 0.75:
            room = total * 11.5
        x = MARGIN
        for bar, weight in zip(line, weights, strict=True):
            width = room * weight / total
            self.bar(drawing, bar, bars[bar], x, width, y)
            x += width
            final = last and bar == line[-1]
            ends = any(s.bar == bar + 1 for s in self.piece.sections)
            self.barline(drawing, x, y, final, ends)

    def cells(self, items):
        """(offset, item or None for a dash) of all that is printed in a bar, with its width."""
        out = []
        if all(item.note is None for item in items):
            pulses = round(self.piece.bar / PULSE[self.piece.metre])
            unit = self.piece.bar / pulses
            return [(k * unit, None, "0", 0.8) for k in range(pulses)]
        for item in items:
            whole = int(item.length) if item.length in (2.0, 3.0, 4.0) else 1
            width = 1.0 if item.length >= 1 else 0.72 if item.length >= 0.5 else 0.6
            if item.note is None:
                out += [(item.start + k, item, "0", 0.9) for k in range(whole)]
                continue
            out.append((item.start, item, "", width + 0.25 * (item.length in (1.5, 0.75))))
            out += [(item.start + k, None, "–", 0.9) for k in range(1, whole)]
        return out

    def weight(self, items):
        return sum(cell[3] for cell in self.cells(items)) + 0.6

    def bar(self, drawing, bar, items, x, width, y):
        """The figures of a bar, its chords above, its lines below."""
        cells = self.cells(items)
        unit = width / (sum(cell[3] for cell in cells) + 0.6)
        position, places = x + 0.45 * unit, {}
        beams = {1: [], 2: []}
        for start, item, sign, size in cells:
            centre = position + 0.5 * unit * min(size, 1.0)
            places[start] = centre
            if sign:
                drawing.text(sign, centre, y, self.digit, SIZE, INK, anchor="middle")
                if item is not None and item.length < 1:
                    beams[1].append((start, centre))
            else:
                self.note(drawing, item, centre, y, beams)
            position += size * unit
        self.lines(drawing, beams, y)
        begin = bar * self.piece.bar
        for chord in self.piece.chords:
            offset = chord.start - begin
            if 0 <= offset < self.piece.bar:
                near = max((s for s in places if s <= offset + 1e-9), default=min(places))
                name = chord_markup(chord.symbol, 0, 0, self.symbols)
                at = places[near] - 1.6
                drawing.add(
                    f'<g transform="translate({at:.2f} {y - 9.2:.2f}) scale(.0102)">{name}</g>'
                )
        for section in self.piece.sections:
            if section.bar == bar and len(self.piece.sections) > 1:
                name = {"Intro": "前奏", "Coda": "尾声"}.get(section.name, section.name)
                if self.lang == "en":
                    name = section.name
                drawing.text(name, x + 0.6, y - 13.6, self.bold, 3.3, BLUE)

    def note(self, drawing, item, centre, y, beams):
        """A figure with its octave dots, accidental, dot of length and tie."""
        digit, dots, accidental = self.figure(item)
        drawing.text(str(digit), centre, y, self.digit, SIZE, INK, anchor="middle")
        if accidental:
            drawing.text(accidental, centre - 1.9, y - 2.0, self.digit, 3.2, INK, anchor="end")
        lines = 2 if item.length <= 0.25 or item.length == 0.375 else 1 if item.length < 1 else 0
        for k in range(abs(dots)):
            above = y - SIZE * 0.72 - 1.1 - 1.3 * k
            below = y + 1.5 + lines * 0.95 + 1.3 * k
            cy = above if dots > 0 else below
            drawing.add(f'<circle cx="{centre:.2f}" cy="{cy:.2f}" r=".46" fill="{INK}"/>')
        if item.length in (1.5, 0.75):
            drawing.add(
                f'<circle cx="{centre + 2.5:.2f}" cy="{y - SIZE * 0.34:.2f}" r=".46" fill="{INK}"/>'
            )
        if item.length < 1:
            beams[1].append((item.start, centre))
        if item.length <= 0.25:
            beams[2].append((item.start, centre))
        if item.continued:
            top = y - SIZE * 0.72 - 2.4
            drawing.add(
                f'<path d="M{centre - 9:.2f} {top}q4.5 -2.4 9 0" fill="none" stroke="{INK}"'
                ' stroke-width=".3"/>'
            )

    def lines(self, drawing, beams, y):
        """Lines below quavers and semiquavers, joined within a pulse."""
        pulse = PULSE[self.piece.metre]
        for level, notes in beams.items():
            groups = {}
            for start, centre in notes:
                groups.setdefault(int((start + 1e-9) // pulse), []).append(centre)
            for centres in groups.values():
                left, right = min(centres) - 1.5, max(centres) + 1.5
                at = y + 1.0 + 0.95 * (level - 1)
                drawing.add(
                    f'<path d="M{left:.2f} {at:.2f}H{right:.2f}" stroke="{INK}"'
                    ' stroke-width=".34"/>'
                )

    def barline(self, drawing, x, y, final, double):
        top, height = y - SIZE * 0.86, SIZE * 1.2
        marks = [(x - 0.15, 0.3)]
        if final:
            marks = [(x - 1.5, 0.3), (x - 0.8, 0.8)]
        elif double:
            marks = [(x - 0.95, 0.25), (x - 0.15, 0.25)]
        for left, width in marks:
            drawing.add(
                f'<rect x="{left:.2f}" y="{top:.2f}" width="{width}" height="{height:.2f}"'
                f' fill="{INK if final else SOFT}"/>'
            )
