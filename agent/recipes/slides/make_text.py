"""Slides of a text, which may be Markdown."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from make_deck import section_slides
from make_tables import written_table

PICTURES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}


def _inline(text):
    """A line without its Markdown."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->", "", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))", "", text).strip()


def read(text, fallback, lang):
    """(title, subtitle, slides) of a text.

    Headings become slides; their lists, tables, quotes and pictures what is on them.
    """
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    heads = re.findall(r"^(#{1,6})\s", text, re.MULTILINE)
    title, subtitle, slides = "", "", []
    text = re.sub(r"(?m)^(?!\||\s*$)(.*)\n(?=\|)", r"\1\n\n", text)
    text = re.sub(r"(?m)^(\|.*)\n(?!\|)", r"\1\n\n", text)
    blocks = re.split(r"\n\s*\n|\n(?=#{1,6}\s)", "\n" + text.replace("\r\n", "\n"))
    heading, points = "", []

    def flush():
        nonlocal points
        if points:
            slides.extend(section_slides(heading or title or fallback, points, lang))
        points = []

    for block in (b.strip("\n") for b in blocks):
        if not block.strip():
            continue
        lines = block.splitlines()
        marked = re.match(r"^(#{1,6})\s+(.+?)\s*#*$", lines[0])
        if marked:
            flush()
            words = _inline(marked[2])
            if not title and (
                (marked[1] == min(heads, key=len) and heads.count(marked[1]) == 1)
                or (not slides and heads[0] == marked[1] == "#")
            ):
                title = words
            else:
                heading = words
            lines = lines[1:]
            if not lines:
                continue
        elif not heads and not title and len(lines) == 1 and len(lines[0]) <= 80:
            title = _inline(lines[0])
            continue
        if all(line.lstrip().startswith("|") for line in lines) and len(lines) > 2:
            flush()
            rows = [[_inline(c) for c in line.strip().strip("|").split("|")] for line in lines]
            slides.extend(written_table([rows[0], *rows[2:]], heading or title, fallback, lang))
        elif all(line.lstrip().startswith(">") for line in lines):
            flush()
            said = " ".join(_inline(line.lstrip(" >")) for line in lines)
            words, source = [*re.split(r"\s*(?:——|—|–|--)\s*", said, maxsplit=1), ""][:2]
            slides.append(
                {
                    "kind": "quote",
                    "title": heading,
                    "text": words.strip('“”"「」'),
                    "source": source,
                }
            )
        elif picture := re.fullmatch(r"\s*!\[([^\]]*)\]\(([^)\s]+)\)\s*", block):
            flush()
            slides.extend(_picture(heading, picture[1], picture[2]))
        elif any(re.match(r"\s*(?:[-*+•·]|\d+[.)、])\s+", line) for line in lines):
            points += _items(lines)
        elif (
            not slides and not points and title and not heading and not subtitle and len(block) < 90
        ):
            subtitle = _inline(" ".join(lines))
        else:
            joint = "" if lang == "zh" else " "
            points += _sentences(_inline(joint.join(line.strip() for line in lines)))
    flush()
    return title or fallback, subtitle, slides


def _items(lines):
    """The items of a list; what is indented below one belongs to it."""
    items = []
    for line in lines:
        marked = re.match(r"^(\s*)(?:[-*+•·]|\d+[.)、])\s+(.+)$", line)
        if marked and (len(marked[1]) < 2 or not items):
            items.append(_inline(marked[2]))
        elif items:
            words = _inline(marked[2] if marked else line)
            items[-1] += (
                ": " if marked and ":" not in items[-1] else ", " if marked else " "
            ) + words
        else:
            items.append(_inline(line))
    return items


def _sentences(paragraph):
    """A paragraph too long for one statement as its sentences."""
    if len(paragraph) <= (90 if re.search(r"[\u3400-\u9fff]", paragraph) else 180):
        return [paragraph]
    return [
        s.strip() for s in re.findall(r".+?(?:[。！？]|[.!?](?=\s|$)|$)", paragraph) if s.strip()
    ]


def _picture(heading, caption, source):
    path = Path("input") / Path(source).name
    if path.suffix.lower() not in PICTURES or not path.is_file():
        return []
    data = base64.b64encode(path.read_bytes()).decode()
    return [
        {"kind": "picture", "title": heading or caption, "label": caption,
         "source": f"data:{PICTURES[path.suffix.lower()]};base64,{data}"}
    ]  # fmt: skip
