"""What is acted before the scenery: the countdown on its dial, and the final words."""

from __future__ import annotations

import math

import cairo
from kit.lines import fit
from kit.type import face
from make_draw import (
    TAU,
    WHITE,
    Finish,
    canvas,
    clamp,
    glow,
    mix,
    paint,
    radial,
    rounded,
    set_line,
    settle,
    shadowed,
    smooth,
    spring,
)


def pulse(t, beat):
    """1 on every beat, falling to 0 before the next."""
    return math.exp(-5 * ((t % beat) / beat))


class Words:
    """The final text: a headline and a smaller line below it, letter by letter."""

    def __init__(self, stage, look, headline, below, lang, top, bottom):
        u = stage.u
        room = stage.width * (0.8 if stage.wide else 0.86)
        big, fine = (
            face(look.role, lang, weight) for weight in (look.weight, min(600, look.weight))
        )
        head_tall = (bottom - top) * (0.74 if below else 1.0)
        head = fit(
            headline,
            big,
            room / (1 + 2.2 * look.finish.fatten),
            head_tall,
            (330 if look.role == "display" else 260) * u,
            spacing=1.2,
            most_lines=3,
        )
        small = (
            fit(
                below,
                fine,
                room * 0.86,
                head_tall,
                min(head.size * 0.42, 76 * u),
                spacing=1.35,
                most_lines=2,
            )
            if below
            else None
        )
        tall = head.size * 0.86 + head.leading * (len(head.lines) - 1)
        tall += small.leading * len(small.lines) + head.size * 0.18 if small else 0
        y = (top + bottom) / 2 - tall / 2 + head.size * 0.86
        self.letters, self.rows = [], []
        for line in head.lines:
            glyphs = set_line(
                line,
                big,
                head.size,
                stage.width / 2,
                y,
                look.colours,
                look.finish,
                len(self.letters),
            )
            self.letters += glyphs
            y += head.leading
        self.rule = (y - head.leading + head.size * 0.30, head.size)
        if small:
            y += small.size * 0.55 + head.size * 0.1 - head.leading + small.leading
            plain = Finish("paper", None, look.finish.shadow)
            tone = (
                mix(look.accent, WHITE, 0.55)
                if look.colours[0] == WHITE or look.finish.material != "paper"
                else look.accent
            )
            if look.finish.material == "balloon":
                plain, tone = Finish("balloon", WHITE, look.finish.shadow, 0.02), look.colours[5]
            for line in small.lines:
                self.rows.append(
                    set_line(line, fine, small.size, stage.width / 2, y, (tone,), plain)
                )
                y += small.leading

    def draw(self, c, t, stage, look, story):
        """t is seconds since the reveal."""
        u, beat = stage.u, story.metre.beat
        span = min(1.2, 0.08 * len(self.letters), 0.2 * (story.duration - story.reveal))
        gap = span / max(1, len(self.letters))
        for k, glyph in enumerate(self.letters):
            d = t - k * gap
            if d <= 0:
                continue
            if look.lively:
                zoom = spring(d / 0.62)
                turn = 0.16 * math.exp(-5 * d) * math.sin(17 * d) * (1 if k % 2 else -1)
                y = glyph.y + 7 * u * math.sin(TAU * t / (4 * beat) - 0.55 * k) * smooth(
                    (d - 0.6) / 0.8
                )
                zoom *= 1 + 0.03 * pulse(t, 2 * beat) * smooth((d - 0.6) / 0.5)
                paint(c, glyph.sprite, glyph.x, y, zoom, turn + 0.012 * math.sin(1.8 * t + k))
            else:
                rise = 1 - settle(d / 1.1)
                paint(
                    c,
                    glyph.sprite,
                    glyph.x,
                    glyph.y + 46 * u * rise,
                    1 + 0.16 * rise,
                    alpha=smooth(d / 0.55),
                )
        for k, row in enumerate(self.rows):
            d = t - span - 0.25 - 0.22 * k
            for glyph in row:
                paint(
                    c,
                    glyph.sprite,
                    glyph.x,
                    glyph.y + 22 * u * (1 - settle(d / 0.9)),
                    alpha=smooth(d / 0.6),
                )
        if self.rows and look.dial == "thin":
            grown = settle((t - span) / 1.0) * stage.width * 0.055
            if grown > 1:
                c.move_to(stage.width / 2 - grown, self.rule[0])
                c.line_to(stage.width / 2 + grown, self.rule[0])
                c.set_line_width(2.5 * u)
                c.set_line_cap(cairo.LINE_CAP_ROUND)
                c.set_source_rgba(*look.accent, 0.9)
                c.stroke()


