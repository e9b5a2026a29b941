"""Web pages: errors, what they load from outside, and their layout on a screen and a phone."""

from __future__ import annotations

import io
from pathlib import Path

from browser import BrowserError, Page, address
from PIL import Image

from checks.layout import check_layout
from checks.picture import blank
from checks.report import Report, Unreadable

SUFFIXES = (".html", ".htm", ".xhtml")
SCREEN, PHONE = (1280, 800), (390, 844)
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def check(path: Path, report: Report) -> None:
    report.kind = "web page"
    try:
        with Page(*SCREEN, 40) as page:
            page.open(address(str(path)), 0.5)
            report.facts["title"] = page.evaluate("document.title") or "none"
            if not page.evaluate("document.documentElement.lang"):
                report.warn("no language: <html lang=…>")
            check_layout(page, report)
            blank(Image.open(io.BytesIO(page.picture())), report)
            page.resize(*PHONE)
            page.evaluate("new Promise(done => setTimeout(() => done(true), 200))")
            surplus = page.evaluate(WIDER)
            if surplus > 2:
                report.warn(f"on a phone (390 px) the page is {surplus} px wider than the screen")
            for problem in dict.fromkeys(page.problems):
                report.fail(problem)
            for url in page.outside():
                report.warn(f"loads {url[:100]} from the network")
    except BrowserError as error:
        raise Unreadable(f"the browser can't show it: {error}") from None
