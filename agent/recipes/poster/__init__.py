"""Posters: an editable SVG and a print PNG, from the request or a JSON, CSV or text input."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from agent.recipes.event import event
from agent.recipes.looks import Size
from agent.recipes.recipe import Recipe
from agent.recipes.request import Lang, Request

A3 = Size(297, 420, "mm")
MOST_PIXELS = 10_000
"""The longest side of a PNG; larger sheets get fewer dots per inch."""


def parameters(request: Request) -> dict[str, Any]:
    """What `make.py` draws from; words that an input file holds are read there.

    `size` is the sheet (in mm or px), `pixels` that of the PNG with its dots per inch, `about` the
    request's words, in which the script looks for a theme.
    """
    said = event(request)
    source = request.input("json", "csv", "md", "txt")
    # Beside a file that has the words, "a poster for our conference" is not a title.
    title = request.title if source else said.title
    size = _size(request)
    name = re.sub(r"[^\w-]+", "-", PurePosixPath(source).stem if source else _first_title(request))
    name = (name.strip("-").lower() + "-poster").lstrip("-")
    return {
        "lang": request.lang,
        "title": title,
        "tagline": said.tagline,
        "when": said.when,
        "where": said.where,
        "url": said.url,
        "facts": list(said.facts),
        "groups": [{"heading": heading, "items": list(items)} for heading, items in said.groups],
        "colours": list(request.colours),
        "about": " ".join(request.chain),
        "input": source,
        "seed": request.seed,
        "size": {"width": size.width, "height": size.height, "unit": size.unit},
        "pixels": _pixels(size),
        "files": {"svg": f"{name}.svg", "png": f"{name}.png"},
    }


def _first_title(request: Request) -> str:
    """Follow-ups keep the first request's file names."""
    return event(Request(request.chain[:1])).title


def _size(request: Request) -> Size:
    size = request.size or A3
    return size.turned(request.shape) if request.shape else size


def _pixels(size: Size) -> dict[str, Any]:
    if size.unit == "px":
        return {"width": round(size.width), "height": round(size.height), "dpi": None}
    longest = max(size.width, size.height) / 25.4
    dpi = next((dpi for dpi in (300, 200, 150, 100) if longest * dpi <= MOST_PIXELS), 72)
    width, height = (round(side / 25.4 * dpi) for side in (size.width, size.height))
    return {"width": width, "height": height, "dpi": dpi}


def describe(parameters: Mapping[str, Any], lang: Lang) -> str:
    p, size, pixels = parameters, parameters["size"], parameters["pixels"]
    sheet = f"{size['width']:g} × {size['height']:g} {size['unit']}"
    png = f"{pixels['width']} × {pixels['height']}"
    if lang == "zh":
        what = f"《{p['title']}》的海报" if p["title"] else "一张海报"
        source = f"，内容取自 {p['input']}" if p["input"] else ""
        facts = "，".join(fact for fact in (p["when"], p["where"]) if fact)
        return f"{what}{source}{f'（{facts}）' if facts else ''}，{sheet}，PNG {png} 像素。"
    what = f"A poster for “{p['title']}”" if p["title"] else "A poster"
    source = f" with the words of {p['input']}" if p["input"] else ""
    facts = ", ".join(fact for fact in (p["when"], p["where"]) if fact)
    return f"{what}{source}{f' ({facts})' if facts else ''}, {sheet}, PNG of {png} pixels."


def summary(parameters: Mapping[str, Any], lang: Lang) -> str:
    if lang == "zh":
        return (
            f"海报做好了：{describe(parameters, lang)}"
            "SVG 里的文字可以直接编辑，PNG 可以付印。可以接着说：换成蓝色、改成 A4 横版、"
            "换一版、标题改为“……”、地点改为……、加上：……"
        )
    return (
        f"The poster is ready. {describe(parameters, lang)} The SVG's text can be edited, the PNG "
        "can be printed. A follow-up can change it: make it blue, A4 landscape, another version, "
        "titled “…”, at …, add: …"
    )


RECIPE = Recipe(
    name="poster",
    noun={"en": "a poster", "zh": "一张海报"},
    example={
        "en": "“a poster for our school science fair on 12 May in the gym, free entry”",
        "zh": "“给社区春节联欢晚会做一张海报，2月5日晚上7点，社区活动中心”",
    },
    words={
        r"\b(?:posters?|flyers?|placard|playbill)\b": 0.95,
        "海报|传单|宣传画|宣传单": 0.95,
    },
    parameters=parameters,
    describe=describe,
    summary=summary,
)
