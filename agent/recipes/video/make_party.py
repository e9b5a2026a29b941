"""What parties are furnished with: balloons, paper, pennants and streamers."""

from __future__ import annotations

import itertools
import math

import cairo
from make_draw import (
    TAU,
    WHITE,
    canvas,
    ellipse,
    linear,
    mix,
    paint,
    radial,
    star_path,
)


def balloon_sprite(radius, colour):
    """A balloon without its string; the knot lies 1.3 radii below the middle."""
    r = radius
    dark, pale = mix(colour, (0.25, 0.0, 0.3), 0.34), mix(colour, WHITE, 0.7)
    sprite, c = canvas(r * 2.5, r * 3)
    c.translate(r * 1.25, r * 1.5)
    c.move_to(0, r * 1.14)
    c.line_to(-r * 0.12, r * 1.34)
    c.curve_to(-r * 0.04, r * 1.3, r * 0.04, r * 1.3, r * 0.12, r * 1.34)
    c.close_path()
    c.set_source_rgb(*mix(colour, dark, 0.6))
    c.fill()
    c.move_to(0, -r * 1.16)
    c.curve_to(r * 0.62, -r * 1.16, r, -r * 0.66, r, -r * 0.1)
    c.curve_to(r, r * 0.52, r * 0.42, r * 1.02, 0, r * 1.2)
    c.curve_to(-r * 0.42, r * 1.02, -r, r * 0.52, -r, -r * 0.1)
    c.curve_to(-r, -r * 0.66, -r * 0.62, -r * 1.16, 0, -r * 1.16)
    c.close_path()
    c.set_source(
        radial(
            -r * 0.05,
            -r * 0.05,
            r * 0.05,
            r * 1.3,
            (0, pale),
            (0.35, mix(colour, WHITE, 0.14)),
            (0.75, colour),
            (1, dark),
            focus=(-r * 0.4, -r * 0.52),
        )
    )
    c.fill_preserve()
    c.set_source(
        radial(r * 0.5, r * 0.5, r * 0.1, r * 0.75, (0, pale, 0.0), (0.8, pale, 0.16), (1, pale, 0))
    )
    c.fill()
    c.save()
    c.translate(-r * 0.42, -r * 0.56)
    c.rotate(-0.62)
    ellipse(c, 0, 0, r * 0.15, r * 0.3)
    c.set_source(linear(0, -r * 0.3, 0, r * 0.3, (0, WHITE, 0.85), (1, WHITE, 0.25)))
    c.fill()
    c.restore()
    return sprite


def balloons(stage, count, size, speed, start=0.0, sides=False, alpha=1.0):
    """Balloons that rise: for ever from the beginning, or once, let go at `start` seconds."""
    sprites = {}
    flock = []
    for k in range(count):
        radius = round(stage.dice.uniform(0.75, 1.2) * size * stage.u / 6) * 6
        colour = stage.colour(stage.dice.randrange(len(stage.palette)))
        if (radius, colour) not in sprites:
            sprites[radius, colour] = balloon_sprite(max(6, radius), colour)
        place = stage.dice.random()
        if sides:
            place = 0.16 * place if k % 2 else 1 - 0.16 * place
        flock.append(
            (
                sprites[radius, colour],
                max(6, radius),
                place * stage.width,
                k / count + stage.dice.uniform(-0.3, 0.3) / count,
                speed * stage.u * stage.dice.uniform(0.8, 1.25),
                stage.dice.random() * TAU,
            )
        )
    span = stage.height + 7 * size * stage.u

    def draw(c, t):
        for sprite, r, x, turn, pace, phase in flock:
            if start:
                risen = pace * (t - start - turn * 1.6)
                if not 0 < risen < span:
                    continue
            else:
                risen = (turn * span * 2 + pace * t) % span
            y = stage.height + 2.2 * size * stage.u - risen
            sway = x + r * 0.4 * math.sin(t * 0.9 + phase)
            tilt = 0.1 * math.sin(t * 1.2 + phase)
            knot_x, knot_y = sway - tilt * r * 1.3, y + r * 1.3
            wave = r * 0.24 * math.sin(t * 2.1 + phase)
            c.move_to(knot_x, knot_y)
            c.curve_to(
                knot_x + wave,
                knot_y + r * 0.7,
                knot_x - wave * 1.4,
                knot_y + r * 1.4,
                knot_x + wave * 0.5,
                knot_y + r * 2.2,
            )
            c.set_line_width(max(1, r * 0.025))
            c.set_source_rgba(1, 1, 1, 0.7 * alpha)
            c.stroke()
            paint(c, sprite, sway, y, turn=tilt, alpha=alpha)

    return draw


