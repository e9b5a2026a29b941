"""Chinese as a line from top to bottom wants it: its punctuation, its figures."""

from __future__ import annotations

import re

_VERTICAL = str.maketrans(
    "（）《》「」『』【】〈〉—…：；，。、！？", "︵︶︽︾﹁﹂﹃﹄︻︼︿﹀︱︙︓︔︐︒︑︕︖"
)


def vertical(text: str) -> str:
    """The text for a column: punctuation in its vertical forms, spaces dropped."""
    return re.sub(r"\s+", "", text).translate(_VERTICAL)


_DIGITS = str.maketrans("0123456789", "〇一二三四五六七八九")


def chinese_number(number: int) -> str:
    """0–99 as it is read: 16 → 十六."""
    tens, ones = divmod(number, 10)
    head = "" if tens == 0 else ("十" if tens == 1 else str(tens).translate(_DIGITS) + "十")
    return head + (str(ones).translate(_DIGITS) if ones or not tens else "")


def chinese_date(text: str) -> str:
    """`2027年2月16日` → `二〇二七年二月十六日`, as a vertical line wants it."""
    text = re.sub(r"\d{4}(?=年)", lambda m: m[0].translate(_DIGITS), text)
    return re.sub(r"\d{1,2}(?=[月日时点分号])", lambda m: chinese_number(int(m[0])), text)
