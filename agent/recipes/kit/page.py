"""Self-contained web pages: fonts and libraries put inside, and a picture of the page."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .svg import Label, font_faces
from .type import Face

LIBRARIES = Path("/usr/share/javascript")


def library(name: str, file: str) -> str:
    """The text of a front-end library's file, fit for a `<script>` or `<style>` element.

    Pictures that a style sheet names are left out: they would be fetched.
    """
    text = (LIBRARIES / name / file).read_text(encoding="utf-8")
    text = re.sub(r"/[/*]# sourceMappingURL=\S+( \*/)?", "", text)
    if file.endswith(".css"):
        return re.sub(r"url\((?!['\"]?(?:data:|#))[^)]*\)", "none", text)
    return text.replace("</script", "<\\/script")


def embedded(value: object) -> str:
    """JSON that is safe inside a `<script type="application/json">`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def web_fonts(texts: Sequence[tuple[Face, str]]) -> str:
    """`@font-face` rules with only the characters of these texts, at most some 100 KB."""
    return font_faces([Label(text, face, 0, "", (0, 0, 0, 0), "") for face, text in texts if text])


def families(face: Face) -> str:
    """The CSS names of a face's fonts, in order."""
    return ", ".join(f'"{family}"' for family in face.families)


def picture(page: Path, png: Path, width: int, height: int) -> None:
    """Photographs the page; what went wrong in it (console errors, requests) ends the script."""
    subprocess.run(
        ["shoot", str(page), str(png), "--width", str(width), "--height", str(height)], check=True
    )
