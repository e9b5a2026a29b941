"""Engraves the melody with chord symbols on a staff (verovio), one SVG a page."""

import re
from xml.sax.saxutils import escape

import verovio
from make_notation import ACCIDENTALS, bars_of, value
from make_theory import LETTERS, PULSE

WIDTH, EDGE = 1780, 40
"""Of the staves and of the margin around them, in verovio's pixels; ten to a millimetre."""
KEY_ORDER = "FCGDAEB"
INK, BLUE = "#1b1c26", "#39418a"
SYMBOL, MARK = 330, 300
"""Sizes of chord symbols and rehearsal marks in verovio's units."""


def engrave(piece, pages, faces):
    """One (SVG body, height) a page; `pages` are lists of systems, these lists of bars.

    `faces` are the families for words and symbols. Sizes are in pixels, all widths the same:
    the staves with a margin of `EDGE` around, for what sticks out.
    """
    toolkit = verovio.toolkit()
    verovio.enableLog(verovio.LOG_OFF)
    toolkit.setOptions(
        {
            "pageWidth": WIDTH + 2 * EDGE, "pageHeight": 20000, "adjustPageHeight": True,
            "pageMarginLeft": EDGE, "pageMarginRight": EDGE,
            "pageMarginTop": EDGE, "pageMarginBottom": EDGE,
            "header": "none", "footer": "none", "breaks": "encoded", "svgViewBox": True,
            "scale": 100, "unit": 8.6, "minLastJustification": 0.0,
            "spacingSystem": 9 if sum(map(len, pages)) <= 7 else 5,
            "justifyVertically": False, "smuflTextFont": "none", "harmDist": 1.4,
        }
    )  # fmt: skip
    if not toolkit.loadData(mei(piece, pages)):
        raise RuntimeError("verovio refused the score")
    return [dress(toolkit.renderToSVG(page + 1), piece, faces) for page in range(len(pages))]


def mei(piece, pages):
    """The score as MEI with its system and page breaks."""
    fifths = piece.key.fifths
    signature = f"{abs(fifths)}{'s' if fifths > 0 else 'f'}" if fifths else "0"
    count, unit = piece.metre.split("/")
    bars = bars_of(piece)
    body = []
    for number, page in enumerate(pages):
        for place, system in enumerate(page):
            if number or place:
                body.append("<pb/>" if place == 0 else "<sb/>")
            body += [_measure(piece, bar, bars[bar]) for bar in system]
    return (
        '<mei xmlns="http://www.music-encoding.org/ns/mei" meiversion="5.0"><meiHead><fileDesc>'
        f"<titleStmt><title>{escape(piece.title)}</title></titleStmt><pubStmt/></fileDesc></meiHead>"
        f'<music><body><mdiv><score><scoreDef keysig="{signature}" meter.count="{count}"'
        f' meter.unit="{unit}"><staffGrp><staffDef n="1" lines="5" clef.shape="G"'
        f' clef.line="2"/></staffGrp></scoreDef><section>{"".join(body)}</section></score></mdiv>'
        "</body></music></mei>"
    )


def _measure(piece, bar, items):
    last = bar == piece.bars - 1
    ends = any(s.bar == bar + 1 for s in piece.sections)
    right = ' right="end"' if last else ' right="dbl"' if ends else ""
    begin = bar * piece.bar
    layer, ids = _layer(piece, bar, items)
    extras = []
    for index, chord in enumerate(piece.chords):
        if begin <= chord.start < begin + piece.bar:
            extras.append(_at("harm", piece, chord.start - begin, f"chord-{index}", "above"))
    for index, section in enumerate(piece.sections):
        if section.bar == bar:
            if len(piece.sections) > 1:
                extras.append(_at("reh", piece, 0, f"section-{index}", "above"))
            extras.append(_at("dynam", piece, 0, dynamic(section.level), "below"))
    if bar == max(0, piece.bars - 2) and piece.bars > 3:
        extras.append(_at("dir", piece, piece.bar / 2, "rit.", "below"))
    if last and ids:
        extras.append(f'<fermata staff="1" startid="#{ids[-1]}"/>')
    return (
        f'<measure n="{bar + 1}"{right}><staff n="1"><layer n="1">{layer}</layer></staff>'
        f"{''.join(extras)}</measure>"
    )


def _at(tag, piece, offset, text, place):
    beat = 1 + offset * (2 if piece.metre.endswith("8") else 1)
    return f'<{tag} staff="1" tstamp="{beat:g}" place="{place}">{escape(text)}</{tag}>'


