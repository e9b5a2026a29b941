"""What keeps people out of a page who can't see well or have no mouse, as axe-core finds it."""

from __future__ import annotations

import json
import time
from pathlib import Path

from browser import BrowserError, Page

from checks.report import Report, shorten

LIBRARY = Path("/usr/share/javascript/axe-core/axe.min.js")
SCRIPT = Path(__file__).with_name("access.js").read_text("utf-8")
# A page so large that it takes longer is let be.
SECONDS, MOST, EXAMPLE = 20, 6, 90
# Without those that depend on the page's purpose, or on what browsers have learned since.
RULES = (
    *("area-alt", "image-alt", "input-image-alt", "object-alt", "role-img-alt", "svg-img-alt"),
    *("button-name", "input-button-name", "link-name", "summary-name", "frame-title"),
    *("label", "select-name", "aria-command-name", "aria-input-field-name"),
    *("aria-toggle-field-name", "aria-hidden-body", "aria-hidden-focus", "aria-required-attr"),
    *("aria-required-children", "aria-required-parent", "aria-roles", "aria-valid-attr"),
    *("aria-valid-attr-value", "color-contrast", "document-title", "html-lang-valid"),
    *("list", "listitem", "meta-refresh", "nested-interactive"),
)


def check_access(page: Page, report: Report) -> None:
    """To be called last: what takes too long leaves a page that answers no more."""
    page.deadline = min(page.deadline, time.monotonic() + SECONDS)
    script = SCRIPT.replace("RULES", json.dumps(RULES))
    try:
        found = page.evaluate(f"{LIBRARY.read_text('utf-8')}\n{script}", apart=True)
    except BrowserError:
        return
    for item in found[:MOST]:
        rule, text, number = item["rule"], item["help"], item["number"]
        example = shorten(" ".join(item["example"].split()), EXAMPLE)
        report.warn(
            "axe",
            f"{text} ({rule}, {number} times): {example}",
            rule=rule,
            help=text,
            number=number,
            example=example,
        )
