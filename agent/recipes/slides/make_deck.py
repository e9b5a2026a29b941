"""From content to slides: a deck is a list of dictionaries, each with a `kind`.

Kinds: title, agenda, points, timeline, statement, quote, number, figures, chart, table, prompts,
picture, closing.
"""

from __future__ import annotations

import re

WORDS = {
    "en": {
        "agenda": "Agenda",
        "closing": "Thank you",
        "closing_text": "Questions and discussion",
        "more": "{} (continued)",
        "key": "Key points",
        "part": "Part {}",
        "rows": "Showing {} of {} rows",
        "overview": "The data at a glance",
        "facts": "At a glance",
        "full": "The numbers",
        "total": "total",
        "mean": "mean",
        "highest": "highest",
        "records": "rows",
        "by": "{0} by {1}",
    },
    "zh": {
        "agenda": "目录",
        "closing": "谢谢",
        "closing_text": "欢迎提问与交流",
        "more": "{}（续）",
        "key": "要点",
        "part": "第 {} 部分",
        "rows": "共 {1} 行，此处显示 {0} 行",
        "overview": "数据概览",
        "facts": "概览",
        "full": "数据明细",
        "total": "合计",
        "mean": "平均",
        "highest": "最高",
        "records": "行数",
        "by": "{0}（按{1}）",
    },
}

# A deck of which only the topic is known: headings, and questions that its author answers.
SKELETON = {
    "en": [
        (
            "Why {} matters",
            [
                "Who is affected, and how?",
                "What happens if nothing changes?",
                "One sentence the audience should remember:",
            ],
        ),
        (
            "Background",
            [
                "What does the audience already know?",
                "Which terms need a short explanation?",
                "Source of the facts on this slide:",
            ],
        ),
        (
            "The main idea",
            [
                "The idea in one sentence:",
                "What makes it different?",
                "Evidence for it, with source:",
            ],
        ),
        (
            "An example",
            ["A concrete case: who, where, when?", "What was done?", "What came of it?"],
        ),
        (
            "The numbers",
            [
                "Two or three figures that carry the argument:",
                "Where do they come from?",
                "What should be compared with what?",
            ],
        ),
        (
            "Objections and risks",
            ["The strongest objection:", "The answer to it:", "What is still unknown?"],
        ),
        (
            "Next steps",
            ["Who does what, by when?", "What is needed for it?", "How will success be seen?"],
        ),
    ],
    "zh": [
        (
            "为什么关注{}",
            ["与谁有关，有什么影响？", "如果不改变，会怎样？", "希望听众记住的一句话："],
        ),
        ("背景", ["听众已经了解哪些？", "哪些概念需要简单解释？", "本页事实的来源："]),
        ("核心观点", ["用一句话说清观点：", "与其他做法有何不同？", "支持它的证据与来源："]),
        ("一个例子", ["具体的案例：谁、何时、何地？", "做了什么？", "结果如何？"]),
        ("关键数据", ["最能说明问题的两三个数字：", "数据来自哪里？", "应该和什么比较？"]),
        ("疑问与风险", ["最有力的质疑：", "如何回应：", "还有哪些不确定？"]),
        ("下一步", ["谁在什么时候做什么？", "需要哪些支持？", "怎样算成功？"]),
    ],
}
PROMPTS = {
    "en": [
        "The message of this slide in one sentence:",
        "Facts or an example, with source:",
        "What follows from it?",
    ],
    "zh": ["用一句话写出本页的要点：", "事实或例子（注明来源）：", "由此得出什么？"],
}
AMOUNT = r"[+\-−]?[$€£¥￥]?\d[\d,]*(?:\.\d+)?"
MOMENT = (
    r"(?:19|20)\d{2}(?:[-–/.年]\d{0,4}月?)?|\d{1,2}:\d{2}|\d{1,2}月(?:\d{1,2}日)?|Q[1-4](?: \d{4})?"
)
YEAR = rf"^({MOMENT})\s*[:：,，—–-]?\s*(\S.*)$"
FIGURE = (
    rf"^(?P<value>{AMOUNT}\s*(?:%|‰|[kKmM](?![a-z])|万|亿|倍|x\b)?"
    r"(?:\s*(?:元|美元|欧元|人|天|年|小时|分钟|kg|km|euros?|dollars?)$)?)\s*(?P<label>\S.*)?$"
)
QUANTITY = rf"^(?P<label>\S.*?)[\s:：]+(?P<value>{AMOUNT})\s*(?P<unit>%|[^\d\s]{{0,6}})$"


