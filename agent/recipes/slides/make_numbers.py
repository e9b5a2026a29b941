"""Numbers as tables hold them and as slides show them."""

from __future__ import annotations

import re


def number(cell):
    """The value of a cell, None if it is not a number."""
    plain = re.sub(r"[,\s$€£¥￥%]", "", cell)
    return float(plain) if re.fullmatch(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", plain) else None


def tidy(value):
    """A number as people write it: no more digits than carry meaning."""
    if abs(value) >= 1000 or value == round(value):
        return f"{value:,.0f}"
    return f"{value:,.3g}" if abs(value) < 1 else f"{value:,.4g}"


def summable(heading):
    """Whether the numbers under a heading add up to something: rates and ages do not."""
    averaged = r"(?i)rate|percent|%|avg|mean|age|score|temp|率|平均|温|分|龄"
    return not re.search(averaged, heading)
