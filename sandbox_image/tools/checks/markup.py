"""XML and Markdown: what does not parse, and links to files that are not there."""

from __future__ import annotations

from pathlib import Path

from lxml import etree, html

from checks.data import decoded
from checks.links import check_links, missing
from checks.report import Report, Unreadable

MARKDOWN = (".md", ".markdown")


def check(path: Path, report: Report) -> None:
    if path.suffix.lower() in MARKDOWN:
        words(path, report)
        return
    report.kind = "XML"
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        root = etree.parse(str(path), parser).getroot()
    except (etree.XMLSyntaxError, OSError) as error:
        raise Unreadable(f"not well-formed: {error}", "not_parsed") from None
    report.facts["root"] = etree.QName(root).localname
    report.facts["entries"] = len(root)


def words(path: Path, report: Report) -> None:
    """Markdown, whose pictures and links are looked for beside it."""
    text = decoded(path, report, certain=True) or ""
    report.kind = "Markdown"
    if not text.strip():
        report.fail("no_text", "nothing but blank space")
        return
    # It takes a while to import.
    import markdown

    tree = html.fromstring(
        f"<div>{markdown.markdown(text, extensions=['fenced_code', 'tables'])}</div>"
    )
    for target in missing(path.parent, dict.fromkeys(tree.xpath("//@src"))):
        report.fail("missing_file", f"it shows {target}, which is not there", target=target)
    check_links(path, tree.xpath("//a/@href"), report)
