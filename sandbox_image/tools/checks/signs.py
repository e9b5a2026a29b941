"""Characters that a browser has no sign for: it draws boxes."""

from __future__ import annotations

from pathlib import Path

from browser import Page

from checks.report import Report

SCRIPT = Path(__file__).with_name("signs.js").read_text("utf-8")
MOST_NAMED = 8


def check_signs(page: Page, report: Report) -> None:
    """A warning: other computers have other fonts."""
    if missing := page.evaluate(SCRIPT, apart=True):
        named = ", ".join(f"U+{ord(sign):04X}" for sign in missing[:MOST_NAMED])
        report.warn(
            "no_sign",
            f"{len(missing)} characters are boxes, as no font has them: {named}",
            number=len(missing),
            signs=named,
        )