def section_slides(title, points, lang):
    """The slides of one section; its points decide how it looks."""
    if not points:
        return [{"kind": "prompts", "title": title, "points": PROMPTS[lang]}]
    quantities = [re.match(QUANTITY, point) for point in points]
    if len(points) >= 3 and all(quantities) and len({q["unit"] for q in quantities}) == 1:
        values = [_value(q["value"]) for q in quantities]
        labels = [q["label"].strip() for q in quantities]
        return [chart(title, labels, values, quantities[0]["unit"])]
    if len(points) >= 2 and all(re.match(YEAR, point) for point in points):
        moments = [re.match(YEAR, point).groups() for point in points]
        return [
            {"kind": "timeline", "title": title, "points": [list(m) for m in part]}
            for part in _parts(moments, 5)
        ]
    slides, plain = [], []
    for point in points:
        quote = re.match(r"^[“\"「](.+?)[”\"」]\s*(?:——|[—–-]+)?\s*(.*)$", point)
        figure = re.match(FIGURE, point)
        if quote and len(quote[1]) > 8:
            slides.append({"kind": "quote", "text": quote[1], "source": quote[2], "title": title})
        elif figure and len(points) == 1 and not re.match(YEAR, point):
            label = (figure["label"] or "").lstrip(":： ")
            slides.append(
                {"kind": "number", "title": title, "value": figure["value"].strip(), "label": label}
            )
        else:
            plain.append(point)
    if len(plain) == 1 and not slides:
        return [{"kind": "statement", "title": title, "text": plain[0]}]
    found = [{"kind": "points", "title": title, "points": part} for part in _parts(plain, 6)]
    return _continued(found, lang) + slides


def _value(text):
    return float(re.sub(r"[^\d.\-]", "", text.replace("−", "-")))


def _parts(items, most):
    """The items in as few parts of at most `most` as can be, as even as can be."""
    count = -(-len(items) // most)
    return [items[k * len(items) // count : (k + 1) * len(items) // count] for k in range(count)]


def _continued(slides, lang):
    for slide in slides[1:]:
        slide["title"] = WORDS[lang]["more"].format(slide["title"])
    return slides


def halved(slide, lang):
    """The slide as two, for what does not fit on one; None if it can't be cut."""
    key = "rows" if slide["kind"] == "table" else "points"
    items = slide.get(key, [])
    if slide["kind"] == "statement":
        items = re.findall(r"[^。！？.!?]+[。！？.!?]*\s*", slide["text"])
        if len(items) < 2:
            return None
        middle = len(items) // 2
        return _continued(
            [{**slide, "text": "".join(part).strip()} for part in (items[:middle], items[middle:])],
            lang,
        )
    if len(items) < 2:
        return None
    return _continued([{**slide, key: part} for part in _parts(items, -(-len(items) // 2))], lang)


def chart(title, labels, values, unit=""):
    """A chart slide: a line for a series of times, bars for anything else."""
    timed = all(
        re.match(r"^(?:19|20)\d{2}\b|^\d{1,2}月|^Q[1-4]|^\d{4}-\d{2}", label) for label in labels
    )
    shape = (
        "line" if timed and len(labels) > 5 else "columns" if timed or len(labels) < 7 else "bars"
    )
    return {
        "kind": "chart",
        "title": title,
        "labels": labels,
        "values": values,
        "unit": unit,
        "shape": shape,
    }


def outlined(recipe):
    """The content slides of a request that names its sections, or only its topic."""
    lang = recipe["lang"]
    sections = recipe["sections"]
    if not sections:
        wanted = recipe["pages"] - 3 if recipe["pages"] else len(SKELETON[lang])
        skeleton = SKELETON[lang][: max(1, wanted)]
        extra = [
            (WORDS[lang]["part"].format(k + 1), PROMPTS[lang])
            for k in range(wanted - len(skeleton))
        ]
        topic = recipe["topic"] or recipe["title"]
        return [
            {"kind": "prompts", "title": title.format(topic), "points": prompts}
            for title, prompts in (*skeleton[:-1], *extra, skeleton[-1])
        ]
    figures = [re.match(FIGURE, section["title"]) for section in sections]
    if 2 <= len(sections) <= 4 and all(f and f["label"] for f in figures):
        told = [[f["value"].strip(), f["label"]] for f in figures]
        return [{"kind": "figures", "title": WORDS[lang]["facts"], "points": told}]
    bare = [section for section in sections if not section["points"]]
    if len(bare) == len(sections) and sum(len(s["title"]) for s in sections) / len(sections) > (
        22 if lang == "zh" else 60
    ):
        return section_slides(WORDS[lang]["key"], [s["title"] for s in sections], lang)
    return [slide for s in sections for slide in section_slides(s["title"], s["points"], lang)]


def dressed(recipe, title, subtitle, content):
    """The whole deck: a title slide, an agenda if there is enough for one, the content, the end."""
    words = WORDS[recipe["lang"]]
    headings = list(dict.fromkeys(s["title"] for s in content if s.get("title")))
    headings = [h for h in headings if not re.search(r"（续）$|\(continued\)$", h)]
    deck = [{"kind": "title", "title": title, "text": subtitle}]
    if len(headings) >= 3:
        deck += [
            {"kind": "agenda", "title": words["agenda"], "points": part, "first": 1 + 8 * k}
            for k, part in enumerate(headings[i : i + 8] for i in range(0, len(headings), 8))
        ]
    deck += content
    deck.append({"kind": "closing", "title": words["closing"], "text": words["closing_text"]})
    return deck
