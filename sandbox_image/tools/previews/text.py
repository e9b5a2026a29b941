"""Texts: their beginning, typeset; Markdown as it is meant, code with its words coloured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

import markdown

from previews import Subject, Unreadable
from previews.poster import poster
from previews.screen import typeset

MOST_BYTES, MOST_LINES, MOST_COLUMNS = 12_000, 40, 160
SECONDS = 20
CODE = (
    ".py", ".js", ".mjs", ".css", ".json", ".geojson", ".sh", ".sql", ".toml", ".yaml", ".yml",
    ".xml", ".musicxml", ".html", ".ts", ".c", ".h", ".cpp", ".rs", ".go", ".java", ".rb", ".ini",
    ".tex", ".jsonl", ".ly", ".abc", ".frag", ".vert", ".glsl",
)  # fmt: skip
HASH_COMMENTS = (".py", ".sh", ".toml", ".yaml", ".yml", ".rb", ".ini")
PARTS = (
    r"""(?P<string>\"{{3}}.*?\"{{3}}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)"""
    r"|(?P<comment>{comment}/\*.*?\*/|<!--.*?-->)"
    r"|(?P<number>(?<![\w#])-?\d[\d_.]*(?:e[+-]?\d+)?\b|\#[0-9a-fA-F]{{3,8}}\b)"
    r"|(?P<word>\b(?:and|as|async|await|break|case|catch|class|const|continue|def|del|do|elif|else"
    r"|enum|except|export|extends|false|False|finally|fn|for|from|func|function|if|impl|import|in"
    r"|interface|is|lambda|let|match|new|None|not|null|or|package|pass|pub|raise|return|SELECT"
    r"|FROM|WHERE|INSERT|CREATE|TABLE|self|static|struct|switch|this|throw|true|True|try|type"
    r"|var|void|while|with|yield)\b)"
)


def show(subject: Subject) -> Iterator[dict]:
    text = beginning(subject)
    if not text.strip():
        raise Unreadable("nothing but blank space")
    suffix = subject.path.suffix.lower()
    if subject.media_type == "text/markdown":
        body = f'<article class="prose">{rendered(text)}</article>'
    elif suffix in CODE:
        body = f'<pre class="code">{numbered(coloured(text, suffix))}</pre>'
    else:
        body = f'<pre class="plain">{escape(text)}</pre>'
    image = typeset(subject.path.parent, body, min(SECONDS, subject.seconds))
    yield poster(image, subject.into)


def beginning(subject: Subject) -> str:
    with subject.path.open("rb") as file:
        text = file.read(MOST_BYTES).decode("utf-8-sig", "replace")
    lines = text.splitlines()[:MOST_LINES]
    return "\n".join(line[:MOST_COLUMNS].expandtabs(4) for line in lines).strip("\n")


def rendered(text: str) -> str:
    """Markdown as HTML; HTML in it is shown as text."""
    writer = markdown.Markdown(extensions=["tables", "fenced_code", "sane_lists"])
    writer.preprocessors.deregister("html_block")
    writer.inlinePatterns.deregister("html")
    return writer.convert(text)


def coloured(text: str, suffix: str) -> str:
    """Code as HTML in which strings, comments, numbers and keywords stand out."""
    comment = r"\#[^\n]*|" if suffix in HASH_COMMENTS else r"//[^\n]*|"
    pattern, done, at = re.compile(PARTS.format(comment=comment), re.DOTALL), [], 0
    for found in pattern.finditer(text):
        done.append(escape(text[at : found.start()]))
        # Each line stands in a box of its own.
        for number, line in enumerate(found[0].split("\n")):
            done.append("\n" * bool(number) + f'<i class="{found.lastgroup}">{escape(line)}</i>')
        at = found.end()
    return "".join(done) + escape(text[at:])


def numbered(html: str) -> str:
    return "".join(f"<b>{n}</b>{line}\n" for n, line in enumerate(html.split("\n"), 1))
