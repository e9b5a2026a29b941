"""What a poster says: from the request's parameters and from any JSON, CSV or text input."""

import csv
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from kit.script import Unusable
from kit.text import decoded

KEYS = {
    "title": r"title|event|headline|event_?name|标题|名称|活动|活动名称|主题",
    "tagline": r"tagline|sub_?title|slogan|motto|theme|claim|副标题|口号|标语|宣传语",
    "when": r"dates?|when|day|时间|日期|活动时间|举办时间",
    "time": r"times?|hours|starts?|doors|opening|开始时间|开场",
    "where": r"venue|place|location|where|address|city|地点|场地|地址|活动地点|举办地点|城市",
    "url": r"url|website|web|link|site|homepage|网址|网站|链接|官网",
    "colours": r"colou?rs?|palette|brand_?colou?rs?|颜色|配色|色彩",
    "name": r"name|who|speaker|artist|band|title|act|person|item|session|what"
    r"|姓名|名字|嘉宾|名称|节目|题目|项目",
}


LONGEST, MOST_FACTS, MOST_GROUPS, MOST_ITEMS = 160, 8, 5, 20


@dataclass
class Content:
    """The words of a poster; everything but the title may be empty."""

    title: str = ""
    tagline: str = ""
    when: str = ""
    where: str = ""
    groups: list = field(default_factory=list)
    """(heading, [(main, detail), …]): people, programme, topics."""
    facts: list = field(default_factory=list)
    """Short lines for the foot: "Register by 1 March", "Free entry"."""
    url: str = ""
    colours: list = field(default_factory=list)

    def words(self):
        """All but the title as one text, to find the theme in."""
        items = [" ".join(item) for _, rows in self.groups for item in rows]
        return " ".join([self.tagline, self.where, *self.facts, *items])


def read(parameters):
    """The content of an input file, if there is one, overridden by what the request says.

    Raises:
        Unusable: the input cannot be read, or there is no title.
    """
    content = Content()
    if parameters["input"]:
        path = Path("input", parameters["input"])
        text = _text(path, parameters["lang"])
        reader = {".json": _json, ".csv": _csv}.get(path.suffix.lower(), _plain)
        reader(text, content, parameters["lang"])
    for key in ("title", "tagline", "when", "where", "url"):
        if parameters[key]:
            setattr(content, key, parameters[key])
    content.facts = [*content.facts, *parameters["facts"]]
    content.groups = [
        *content.groups,
        *((g["heading"], [(i, "") for i in g["items"]]) for g in parameters["groups"]),
    ]
    content.colours = parameters["colours"] or content.colours
    _limit(content)
    content.url = re.sub(r"^https?://(www\.)?|/$", "", content.url)
    if not content.title:
        raise Unusable(
            "没有找到标题：请写明海报的标题，例如“标题：春季读书会”"
            if parameters["lang"] == "zh"
            else 'there is no title: say what the poster is for, such as: titled "Spring Fair"'
        )
    return content