def flake(c, x, y, size, turn, flip, colour, shape):
    """A piece of paper that tumbles: rectangle, disc, triangle or star."""
    facing = math.cos(flip)
    c.save()
    c.translate(x, y)
    c.rotate(turn)
    c.scale(1, max(0.1, abs(facing)))
    if shape == 0:
        c.rectangle(-size * 0.5, -size * 0.62, size, size * 1.24)
    elif shape == 1:
        c.arc(0, 0, size * 0.5, 0, TAU)
    elif shape == 2:
        star_path(c, 0, 0, size * 0.78)
    else:
        c.move_to(-size * 0.6, 0)
        c.curve_to(-size * 0.3, -size, size * 0.5, -size * 0.7, size * 0.6, 0)
        c.curve_to(size * 0.4, size * 0.45, -size * 0.2, size * 0.5, -size * 0.6, 0)
    c.set_source_rgb(*(colour if facing > 0 else mix(colour, (0.2, 0.0, 0.2), 0.22)))
    c.fill()
    c.restore()


def falling(stage, count, colours, speed=150, size=17, shapes=(0, 0, 1, 2), start=0.0):
    """Confetti or petals that fall for ever, from `start` seconds on."""
    dice = stage.dice
    pieces = [
        (
            dice.random() * stage.width,
            dice.random() * stage.height * 1.15,
            dice.uniform(0.7, 1.5) * speed * stage.u,
            dice.uniform(0.7, 1.3) * size * stage.u,
            dice.random() * TAU,
            dice.uniform(1.5, 6),
            dice.uniform(-2, 2),
            dice.choice(colours),
            dice.choice(shapes),
        )
        for _ in range(count)
    ]

    def draw(c, t):
        for x, y, pace, big, phase, flip, spin, colour, shape in pieces:
            down = (y + pace * (t - start)) % (stage.height * 1.15) - stage.height * 0.07
            # Before their time the pieces wait above the frame, so that they come in from there.
            if start and y + pace * (t - start) < stage.height * 1.15 and t < start + 30:
                down = y + pace * (t - start) - stage.height * 1.2
            if down < -40 * stage.u:
                continue
            side = x + 38 * stage.u * math.sin(t * 1.5 + phase)
            flake(c, side, down, big, phase + spin * t, phase + flip * t, colour, shape)

    return draw


def cannons(stage, moments, colours, count=110, shapes=(0, 0, 1, 2)):
    """Confetti shot from both lower corners at each of `moments`."""
    dice = stage.dice
    shots = []
    for moment in moments:
        for k in range(count):
            angle = math.radians(dice.gauss(-63, 12))
            pace = dice.uniform(1300, 3500) * stage.height / 1080
            shots.append(
                (
                    moment + dice.uniform(0, 0.1),
                    -20 if k % 2 else stage.width + 20,
                    pace * math.cos(angle) * (1 if k % 2 else -1) * (1 if stage.wide else 0.55),
                    pace * math.sin(angle),
                    dice.uniform(1.5, 2.4),
                    dice.uniform(13, 25) * stage.u,
                    dice.random() * TAU,
                    dice.uniform(5, 12),
                    dice.choice(colours),
                    dice.choice(shapes),
                )
            )

    def draw(c, t):
        for moment, x, vx, vy, drag, size, phase, flip, colour, shape in shots:
            d = t - moment
            if not 0 <= d < 5:
                continue
            sink = 430 * stage.u / drag
            flown = (1 - math.exp(-drag * d)) / drag
            px = x + vx * flown + 24 * stage.u * math.sin(d * 3 + phase) * min(1, d)
            py = stage.height + 10 + (vy - sink) * flown + sink * d
            if py < stage.height + 40:
                flake(c, px, py, size, phase + d * 3, phase + flip * d, colour, shape)

    return draw


