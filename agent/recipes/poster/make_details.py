"""The details of a poster as rows: people and programme, or time and place set large."""

from dataclasses import dataclass

from kit.lines import wrap


@dataclass(frozen=True)
class Row:
    """One line of the details, from the left edge and top of their block."""

    text: str
    x: float
    y: float
    face: object
    size: float
    tone: str
    anchor: str = "start"
    tracking: float = 0


def block(plan, width, scale):
    """The rows of the details in a column of this width, and their height."""
    return _groups(plan, width, scale) if plan.full else _facts(plan, width, scale)


def _facts(plan, width, scale):
    """Without a programme, time and place are what the poster says: set large."""
    u, rows, y = plan.u * scale, [], 0.0
    x = width / 2 if plan.centred else 0.0
    entries = [
        (plan.content.when, plan.bold, 5.2, "strong"),
        (plan.content.where, plan.body, 4.0, "ink"),
    ]
    entries += [(fact, plan.body, 2.9, "soft") for fact in plan.content.facts]
    for text, font, size, tone in entries:
        if not text:
            continue
        setting = wrap(text, font, size * u, width, spacing=1.24)
        y = _set(rows, setting, x, y, font, tone, plan.style.align) + 1.1 * u
    return rows, y


def _set(rows, setting, x, y, font, tone, align):
    """Add the lines of a setting below `y`; returns where they end."""
    for text in setting.lines:
        y += font.cap(setting.size)
        rows.append(Row(text, x, y, font, setting.size, tone, align))
        y += setting.leading - font.cap(setting.size)
    return y


def _groups(plan, width, scale):
    u, rows, y = plan.u * scale, [], 0.0
    labels = [_label(plan, heading) for heading, _ in plan.content.groups]
    aside = max(plan.body.width(label, 2.0 * u, 0.2 * u) for label in labels) + 5 * u
    if plan.centred or aside > 0.34 * width:
        aside = 0.0
    for label, (_, items) in zip(labels, plan.content.groups, strict=True):
        if not aside:
            y += plan.body.cap(2.0 * u)
            x = width / 2 if plan.centred else 0
            rows.append(Row(label, x, y, plan.body, 2.0 * u, "soft", plan.style.align, 0.2 * u))
            y += 2.0 * u
            added, high = _items(plan, items, 0, y, width, u)
        else:
            added, high = _items(plan, items, aside, y, width - aside, u)
            rows.append(Row(label, 0, added[0].y, plan.body, 2.0 * u, "soft", tracking=0.2 * u))
        rows += added
        y += high + 3.4 * u
    extra = plan.content.facts[2:]
    for fact in extra:
        setting = wrap(fact, plan.body, 2.2 * u, width - aside, spacing=1.35)
        x = width / 2 if plan.centred else aside
        y = _set(rows, setting, x, y, plan.body, "soft", plan.style.align)
    return rows, (y if extra else y - 3.4 * u)


def _label(plan, heading):
    return heading.upper() if plan.lang == "en" else heading


def _items(plan, items, x, y, width, u):
    """Names with a line each, or short items run together."""
    if any(detail for _, detail in items):
        return _people(plan, items, x, y, width, u)
    font, size, rows, top = plan.bold, 2.9 * u, [], y
    lines, gap = [[]], font.width("  ·  ", size)
    used = 0.0
    for text, _ in items:
        for piece in wrap(text, font, size, width).lines:
            wide = font.width(piece, size)
            if lines[-1] and used + gap + wide > width:
                lines.append([])
                used = 0.0
            used += wide + (gap if lines[-1] else 0)
            lines[-1].append(piece)
    for line in lines:
        y += font.cap(size)
        at = x + width / 2 if plan.centred else x
        rows.append(Row("  ·  ".join(line), at, y, font, size, "strong", plan.style.align))
        y += 1.6 * u + 0.2 * size
    return rows, y - top - 1.6 * u


def _people(plan, items, x, y, width, u):
    top, rows = y, []
    count = 2 if len(items) > 4 and width > 50 * u else 1
    column = (width - 4 * u * (count - 1)) / count
    for start in range(0, len(items), count):
        deepest = y
        for place, (main, detail) in enumerate(items[start : start + count]):
            at = x + place * (column + 4 * u) + (column / 2 if plan.centred else 0)
            deepest = max(deepest, _person(plan, rows, main, detail, at, y, column, u))
        y = deepest + 1.9 * u
    return rows, y - 1.9 * u - top


def _person(plan, rows, main, detail, x, y, width, u):
    for text, font, size, tone in (
        (main, plan.name, 3.3, "ink"),
        (detail, plan.body, 2.3, "soft"),
    ):
        if not text:
            continue
        setting = wrap(text, font, size * u, width, spacing=1.2)
        y = _set(rows, setting, x, y, font, tone, plan.style.align) + 0.5 * u
    return y - 0.5 * u
