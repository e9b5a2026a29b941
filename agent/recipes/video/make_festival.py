"""What hangs and rolls at a Chinese festival: lanterns, waves."""

from __future__ import annotations

import math

from make_draw import TAU, WHITE, canvas, ellipse, glow, linear, mix, paint, radial


def lanterns(stage, count, colour, gold):
    """Red silk lanterns that hang from the top and swing."""
    u = stage.u
    sprite, c = canvas(240 * u, 430 * u)
    c.scale(u, u)
    c.translate(120, 0)
    c.set_source_rgb(*gold)
    c.set_line_width(3)
    c.move_to(0, 0)
    c.line_to(0, 46)
    c.stroke()
    deep = mix(colour, (0.25, 0.0, 0.0), 0.55)
    ellipse(c, 0, 140, 104, 86)
    c.set_source(
        radial(
            0,
            140,
            4,
            108,
            (0, (1.0, 0.83, 0.5)),
            (0.4, mix(colour, (1, 0.5, 0.2), 0.45)),
            (0.8, colour),
            (1, deep),
            focus=(-14, 128),
        )
    )
    c.fill()
    for k in (0.28, 0.6, 0.86):
        ellipse(c, 0, 140, 104 * k, 86)
        c.set_source_rgba(*gold, 0.4)
        c.set_line_width(1.8)
        c.stroke()
    for y in (46, 216):
        c.rectangle(-44, y, 88, 18)
        c.set_source(
            linear(
                -44,
                0,
                44,
                0,
                (0, mix(gold, (0.3, 0.1, 0), 0.5)),
                (0.4, mix(gold, WHITE, 0.5)),
                (1, mix(gold, (0.3, 0.1, 0), 0.4)),
            )
        )
        c.fill()
    for k in range(-5, 6):
        c.move_to(k * 5, 234)
        c.line_to(k * 7, 360 + 14 * math.cos(k))
        c.set_source_rgba(*mix(colour, gold, 0.35 + 0.06 * abs(k)), 0.95)
        c.set_line_width(3.4)
        c.stroke()
    light = glow(210 * u, mix(colour, (1.0, 0.6, 0.2), 0.5), 2.2)
    hung = []
    for k in range(count):
        side = k % 2
        inset = (0.055 + 0.105 * (k // 2)) * stage.width
        hung.append(
            (
                stage.width - inset if side else inset,
                (-30 + (300 if k // 2 == 0 else 40) * (1 if (k // 2) % 2 == 0 else 0.4))
                * u
                * stage.dice.uniform(0.7, 1.1),
                (1.0 - 0.16 * (k // 2)) * (1 if stage.wide else 0.72),
                stage.dice.random() * TAU,
            )
        )

    def draw(c, t):
        for x, drop, zoom, phase in hung:
            c.save()
            c.translate(x, 0)
            c.rotate(0.045 * math.sin(t * 1.3 + phase))
            c.set_source_rgb(*gold)
            c.set_line_width(3 * u * zoom)
            c.move_to(0, -10)
            c.line_to(0, drop + 4)
            c.stroke()
            paint(
                c,
                light,
                0,
                drop + 140 * u * zoom,
                zoom,
                alpha=0.42 + 0.06 * math.sin(t * 3 + phase),
                add=True,
            )
            paint(c, sprite, 0, drop + 215 * u * zoom, zoom)
            c.restore()

    return draw


def scallops(stage, colour, gold, rows=3):
    """The rolling wave pattern of old porcelain along the bottom edge, row behind row."""
    u = stage.u
    size = 120 * u
    layers = []
    for row in range(rows):
        strip, c = canvas(stage.width + 4 * size, size * 2.2)
        tone = mix(colour, (0.15, 0.0, 0.0), 0.1 + 0.16 * row)
        for k in range(int(stage.width / size) + 5):
            for ring in range(4):
                c.arc(k * size, size * 1.25, size * (1 - 0.22 * ring), 0, TAU)
                c.set_source_rgb(*mix(tone, gold, 0.05 * ring))
                c.fill_preserve()
                c.set_source_rgba(*gold, 0.75 - 0.12 * ring)
                c.set_line_width(2.6 * u)
                c.stroke()
        layers.append(strip)

    def draw(c, t):
        for row, strip in enumerate(layers):
            x = -size * (1.2 + 0.5 * row) + 22 * u * math.sin(t * 0.7 + row * 1.3)
            y = stage.height - size * (1.3 - 0.5 * row) + 7 * u * math.sin(t * 1.1 + row)
            c.set_source_surface(strip, x, y)
            c.paint()

    return draw