def bunting(stage):
    """Two garlands of pennants along the top that sway."""
    u = stage.u
    rows = []
    for row, (spans, top, sag) in enumerate(((3, -26 * u, 70 * u), (2, -12 * u, 118 * u))):
        length = stage.width / (spans if stage.wide else max(1, spans - 1))
        for k in range(-1, round(stage.width / length) + 1):
            left = (k + (0.5 if row == 0 else 0)) * length
            rows.append((left, length, top, sag, 0.82 + 0.18 * row, row))

    def draw(c, t):
        for left, length, top, sag, zoom, row in rows:
            c.move_to(left, top)
            for s in range(1, 25):
                c.line_to(left + length * s / 24, top + 4 * sag * s / 24 * (1 - s / 24))
            c.set_source_rgba(1, 1, 1, 0.9)
            c.set_line_width(3.5 * u)
            c.stroke()
            count = max(3, round(length / (104 * u)))
            for k in range(count):
                s = (k + 0.5) / count
                slope = math.atan2(4 * sag * (1 - 2 * s), length)
                c.save()
                c.translate(left + length * s, top + 4 * sag * s * (1 - s))
                c.rotate(slope + 0.1 * math.sin(t * 2.4 + k * 0.9 + row * 2))
                c.scale(zoom * u, zoom * u)
                c.move_to(-36, 0)
                c.line_to(36, 0)
                c.line_to(0, 82)
                c.close_path()
                c.set_line_join(cairo.LINE_JOIN_ROUND)
                c.set_line_width(8)
                c.set_source_rgb(*stage.colour(k * 2 + row * 3 + 1))
                c.stroke_preserve()
                c.fill()
                c.set_source_rgba(1, 1, 1, 0.85)
                if k % 2:
                    star_path(c, 0, 25, 14)
                else:
                    for px, py in ((-14, 18), (14, 18), (0, 38), (0, 6)):
                        c.new_sub_path()
                        c.arc(px, py, 4.6, 0, TAU)
                c.fill()
                c.restore()

    return draw


def streamers(stage, count):
    """Paper spirals that sink along both sides."""
    dice = stage.dice
    ribbons = [
        (
            (0.02 + 0.15 * dice.random()) * stage.width,
            bool(k % 2),
            dice.random() * 2000,
            dice.uniform(120, 190) * stage.u,
            dice.uniform(240, 380) * stage.u,
            dice.uniform(16, 26) * stage.u,
            dice.uniform(52, 74) * stage.u,
            dice.random() * TAU,
            stage.colour(k * 2 + 1),
        )
        for k in range(count)
    ]

    def draw(c, t):
        span = stage.height + 800 * stage.u
        for inset, right, offset, pace, length, width, pitch, phase, colour in ribbons:
            x = stage.width - inset if right else inset
            y = (offset + pace * t) % span - 400 * stage.u
            steps = int(length / pitch * 10)
            points = []
            for k in range(steps + 1):
                s = k / steps
                turn = s * length / pitch * TAU + phase + t * 2.2
                points.append(
                    (
                        x + width * (0.5 + 0.5 * min(1, 3 * s)) * math.sin(turn),
                        y + s * length + 0.2 * pitch * math.cos(turn),
                        math.cos(turn),
                    )
                )
            c.set_line_cap(cairo.LINE_CAP_ROUND)
            c.set_line_width(13 * stage.u)
            for front in (False, True):
                for (x0, y0, z0), (x1, y1, _) in itertools.pairwise(points):
                    if (z0 > 0) is front:
                        c.move_to(x0, y0)
                        c.line_to(x1, y1)
                c.set_source_rgb(*(colour if front else mix(colour, (0.2, 0.0, 0.2), 0.32)))
                c.stroke()

    return draw