def dynamic(level):
    """The dynamic mark of a section's level."""
    marks = ((0.36, "pp"), (0.48, "p"), (0.6, "mp"), (0.8, "mf"))
    return next((mark for limit, mark in marks if level < limit), "f")


def _layer(piece, bar, items):
    """The notes of a bar, beamed by the pulse, with the accidentals that must be printed."""
    if all(item.note is None for item in items):
        return "<mRest/>", []
    state = dict.fromkeys(LETTERS, 0)
    sign = 1 if piece.key.fifths > 0 else -1
    order = KEY_ORDER if sign > 0 else KEY_ORDER[::-1]
    for letter in order[: abs(piece.key.fifths)]:
        state[letter] = sign
    shown, ids, groups = {}, [], {}
    for index, item in enumerate(items):
        length, dots = value(item.length)
        attributes = f'dur="{length}"' + (f' dots="{dots}"' if dots else "")
        if item.note is None:
            markup = f"<rest {attributes}/>"
        else:
            letter, alteration, octave = piece.key.spelt(item.note.degree, item.note.raised)
            name = ACCIDENTALS[alteration]
            current = shown.get((letter, octave), state[letter])
            printed = current != alteration and not item.continued
            shown[letter, octave] = alteration
            accidental = f' accid="{name}"' if printed else f' accid.ges="{name}"'
            tie = {(0, 0): "", (0, 1): ' tie="i"', (1, 0): ' tie="t"', (1, 1): ' tie="m"'}
            ids.append(f"n{bar}-{index}")
            markup = (
                f'<note xml:id="{ids[-1]}" {attributes} pname="{letter.lower()}" oct="{octave}"'
                f"{accidental}{tie[int(item.continued), int(item.continues)]}/>"
            )
        short = item.note is not None and item.length < 1
        pulse = int((item.start + 1e-9) // PULSE[piece.metre]) if short else f"single {index}"
        groups.setdefault(pulse, []).append(markup)
    beams = (
        f"<beam>{''.join(group)}</beam>" if len(group) > 1 else group[0]
        for group in groups.values()
    )
    return "".join(beams), ids


def dress(svg, piece, faces):
    """Set our own type into verovio's page: (markup without the outer svg, height)."""
    height = float(re.search(r'<svg viewBox="0 0 [\d.]+ ([\d.]+)"', svg)[1])
    words, symbols = faces
    svg = re.sub(r'font-family="(?!Leipzig)[^"]*"', f'font-family="{words}"', svg)

    def placed(match):
        x, y, text = float(match[1]), float(match[2]), match[3]
        name, _, number = re.sub(r"<[^>]+>|\s", "", text).partition("-")
        if name == "chord":
            return chord_markup(piece.chords[int(number)].symbol, x - 90, y, symbols)
        if name == "section":
            return mark_markup(piece.sections[int(number)].name, x, y - 110, symbols)
        return match[0]

    text = r'<text x="([\d.-]+)" y="([\d.-]+)"[^>]*>(.*?)</text>'
    pattern = rf'<g id="[^"]*" class="(?:harm|reh)">\s*{text}\s*</g>'
    return re.sub(pattern, placed, svg, flags=re.DOTALL), height


def chord_markup(symbol, x, y, family):
    """A chord symbol: the root large, what follows it raised and small."""
    root, minor, rest, bass = re.fullmatch(r"([A-G][♯♭𝄪]*)(m(?!aj))?([^/]*)(/.*)?", symbol).groups()
    small = f'<tspan font-size="{SYMBOL * 0.72:.0f}" dy="-{SYMBOL * 0.26:.0f}">{rest}</tspan>'
    back = f'<tspan dy="{SYMBOL * 0.26:.0f}">{bass or ""}</tspan>' if bass and rest else bass or ""
    text = f"{root}{minor or ''}{small if rest else ''}{back}"
    return (
        f'<text x="{x:.0f}" y="{y:.0f}" font-family="{family}" font-weight="700"'
        f' font-size="{SYMBOL}" fill="{BLUE}">{text}</text>'
    )


def mark_markup(name, x, y, family):
    """A rehearsal mark in a box."""
    width = MARK * (0.62 * len(name) + 0.5)
    return (
        f'<rect x="{x - 100:.0f}" y="{y - MARK * 1.0:.0f}" width="{width:.0f}"'
        f' height="{MARK * 1.36:.0f}" rx="40" fill="none" stroke="{INK}" stroke-width="16"/>'
        f'<text x="{x - 100 + width / 2:.0f}" y="{y:.0f}" text-anchor="middle" font-size="{MARK}"'
        f' font-family="{family}" font-weight="700" fill="{INK}">{escape(name)}</text>'
    )
