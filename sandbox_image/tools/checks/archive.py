"""Archives and the documents that are archives: whole, and with the parts that open them."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from checks.report import Report, Unreadable, run

# What each kind begins with, and where its text stands: the beginnings of names, and elements.
OFFICE = {
    ".docx": ("word/document.xml", ("word/document.xml",), ("t", "drawing", "pict")),
    ".xlsx": ("xl/workbook.xml", ("xl/worksheets/",), ("v", "f", "is")),
    ".pptx": ("ppt/presentation.xml", ("ppt/slides/",), ("t", "pic", "graphicFrame")),
}
PARTS = (".xml", ".rels")
MOST_BYTES, MOST_MEMBERS = 512 << 20, 20_000
SPREADSHEET_ERRORS = ("#REF!", "#NAME?", "#DIV/0!", "#VALUE!", "#NULL!", "#NUM!")
DAMAGED = (zipfile.BadZipFile, zlib.error, OSError, EOFError)
UNPACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
ENCRYPTED = 1
KINDS = {".docx": "Word document", ".xlsx": "workbook", ".pptx": "presentation"}


def check(path: Path, report: Report) -> None:
    suffix = path.suffix.lower()
    try:
        with zipfile.ZipFile(path) as file:
            whole(file, report)
            if suffix in OFFICE:
                report.kind = KINDS[suffix]
                document(file, suffix, report)
            else:
                report.kind = run("file", "--brief", str(path)).stdout.strip()
    except DAMAGED as error:
        with path.open("rb") as file:
            begins = file.read(2) == b"PK"
        if begins:
            raise Unreadable(f"it is cut off or damaged: {error}", "truncated") from None
        found = run("file", "--brief", "--mime-type", str(path)).stdout.strip()
        raise Unreadable(
            f"it is {found}, called {suffix}", "wrong_name", format=found, suffix=suffix
        ) from None


def whole(file: zipfile.ZipFile, report: Report) -> None:
    members = file.infolist()
    report.facts["members"] = len(members)
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > MOST_BYTES:
        raise Unreadable("it unpacks to more than can be looked through", "too_large")
    if any(m.flag_bits & ENCRYPTED or m.compress_type not in UNPACKED for m in members):
        return
    if damaged := file.testzip():
        raise Unreadable(f"the member {damaged} is damaged", "truncated")


def document(file: zipfile.ZipFile, suffix: str, report: Report) -> None:
    """What programs refuse to open: parts that do not parse, or are referred to and not there."""
    first, places, elements = OFFICE[suffix]
    names = set(file.namelist())
    for name in ("[Content_Types].xml", "_rels/.rels", first):
        if name not in names:
            raise Unreadable(f"it has no part {name}", "not_parsed")
    filled, wrong = 0, []
    for name, root in parts(file):
        if name.endswith(".rels"):
            for target in targets(name, root):
                if target not in names:
                    raise Unreadable(f"{name} refers to {target}, which is not in it", "not_parsed")
        elif name.startswith(places):
            filled += sum(1 for _ in root.iter(*(f"{{*}}{element}" for element in elements)))
            wrong += [cell.text for cell in root.iter("{*}v") if cell.text in SPREADSHEET_ERRORS]
    if not filled:
        report.fail("no_text", "there is nothing in it")
    if wrong:
        report.warn(
            "cell_errors",
            f"{len(wrong)} cells show an error such as {wrong[0]}",
            number=len(wrong),
            error=wrong[0],
        )
    match suffix:
        case ".xlsx":
            report.facts["sheets"] = sum(name.startswith("xl/worksheets/sheet") for name in names)
        case ".pptx":
            report.facts["slides"] = sum(name.startswith("ppt/slides/slide") for name in names)


def parts(file: zipfile.ZipFile) -> Iterator[tuple[str, etree._Element]]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    for name in file.namelist():
        if name.endswith(PARTS):
            try:
                yield name, etree.fromstring(file.read(name), parser)
            except etree.XMLSyntaxError as error:
                raise Unreadable(f"{name} is not well-formed: {error}", "not_parsed") from None


def targets(name: str, root: etree._Element) -> Iterator[str]:
    """The members that a part with relationships refers to."""
    folder = posixpath.dirname(posixpath.dirname(name))
    for item in root.iter("{*}Relationship"):
        target = item.get("Target", "").partition("#")[0]
        if target and item.get("TargetMode") != "External":
            yield posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
