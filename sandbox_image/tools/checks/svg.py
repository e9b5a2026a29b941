"""SVG pictures: well-formed, self-contained, no text that collides or leaves the picture."""

from __future__ import annotations

import io
from pathlib import Path

from browser import BrowserError, Page, address
from lxml import etree
from PIL import Image

from checks.blank import check_blank
from checks.layout import check_layout
from checks.page import problems
from checks.report import Report, Unreadable
from checks.signs import check_signs


def check(path: Path, report: Report) -> None:
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
        root = etree.parse(str(path), parser).getroot()
    except (etree.XMLSyntaxError, OSError) as error:
        raise Unreadable(f"not well-formed: {error}") from None
    if etree.QName(root).localname != "svg":
        raise Unreadable(f"the outermost element is <{etree.QName(root).localname}>, not <svg>")
    report.kind = "SVG"
    report.facts |= {
        name: root.get(name) for name in ("width", "height", "viewBox") if root.get(name)
    }
    texts = root.findall(".//{http://www.w3.org/2000/svg}text")
    report.facts["texts"] = len(texts)
    if not root.get("viewBox"):
        report.warn("no_view_box", "no viewBox: it can't be scaled")
    try:
        with Page(1280, 960, 40) as page:
            page.open(address(str(path)), 0.1)
            check_layout(page, report)
            check_signs(page, report)
            problems(page, report)
            check_blank(Image.open(io.BytesIO(page.picture())), report)
    except BrowserError as error:
        raise Unreadable(f"the browser can't draw it: {error}") from None
