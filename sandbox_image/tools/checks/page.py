"""Web pages: errors, what they load from outside, and their layout on a screen and a phone."""

from __future__ import annotations

import io
from pathlib import Path

from browser import BrowserError, Page, address
from PIL import Image

from checks.access import check_access
from checks.blank import check_blank
from checks.layout import check_layout
from checks.links import check_links
from checks.report import Report, Unreadable, shorten
from checks.signs import check_signs

SCREEN, PHONE = (1280, 800), (375, 812)
NETWORK = ("http:", "https:", "ws:", "wss:")
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What is not there and is loaded fails as a request.
TARGETS = """[...document.querySelectorAll("a[href], area[href]"),
  ...document.querySelectorAll("[src^='file:'], [src^='/'], link[href^='file:'], link[href^='/']")]
  .map((element) => element.getAttribute("href") ?? element.getAttribute("src"))"""


def check(path: Path, report: Report) -> None:
    report.kind = "web page"
    try:
        with Page(*SCREEN, 40) as page:
            page.open(address(str(path)), 0.5)
            report.facts["title"] = page.evaluate("document.title") or "none"
            if not page.evaluate("document.documentElement.lang"):
                report.warn("no_language", "no language: <html lang=…>")
            check_layout(page, report)
            check_signs(page, report)
            check_links(path, page.evaluate(TARGETS), report)
            check_blank(Image.open(io.BytesIO(page.picture())), report)
            page.resize(*PHONE)
            page.evaluate("new Promise(done => setTimeout(() => done(true), 200))")
            surplus = page.evaluate(WIDER)
            if surplus > 2:
                report.warn(
                    "wide_on_phone",
                    f"on a phone ({PHONE[0]} px) the page is {surplus} px wider than the screen",
                    phone=PHONE[0],
                    pixels=surplus,
                )
            problems(page, report)
            page.resize(*SCREEN)
            check_access(page, report)
    except BrowserError as error:
        raise Unreadable(f"the browser can't show it: {error}") from None


def problems(page: Page, report: Report) -> None:
    """What went wrong in the page, and what it needs a network for."""
    outside(page, report)
    for problem in dict.fromkeys(page.problems):
        sort, _, text = problem.partition(": ")
        if sort == "failed request" and text.startswith(NETWORK):
            continue
        report.fail(sort.replace(" ", "_"), problem, text=text)


def outside(page: Page, report: Report) -> None:
    for url in page.outside():
        url = shorten(url, 100)
        report.fail("outside_request", f"loads {url} from the network: keep it in a file", url=url)
