"""SVG markup from numbers: short names for the few elements that pictures are drawn with.

Keyword arguments become attributes (`stroke_width=0.2` is `stroke-width="0.2"`), None leaves one
out. Numbers are in page units and are written with two or three decimals.
"""

from __future__ import annotations

from collections.abc import Iterable

Attribute = str | float | None
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def number(value: float) -> str:
    """`1.50004` → `1.5`, `123.456` → `123.46`."""
    text = f"{value:.{3 if abs(value) < 10 else 2}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def data(*parts: str | float) -> str:
    """Path data: `data("M", 0, 1.5, "V", 3)` → `M 0 1.5 V 3`."""
    return " ".join(part if isinstance(part, str) else number(part) for part in parts)


def through(points: Iterable[tuple[float, float]], close: str = "") -> str:
    """Path data of straight lines through the points; `close` "Z" closes it."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + close


def element(name: str, content: str = "", /, **attributes: Attribute) -> str:
    """Any element."""
    written = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def group(parts: Iterable[str], **attributes: Attribute) -> str:
    return element("g", "".join(parts), **attributes)


def circle(x: float, y: float, r: float, fill: str = "none", **attributes: Attribute) -> str:
    return element("circle", cx=x, cy=y, r=r, fill=fill, **attributes)


def rect(box: Box, fill: str = "none", **attributes: Attribute) -> str:
    left, top, right, bottom = box
    return element(
        "rect", x=left, y=top, width=right - left, height=bottom - top, fill=fill, **attributes
    )


def area(path: str, fill: str, **attributes: Attribute) -> str:
    """A filled path."""
    return element("path", d=path, fill=fill, **attributes)


def line(path: str, colour: str, width: float, **attributes: Attribute) -> str:
    """A stroked path; its ends and corners are round."""
    return element(
        "path", d=path, fill="none", stroke=colour, stroke_width=width,
        stroke_linecap="round", stroke_linejoin="round", **attributes,
    )  # fmt: skip


def move(x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """A transform: to (x, y), turned by degrees, scaled."""
    return (
        f"translate({number(x)} {number(y)})"
        + (f" rotate({number(turn)})" if turn else "")
        + (f" scale({number(scale)})" if scale != 1 else "")
    )
