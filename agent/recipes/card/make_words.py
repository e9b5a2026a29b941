"""The words of a card: fonts by style, a stack of lines that fits its box, an upright heading."""

from dataclasses import dataclass

from kit.colour import mix, readable
from kit.lines import fit, wrap
from kit.shapes import rect
from kit.type import face
from kit.upright import chinese_date, vertical

FACES = {
    # style: heading role and weight, then the role of all else
    "floral": ("script", 400, "serif"),
    "meadow": ("script", 400, "serif"),
    "confetti": ("round", 700, "round"),
    "stars": ("serif", 400, "serif"),
    "minimal": ("serif", 400, "serif"),
    "ink": ("kai", 400, "kai"),
    "medallion": ("serif", 700, "serif"),
}


@dataclass(frozen=True)
class Tones:
    """The type's colours on a style's ground."""

    dark: bool
    ink: str
    strong: str
    soft: str


def tones(palette, style):
    dark = style in ("stars", "medallion")
    ground = palette.primary if style == "medallion" else palette.deep if dark else palette.light
    ink = palette.light if dark else palette.deep
    strong = palette.accent if dark else palette.primary
    soft = mix(ink, ground, 0.15)
    return Tones(dark, *(readable(tone, ground, 4.8) for tone in (ink, strong, soft)))


def faces(style, lang):
    """(heading, body) of a style."""
    role, weight, body = FACES[style]
    if lang == "zh" and style not in ("confetti", "medallion"):
        return face("kai", lang), face("kai", lang)
    heading = face(role, lang, weight if lang == "en" or role != "script" else 400)
    return heading, face(body, lang, 500 if body == "round" and lang == "en" else 400)


def stack(drawing, box, lines, middle=0.5):
    """Centre lines in a box, all smaller until they fit.

    A line is (text, face, size, colour, space above in sizes, most lines); most lines 0 wraps it
    like a paragraph. `middle` is where the stack's centre stands in the box.
    """
    left, top, right, bottom = box
    width = right - left
    for step in range(24):
        scale = 1 - 0.03 * step
        settings = []
        for text, font, size, colour, space, most in lines:
            asked = size * scale
            if most:
                setting = fit(
                    text, font, width, 4 * most * asked, asked, spacing=1.16, most_lines=most
                )
            else:
                setting = wrap(text, font, asked, width, spacing=1.42)
            settings.append((setting, font, colour, space * asked))
        high = sum(setting.height + space for setting, _, _, space in settings) - settings[0][3]
        cramped = any(
            setting.size < 0.72 * line[2] * scale
            for (setting, *_), line in zip(settings, lines, strict=True)
        )
        if high <= bottom - top and not (cramped and step == 0 and len(lines) == 1):
            break
    y = top + max(0.0, (bottom - top - high) * middle)
    for number, (setting, font, colour, space) in enumerate(settings):
        y += space if number else 0
        drawing.setting(setting, (left + right) / 2, y, font, colour, anchor="middle")
        y += setting.height
    return y


def set_front(drawing, panel, box, parameters, palette):
    """Heading and names of a greeting; all of an invitation."""
    lang, style, front = parameters["lang"], parameters["style"], parameters["front"]
    inks = tones(palette, style)
    heading, body = faces(style, lang)
    if panel.seal:
        _set_sign(drawing, parameters["sign"], *panel.seal)
    if (
        style == "ink"
        and lang == "zh"
        and len(vertical(front["heading"])) <= 9
        and not front["lines"]
    ):
        _set_upright(drawing, panel, box, front, parameters["sign"], heading, palette, inks)
        return
    u = panel.u
    large = 17 if not front["lines"] else 14
    lines = []
    if front["intro"]:
        lines.append((front["intro"], body, 5 * u, inks.soft, 0, 2))
    lines.append((front["heading"], heading, large * u, inks.strong, 0.4, 4))
    if front["names"]:
        lines.append((front["names"], body, 7.2 * u, inks.ink, 0.75, 2))
    for number, text in enumerate(front["lines"]):
        lines.append(
            (text, body, (5.6 if number == 0 else 5) * u, inks.ink, 1.5 if number == 0 else 0.55, 2)
        )
    if front["closing"]:
        lines.append((front["closing"], body, 4.4 * u, inks.soft, 1.5, 2))
    stack(drawing, box, lines)


def _set_sign(drawing, text, x, y, size, colour):
    """The one character of a medallion, centred by its ink."""
    font = face("serif", "zh", 700)
    left, top, right, bottom = font.ink(text, size)
    drawing.text(text, x - (left + right) / 2, y - (top + bottom) / 2, font, size, colour)


def _set_upright(drawing, panel, box, front, seal, heading, palette, inks):
    """A heading in columns from the right, the names beside it, and a red seal."""
    u, text = panel.u, vertical(front["heading"])
    columns = [text] if len(text) <= 5 else [text[: -(-len(text) // 2)], text[-(-len(text) // 2) :]]
    longest = max(len(column) for column in columns)
    size = min(16 * u, (box[3] - box[1]) / (1.1 * longest))
    x = (box[0] + box[2]) / 2 + 0.62 * size * (len(columns) - 1)
    for column in columns:
        drawing.column(column, x, box[1], heading, size, inks.ink, step=1.1)
        x -= 1.24 * size
    if front["names"]:
        names = vertical(chinese_date(front["names"]))
        small = min(5.4 * u, (box[3] - box[1] - 12 * u) / (1.15 * len(names)))
        x -= 0.1 * size
        _, _, _, low = drawing.column(
            names, x, box[1] + 0.25 * size, heading, small, inks.soft, step=1.15
        )
        side, y = 6 * u, low + 3 * u
        stamp = (x - side / 2, y, x + side / 2, y + side)
        drawing.add(rect(stamp, palette.accent, rx=0.12 * side))
        font = face("kai", "zh")
        left, top, right, bottom = font.ink(seal, 0.72 * side)
        drawing.text(
            seal,
            x - (left + right) / 2,
            y + side / 2 - (top + bottom) / 2,
            font,
            0.72 * side,
            palette.light,
        )


def set_inside(drawing, page, parameters, palette):
    """Greeting, message and signature on the inside right."""
    lang, inside, u = parameters["lang"], parameters["inside"], page.u
    _, body = faces("floral" if lang == "en" else "ink", lang)
    hand = face("hand", lang)
    ink, tone = palette.deep, readable(palette.primary, palette.light, 4.8)
    box = page.share(0.13, 0.22, 0.87, 0.78)
    lines = []
    if inside["greeting"]:
        lines.append((inside["greeting"], hand, 9.6 * u, tone, 0, 2))
    lines.append((inside["message"], body, 7 * u, ink, 0.9, 0))
    if inside["signature"]:
        lines.append(
            (
                inside["signature"],
                hand,
                6.6 * u,
                tone,
                1.3,
                2,
            )
        )
    stack(drawing, box, lines)
