"""The slides recipe: a deck as a self-contained web page and as a PDF."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.recipes import reading
from agent.recipes.reading import find
from agent.recipes.recipe import Recipe
from agent.recipes.request import Lang, Request
from agent.recipes.slides import outline

READABLE = ("md", "markdown", "txt", "csv", "tsv", "json")
LOOKS = {
    # A look: the palette of kit.colour that suits it best, and the words that mean it.
    "night": (
        "night",
        (
            r"\b(?:night|dark|space|astronom|galax|tech|ai\b|cyber|software|startup)"
            "|夜|深色|暗色|太空|科技|人工智能|代码|互联网"
        ),
    ),
    "ink": (
        "ink",
        (
            r"\b(?:poet|calligraph|tradition|tea\b|ink\b)"
            "|诗|词|书法|国画|水墨|传统|古|茶|历史|文化|中医"
        ),
    ),
    "soft": (
        "blossom",
        (
            r"\b(?:kids|child|school|baker|caf|cook|food|family|pets?\b|cats?\b|dogs?\b|garden|flower"
            "|soft|cute)|儿童|小学|幼儿|班会|美食|烘焙|咖啡|面包|家庭|宠物|花|可爱|亲子|柔和"
        ),
    ),
    "swiss": (
        "bold",
        (
            r"\b(?:design|sport|market|sales|launch|product|pitch|brand|bold|modern|minimal)"
            "|设计|运动|市场|销售|产品|发布|品牌|营销|路演|融资|简约|现代"
        ),
    ),
    "editorial": (
        "calm",
        (
            r"\b(?:nature|climate|environment|travel|books?\b|literature|research|science|ocean|forest"
            "|education|elegant)|自然|气候|环保|环境|旅行|读书|文学|研究|科学|海洋|森林|教育|优雅"
        ),
    ),
}
PALETTES = {
    "fresh": r"\b(?:nature|climate|environment|forest|garden|green)|自然|气候|环保|森林|植物|花园",
    "ocean": r"\b(?:ocean|sea\b|water|lake|island)|海|水|湖",
    "earth": r"\b(?:travel|history|coffee|baker|bread)|旅行|历史|咖啡|面包|烘焙",
    "festive": r"\b(?:festival|celebrat|new year)|节日|春节|年会|庆",
    "tech": r"\b(?:tech|software|data\b|ai\b|startup|engineer)|科技|软件|数据|人工智能|工程",
    "noble": (
        r"\b(?:finance|invest|law\b|bank|luxury|quarterly|annual)"
        "|金融|投资|法律|银行|季度|年度|总结|汇报"
    ),
}


def look_of(text: str) -> str | None:
    """The look that a text asks for ("in a dark look"), or else that suits its subject."""
    asked = re.search(outline.STYLED, text)
    for said in (asked[0] if asked else "", outline.head(text)):
        for look, (_, words) in LOOKS.items():
            if find(words, said):
                return look
    return None


def palette_of(text: str) -> str | None:
    """The palette that the words of a text mean."""
    return next((name for name, words in PALETTES.items() if find(words, outline.head(text))), None)


def speaker_of(text: str) -> str | None:
    """Who presents: "by Anna Berg", "汇报人：李雷"."""
    said = re.search(
        r"(?:汇报人|演讲人|主讲人?|作者|报告人)(?:(?:是|为)[:：]?|\s*[:：]|\s)\s*"
        r"([^，。；、,;\n]{1,20})"
        r"|(?i:(?:presented|given|slides|deck|presentation|talk) by|speaker:|presenter:|author:"
        r"|, by)"
        r"\s+([A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,3})",
        text,
    )
    return next(g for g in said.groups() if g).strip() if said else None


def parameters(request: Request) -> dict[str, Any]:
    lang = request.lang
    source = request.input(*READABLE)
    sections = () if source else request.latest(outline.outline) or ()
    subject = request.latest(outline.topic) or ""
    title = request.latest(outline.title) or ("" if source else _headline(subject))
    looks = sorted(set(LOOKS) - {"ink"})
    look = request.latest(look_of) or looks[request.seed % len(looks)]
    stem = _stem(Request(request.chain[:1], request.inputs), source, lang)
    days = request.latest(lambda text: reading.days(outline.head(text))) or ()
    day = days[0] if days else None
    return {
        "lang": lang,
        "title": title or ("" if source else ("演示文稿" if lang == "zh" else "Presentation")),
        "topic": subject or title,
        "speaker": request.latest(speaker_of) or "",
        "date": [day.year, day.month, day.day] if day else [],
        "sections": list(sections),
        "input": source,
        "pages": request.latest(outline.pages) or 0,
        "look": look,
        "palette": (look != "ink" and request.latest(palette_of)) or LOOKS[look][0],
        "colours": list(request.colours),
        "seed": request.seed,
        "files": {"html": f"{stem}.html", "pdf": f"{stem}.pdf"},
    }


def _headline(subject: str) -> str:
    return subject[:1].upper() + subject[1:]


def _stem(first: Request, source: str, lang: Lang) -> str:
    name = outline.title(first.text) or source.rsplit(".", 1)[0] or outline.topic(first.text) or ""
    name = re.sub(r"[^\w\u3400-\u9fff]+", "-" if lang == "en" else "", name.lower()).strip("-_")
    return name[:48] or "slides"


def describe(made: Mapping[str, Any], lang: Lang) -> str:
    title = made["title"] or made["input"]
    given = len(made["sections"])
    if lang == "zh":
        source = (
            f"内容取自 {made['input']}"
            if made["input"]
            else f"按要求中的 {given} 个部分展开"
            if given
            else "要求里只有主题，没有内容，所以只搭好结构，每页写明该填什么，不编造事实"
        )
        return f"幻灯片《{title}》，16:9，{source}。"
    source = (
        f"from {made['input']}"
        if made["input"]
        else f"from the {given} parts named in the request"
        if given
        else "only a topic was given: a structure with prompts to fill in, nothing invented"
    )
    return f"a 16:9 slide deck “{title}”, {source}."


def summary(made: Mapping[str, Any], lang: Lang) -> str:
    text = describe(made, lang)
    if lang == "zh":
        return (
            f"{text}网页版可离线放映（方向键翻页，O 总览，F 全屏），PDF 版每页一张，字体已嵌入。"
            "可以接着说：换颜色、换风格（深色、简约、水墨……）、改标题（放在引号里）、补充要点、换成英文。"
        )
    return (
        f"{text[0].upper()}{text[1:]} The page presents offline (arrow keys, O for the overview, F "
        "for full screen); the PDF has one page a slide with its fonts inside. A follow-up can "
        "change the colours, the look (dark, modern, soft), the title (in quotation marks), the "
        "points or the language."
    )


RECIPE = Recipe(
    name="slides",
    noun={"en": "a slide deck", "zh": "一份幻灯片"},
    example={
        "en": "Slides about our bakery: 1) Our story: since 1987, family of four "
        "2) Our bread: rye, wheat, spelt 3) Plans for 2027",
        "zh": "做一份幻灯片，主题：社区花园；要点：为什么需要、今年的成果、明年的计划",
    },
    words={outline.KINDS: 0.95},
    parameters=parameters,
    describe=describe,
    summary=summary,
)
