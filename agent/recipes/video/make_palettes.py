"""The colours of each theme, and what becomes of them when others are asked for."""

from __future__ import annotations

from make_draw import luminance, mix, rgb

PALETTES = {
    "party": ("#ff5a6e", "#ff9b2f", "#ffcb2e", "#23c4a8", "#3c8cff", "#9a63e8", "#ff6fb1"),
    "festival": ("#c8171e", "#f3c268"),
    "newyear": ("#141a4a", "#f6cf7a", "#a35bff", "#ff6a8a", "#4fd1ff"),
    "wedding": ("#fbf3ec", "#e9a3ad", "#8fa58a"),
    "space": ("#ff5d5d", "#63c7ff", "#7a5cff", "#0b1230", "#ff7ac6", "#3fe0d0", "#ffb35c"),
    "sport": ("#1640d6", "#ffd23c"),
    "nature": ("#3f8fd2",),
    "christmas": ("#17375e", "#d9333f", "#f4d58a"),
    "minimal": ("#101a33", "#4f8cff", "#8fd6ff", "#ffb86b"),
}

# Which colours of a palette a wish such as "in blue" replaces.
LEADING = {
    "party": (6, 0),
    "festival": (0,),
    "newyear": (0,),
    "wedding": (1,),
    "space": (1, 2),
    "sport": (0, 1),
    "nature": (0,),
    "christmas": (0,),
    "minimal": (0, 1),
}


def colours_of(names):
    """The colours of "#rrggbb" codes."""
    return tuple(rgb(name) for name in names)


def palette(theme, wishes):
    """The theme's colours, its leading ones replaced by those asked for."""
    colours = list(colours_of(PALETTES[theme]))
    for place, wish in zip(LEADING[theme], wishes, strict=False):
        wished = rgb(wish)
        if theme in ("newyear", "christmas") and place == 0 and luminance(wished) > 0.1:
            # These need a dark ground for their lights: the colour's own night.
            wished = mix(wished, (0.02, 0.02, 0.08), 0.68)
        colours[place] = wished
    return tuple(colours)