class Countdown:
    """The dial with its numbers and, above it, what is being counted down to."""

    def __init__(self, stage, look, story, caption, lang):
        u = stage.u
        self.x, self.y = stage.width / 2, stage.height * (0.545 if caption else 0.5)
        self.radius = (340 if stage.wide else 400) * u * (0.96 if caption else 1.05)
        if caption and stage.wide:
            self.y += 12 * u
        role = look.role if look.role in ("round", "display", "serif") else "sans"
        drawn = face(role, "en", max(600, look.weight))
        self.sprites = []
        for k, number in enumerate(story.numbers):
            size = self.radius * (1.62 if number < 10 else 1.2 if number < 100 else 0.72)
            left, top, right, bottom = drawn.ink(str(number), size)
            colour = look.colours[(2 * k) % len(look.colours)]
            letters = set_line(
                str(number),
                drawn,
                size,
                self.x + drawn.width(str(number), size) / 2 - (left + right) / 2,
                self.y - (top + bottom) / 2,
                (colour,),
                look.finish,
            )
            self.sprites.append((letters, colour))
        self.caption = None
        if caption:
            self.caption = self._pill(stage, look, caption, lang)

    def _pill(self, stage, look, caption, lang):
        u = stage.u
        drawn = face(look.role, lang, 700)
        size = fit(caption, drawn, stage.width * 0.7, 70 * u, 60 * u, most_lines=1).size
        wide, tall = drawn.width(caption, size) + 130 * u, 190 * u
        sprite, c = canvas(wide + 60 * u, tall)
        middle = sprite.get_width() / 2
        if look.finish.material == "balloon":
            rounded(c, middle - wide / 2, tall / 2 - 52 * u, wide, 104 * u, 52 * u)
            c.set_source_rgba(1, 1, 1, 0.94)
            c.fill()
            sprite = shadowed(sprite, 7 * u, 9 * u, look.finish.shadow, 0.3)
            c = cairo.Context(sprite)
            tone, plain = mix(look.colours[5], (0.2, 0, 0.2), 0.12), Finish("paper", None, WHITE)
        else:
            plain = Finish("paper", None, look.finish.shadow)
            tone = look.accent if look.finish.material != "neon" else WHITE
        for glyph in set_line(
            caption, drawn, size, middle, tall / 2 + drawn.cap(size) / 2, (tone,), plain
        ):
            paint(c, glyph.sprite, glyph.x, glyph.y)
        return sprite, self.y - self.radius - (96 if stage.wide else 150) * u

    def draw(self, c, t, stage, look, story):
        u = stage.u
        k = min(len(story.numbers) - 1, int((t - story.first) / story.count))
        leaving = smooth((t - story.reveal + 0.26) / 0.26)
        if self.caption:
            sprite, y = self.caption
            paint(
                c,
                sprite,
                self.x,
                y + 4 * u * math.sin(2.1 * t) - 320 * u * leaving,
                alpha=smooth(t / 0.4),
            )
        if k < 0:
            return
        letters, colour = self.sprites[k]
        d = (t - story.first) / story.count - k
        beat = pulse(t - story.first, story.metre.beat)
        self._dial(c, d, k, beat, 1 - leaving, stage, look, colour)
        entered = d * story.count
        zoom = 0.4 + 0.6 * spring((entered + (0.3 if k == 0 and story.first < 0.2 else 0)) / 0.55)
        gone = clamp((d - 0.86) / 0.14)
        zoom *= 1 + 0.35 * gone * gone
        turn = 0
        if look.lively:
            turn = 0.13 * math.exp(-5 * entered) * math.sin(16 * entered) * (1 if k % 2 else -1)
        c.save()
        c.translate(self.x, self.y)
        c.rotate(turn)
        c.scale(zoom, zoom)
        for glyph in letters:
            paint(c, glyph.sprite, glyph.x - self.x, glyph.y - self.y, alpha=1 - gone**1.5)
        c.restore()

    def _dial(self, c, d, k, beat, shown, stage, look, colour):
        u, x, y = stage.u, self.x, self.y
        radius = self.radius * (1 + 0.02 * beat) * (0.8 + 0.2 * shown)
        end = -math.pi / 2 + TAU * max(0.002, 1 - d)
        c.set_line_cap(cairo.LINE_CAP_ROUND)
        if look.dial == "ring":
            pale = look.pale
            c.new_path()
            c.arc(x, y, radius + 22 * u, 0, TAU)
            c.set_source_rgba(*pale, 0.28 * shown)
            c.fill()
            c.arc(x, y, radius - 24 * u, 0, TAU)
            c.set_source(
                radial(x, y, 40 * u, radius, (0, pale, 0.9 * shown), (1, pale, 0.55 * shown))
            )
            c.fill()
            widths, rim = (24 * u, 24 * u), colour
        else:
            if look.finish.material != "paper":
                c.new_path()
                c.arc(x, y, radius, 0, TAU)
                c.set_source(
                    radial(
                        x,
                        y,
                        0,
                        radius,
                        (0, (0, 0, 0.02), 0.34 * shown),
                        (1, (0, 0, 0.02), 0.12 * shown),
                    )
                )
                c.fill()
            widths, rim, pale = (3 * u, 9 * u), look.accent, look.accent
            for mark in range(60):
                angle = mark * TAU / 60
                length = (16 if mark % 5 else 30) * u
                c.move_to(
                    x + (radius + 26 * u) * math.cos(angle), y + (radius + 26 * u) * math.sin(angle)
                )
                c.line_to(
                    x + (radius + 26 * u + length) * math.cos(angle),
                    y + (radius + 26 * u + length) * math.sin(angle),
                )
                c.set_line_width(2.4 * u)
                c.set_source_rgba(*look.accent, (0.22 if mark % 5 else 0.5) * shown)
                c.stroke()
        c.new_path()
        c.arc(x, y, radius, 0, TAU)
        c.set_line_width(widths[0])
        c.set_source_rgba(*pale, (0.55 if look.dial == "ring" else 0.3) * shown)
        c.stroke()
        c.arc(x, y, radius, -math.pi / 2, end)
        c.set_line_width(widths[1])
        c.set_source_rgba(*rim, shown)
        c.stroke()
        hx, hy = x + radius * math.cos(end), y + radius * math.sin(end)
        paint(
            c,
            glow(46 * u, mix(rim, WHITE, 0.4), 2.4),
            hx,
            hy,
            alpha=0.9 * shown,
            add=look.dial != "ring",
        )
        c.arc(hx, hy, widths[1] * 0.85, 0, TAU)
        c.set_source_rgba(1, 1, 1, shown)
        c.fill()
        if d < 0.6 and k > 0:
            wave = d / 0.6
            c.arc(x, y, radius * (1 + 0.2 * settle(wave)), 0, TAU)
            c.set_line_width(14 * u * (1 - wave))
            c.set_source_rgba(*(WHITE if look.lively else look.accent), 0.6 * (1 - wave) * shown)
            c.stroke()
