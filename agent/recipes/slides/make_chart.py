"""Charts as inline SVG in the colours of the page: columns, bars, a line."""

from __future__ import annotations

import math
from html import escape

from kit.type import face
from make_numbers import tidy

WIDTH, HEIGHT = 1120, 480


def draw(slide, lang, role):
    """The chart of a slide as an `<svg>` element."""
    labels, values, unit = slide["labels"], slide["values"], slide["unit"]
    kind = {"columns": _columns, "bars": _bars, "line": _line}[slide["shape"]]
    drawn = face(role, lang, 400)
    body = kind(labels, values, unit, drawn)
    said = escape("; ".join(f"{k}: {tidy(v)}{unit}" for k, v in zip(labels, values, strict=True)))
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(slide["title"])}. {said}">{body}</svg>'
    )


def _steps(low, high):
    """Round marks of an axis that holds low..high and zero."""
    low, high = min(0.0, low), max(0.0, high)
    span = (high - low) or 1.0
    rough = span / 4
    size = 10 ** math.floor(math.log10(rough))
    step = next(m * size for m in (1, 2, 2.5, 5, 10) if m * size >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [k * step for k in range(first, last + 1)]


def _text(x, y, words, anchor="middle", kind="label", size=24):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}" '
        f'font-size="{size:g}">{escape(words)}</text>'
    )


def _short(words, drawn, size, room):
    """The words, cut with an ellipsis where they are wider than the room."""
    if drawn.width(words, size) <= room:
        return words
    while words and drawn.width(words + "…", size) > room:
        words = words[:-1]
    return words.rstrip() + "…"


def _grid(marks, place, left, unit):
    parts = []
    for mark in marks:
        y = place(mark)
        kind = "axis" if mark == 0 else "grid"
        parts.append(f'<line x1="{left}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}" class="{kind}"/>')
        parts.append(
            _text(left - 12, y + 6, f"{tidy(mark)}{unit if unit == '%' else ''}", "end", "tick", 20)
        )
    return parts


def _columns(labels, values, unit, drawn):
    marks = _steps(min(values), max(values))
    left, top, bottom = 100, 36, HEIGHT - 48

    def place(value):
        return bottom - (value - marks[0]) / (marks[-1] - marks[0]) * (bottom - top)

    parts = _grid(marks, place, left, unit)
    step = (WIDTH - left) / len(values)
    best = max(range(len(values)), key=lambda k: values[k])
    for k, (label, value) in enumerate(zip(labels, values, strict=True)):
        x, wide = left + step * (k + 0.5), min(110, step * 0.58)
        y0, y1 = sorted((place(0), place(value)))
        kind = "bar strong" if k == best else "bar"
        parts.append(
            f'<rect x="{x - wide / 2:.1f}" y="{y0:.1f}" width="{wide:.1f}" '
            f'height="{max(1, y1 - y0):.1f}" rx="4" class="{kind}"/>'
        )
        parts.append(
            _text(
                x,
                (y0 - 12) if value >= 0 else y1 + 32,
                f"{tidy(value)}{unit}",
                kind="value",
                size=28,
            )
        )
        parts.append(_text(x, HEIGHT - 10, _short(label, drawn, 24, step - 14)))
    return "".join(parts)


def _bars(labels, values, unit, drawn):
    left = min(400, max(drawn.width(label, 24) for label in labels) + 24)
    room = WIDTH - left - 130
    most = max(max(values), 0) or 1
    step = min(64, HEIGHT / len(values))
    top = (HEIGHT - step * len(values)) / 2
    parts = []
    for k, (label, value) in enumerate(zip(labels, values, strict=True)):
        y, tall = top + step * k, step * 0.6
        wide = max(2, room * max(0, value) / most)
        parts.append(_text(left - 16, y + tall / 2 + 7, _short(label, drawn, 24, left - 20), "end"))
        parts.append(
            f'<rect x="{left}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" rx="4" '
            f'class="bar{" strong" if k == 0 else ""}"/>'
        )
        parts.append(
            _text(left + wide + 12, y + tall / 2 + 7, f"{tidy(value)}{unit}", "start", "value", 24)
        )
    return "".join(parts)


def _line(labels, values, unit, drawn):
    low, high = min(values), max(values)
    marks = _steps(low, high)
    if low > 0 and low > 0.6 * high:  # a scale from zero would flatten the whole story
        step = marks[1] - marks[0]
        fine = step / 5 if (high - low) < step else step
        marks = [k * fine for k in range(math.floor(low / fine), math.ceil(high / fine) + 1)]
    left, top, bottom = 100, 36, HEIGHT - 48

    def place(value):
        return bottom - (value - marks[0]) / (marks[-1] - marks[0]) * (bottom - top)

    parts = _grid(marks, place, left, unit)
    gap = (WIDTH - left - 60) / (len(values) - 1)
    points = [(left + 24 + gap * k, place(value)) for k, value in enumerate(values)]
    path = " ".join(f"{'L' if k else 'M'}{x:.1f} {y:.1f}" for k, (x, y) in enumerate(points))
    parts.append(f'<path d="{path} V{bottom} H{points[0][0]:.1f}Z" class="area"/>')
    parts.append(f'<path d="{path}" class="curve"/>')
    every = math.ceil(max(drawn.width(label, 22) for label in labels) * 1.25 / gap)
    for k, ((x, y), label, value) in enumerate(zip(points, labels, values, strict=True)):
        if k % every == 0:
            parts.append(_text(x, HEIGHT - 12, label, size=22))
        if k in (0, len(values) - 1) or value in (high, low):
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" class="dot"/>')
            parts.append(_text(x, y - 16, f"{tidy(value)}{unit}", kind="value", size=26))
    return "".join(parts)