def _limit(content):
    """Keep what one sheet can carry, and say what was left out."""
    for key in ("title", "tagline", "when", "where", "url"):
        text = " ".join(getattr(content, key).split())
        setattr(content, key, text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
    items = sum(len(rows) for _, rows in content.groups) + len(content.facts)
    content.facts = content.facts[:MOST_FACTS]
    kept, room = [], MOST_ITEMS
    for heading, rows in content.groups[:MOST_GROUPS]:
        cut = [(main[:LONGEST], detail[:LONGEST]) for main, detail in rows[:room]]
        room -= len(cut)
        if cut:
            kept.append((heading[:40], cut))
    content.groups = kept
    left = items - sum(len(rows) for _, rows in kept) - len(content.facts)
    if left:
        print(
            f"note: {left} of {items} items do not fit on the sheet and were left out", flush=True
        )


def _text(path, lang):
    data = path.read_bytes()
    if not data.strip():
        raise Unusable(f"{path.name} 是空文件" if lang == "zh" else f"{path.name} is empty")
    found = decoded(data)
    if not found:
        raise Unusable(f"{path.name} 不是文本" if lang == "zh" else f"{path.name} is not text")
    return found[0]


def _is(key, kind):
    return re.fullmatch(KEYS[kind], key.strip().lower().replace(" ", "_").replace("-", "_"))


def _json(text, content, lang):
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unusable(
            f"JSON 第 {error.lineno} 行有错误" if lang == "zh" else f"the JSON is broken: {error}"
        ) from error
    if isinstance(data, list):
        data = {"programme" if lang == "en" else "节目": data}
    if isinstance(data, dict):
        _walk(data, content, lang)


def _walk(data, content, lang):
    """Give every value of a JSON object its part by its key, or else by its shape."""
    for key, value in data.items():
        if value in (None, "", [], {}):
            continue
        if _is(key, "colours"):
            content.colours = re.findall(r"#(?:[0-9a-fA-F]{3}){1,2}\b", json.dumps(value))
        elif isinstance(value, dict):
            single = {k: v for k, v in value.items() if isinstance(v, (str, int, float))}
            if _is(key, "when") or _is(key, "where"):
                _put("when" if _is(key, "when") else "where", _phrase(single), content)
            else:
                if _is(key, "title") and "name" in value:
                    value = {
                        "title": value["name"],
                        **{k: v for k, v in value.items() if k != "name"},
                    }
                _walk(value, content, lang)
        elif isinstance(value, list):
            items = [item for item in (_item(entry) for entry in value) if item[0]]
            if _is(key, "when") or _is(key, "where"):
                _put(
                    "when" if _is(key, "when") else "where", ", ".join(i[0] for i in items), content
                )
            elif items:
                content.groups.append((_heading(key), items))
        else:
            _put_value(key, str(value).strip(), content, lang)


def _put_value(key, text, content, lang):
    for kind in ("title", "tagline", "when", "where", "url"):
        if _is(key, kind):
            _put(kind, text, content)
            return
    if _is(key, "time"):
        content.when = f"{content.when}, {text}" if content.when else text
    elif key.strip().lower() == "name" and not content.title:
        content.title = text
    elif re.match(r"https?://|www\.", text) and not content.url:
        content.url = text
    elif len(text) <= 90:
        label = _heading(key)
        bare = re.search(r"(?i)^(free|open|note|info|description|organi[sz]er|host|about)", label)
        joint = "：" if lang == "zh" else (" " if label.endswith((" by", " at", " from")) else ": ")
        content.facts.append(text if bare else f"{label}{joint}{text}")
    elif not content.tagline:
        content.tagline = text


def _put(kind, text, content):
    old = getattr(content, kind)
    if kind in ("when", "where") and old:
        text = f"{old}, {text}"
    elif old:
        return
    setattr(content, kind, text)


def _phrase(values):
    return ", ".join(str(value) for value in values.values())


def _heading(key):
    words = re.sub(r"[_\-]+|(?<=[a-z])(?=[A-Z])", " ", key).strip()
    return words[:1].upper() + words[1:]


def _item(entry):
    """(main, detail) of one entry of a list."""
    if not isinstance(entry, dict):
        return (str(entry).strip(), "")
    texts = {
        k: str(v).strip() for k, v in entry.items() if isinstance(v, (str, int, float)) and v != ""
    }
    main = next((k for k in texts if _is(k, "name")), next(iter(texts), ""))
    if not main:
        return ("", "")
    rest = [v for k, v in texts.items() if k != main and not v.startswith("http")]
    return (texts[main], " · ".join(rest))


def _csv(text, content, lang):
    rows = [row for row in csv.DictReader(text.splitlines()) if any(row.values())]
    if not rows:
        raise Unusable("CSV 里没有数据行" if lang == "zh" else "the CSV has no rows")
    columns = [c for c in rows[0] if c]
    if len(columns) == 2 and {k.lower() for k in columns} & {"key", "field", "字段", "项目"}:
        _walk({row[columns[0]]: row[columns[1]] for row in rows}, content, lang)
        return
    # One row each for what happens: a programme, in the order of the file.
    items = [_item({k: v or "" for k, v in row.items() if k}) for row in rows]
    content.groups.append(("节目" if lang == "zh" else "Programme", items))


def _plain(text, content, lang):
    """Text or Markdown: a first line, "Key: value" lines, lists under headings, and prose."""
    lines = [line.strip() for line in text.splitlines()]
    heading = "内容" if lang == "zh" else "Programme"
    items = []

    def close():
        if items:
            content.groups.append((heading, list(items)))
            items.clear()

    for line in filter(None, lines):
        bullet = re.match(r"(?:[-*•·]|\d+[.)、])\s*(.+)", line)
        pair = re.match(r"([^:：]{1,24})\s*[:：]\s*(\S.*)", line)
        if re.match(r"#{2,}\s", line) or re.fullmatch(r"[^:：]{1,24}[:：]", line):
            close()
            heading = line.strip("#:： ")
        elif bullet:
            main, _, detail = re.sub(r"[*_`]", "", bullet[1]).partition(" — ")
            items.append((main.strip(), detail.strip()))
        elif pair and not line.startswith("#") and not re.match(r"https?$|\d+$", pair[1]):
            _put_value(pair[1], pair[2], content, lang)
        elif not content.title:
            content.title = line.strip("# ")
        elif not content.tagline and len(line) <= 120:
            content.tagline = line
        elif len(line) <= 90:
            content.facts.append(line)
    close()
