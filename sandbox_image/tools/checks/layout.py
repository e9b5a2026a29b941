"""Where text collides or is cut off, as a browser draws it; for SVG and for web pages."""

from __future__ import annotations

from pathlib import Path

from browser import Page

from checks.report import Report

SCRIPT = Path(__file__).with_name("layout.js").read_text("utf-8")
MOST = 6


def check_layout(page: Page, report: Report) -> None:
    found = page.evaluate(SCRIPT)
    for first, second in found["overlaps"][:MOST]:
        report.warn(
            "overlap", f"text overlaps: “{first}” and “{second}”", first=first, second=second
        )
    for text in found["outside"][:MOST]:
        report.warn("text_outside", f"text leaves the picture: “{text}”", text=text)
    for text in found["clipped"][:MOST]:
        report.warn("text_cut", f"text is cut off by its box: “{text}”", text=text)
    hidden = sum(max(0, len(found[kind]) - MOST) for kind in ("overlaps", "outside", "clipped"))
    if hidden:
        report.warn("more_places", f"and {hidden} more places like these", number=hidden)
