"""An interactive map of a trip or of places, in one page that works without a network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.recipes import reading
from agent.recipes.kit.colour import readable
from agent.recipes.map.make_sights import SIGHTS
from agent.recipes.recipe import Recipe
from agent.recipes.request import Lang, Request

__all__ = ["RECIPE"]

Stop = dict[str, Any]
Day = dict[str, Any]
"""`label` ("" for none) and `stops`: name, lat and lon (degrees, None if not given), note, time."""

NUMERAL = r"(?:\d{1,2}|[一二两三四五六七八九十]{1,2})"
HAN = r"[\u4e00-\u9fff]"
SPELLED = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
COORDINATES = re.compile(
    r"[(（@]?\s*([+-]?\d{1,2}\.\d+)\s*°?\s*([NSns北南]?)\s*[,，\s]\s*"
    r"([+-]?\d{1,3}\.\d+)\s*°?\s*([EWew东西]?)\s*[)）]?"
)
DAY = re.compile(
    rf"\bday\s*(?:\d{{1,2}}|{'|'.join(SPELLED)})\b|第\s*{NUMERAL}\s*[天日]|\bD\d{{1,2}}\b",
    re.IGNORECASE,
)
SEPARATOR = re.compile(
    r"\s*(?:[、，,;；→⇒>\n|]|->|\.(?=\s|$)|[。！!？?]|\s[–—]\s|(?:,\s*)?\b(?:and|then)\b|&"
    r"|以及|然后|再去|再到|[和与])\s*"
)
CLOCK = re.compile(
    r"^((?:[01]?\d|2[0-3])[:：][0-5]\d(?:\s*[-–~至]\s*(?:[01]?\d|2[0-3])[:：][0-5]\d)?"
    r"|早上|上午|中午|下午|傍晚|晚上|(?:in the )?(?:morning|afternoon|evening)\b)[\s:：,，]*",
    re.IGNORECASE,
)
VERBS = re.compile(
    r"^(?:(?:then|visit(?:ing)?|see|go(?:ing)? to|drive to|fly to|walk to|train to|to|in|at|via"
    r"|from|the)\s+|(?:先|再)?(?:去|到|逛|游览|参观|前往|打卡|看|爬|住|从|在))",
    re.IGNORECASE,
)
NOISE = re.compile(
    r"^(?:use|make|add|show|draw|please|with|include|it|each|every|i|we|a|an|in|for|colou?r|title)\b"
    r"|\bmaps?\b|地图|路线|颜色|离线|格式|标题|主题|深色|浅色|生成|制作|互动|交互|标注|标出|每天"
    r"|要求|[请要]|不同|弹窗|日程|行程|\d+个|[天夜]$|^用|做成|文件|附件|这些|这个|颜色|色$"
    rf"|{NUMERAL}[日天](?:{NUMERAL}[夜晚]|游|之旅)",
    re.IGNORECASE,
)
ASKING_ZH = (
    r"(?:请|麻烦|帮我|给我|为我|我?想要?|我要|绘制|制作|生成|规划|设计|安排|做|画|来|弄|去|一下|我们?"
    r"|一?[个份幅]|一张|一次)*"
)
LIST_EN = re.compile(
    r"(?:\bmaps?\s+(?:of|with|showing|for|from|through|:)|\b(?:visiting|visit|through|via|between)\b"
    r"|\b(?:stops|places|cities|route|sights)\s*(?:are|is)?\s*:|\b(?:trip|drive|ride|journey|tour"
    r"|route|itinerary)\s+(?:of|to|through|from|around|with|in|for|via|:)|:)\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)
# A title is no place. What stands in quotation marks otherwise may be one.
TITLED = re.compile(
    r"[,，]?\s*(?:(?:\b(?:titled|entitled|called|named|with the title|title)"
    r"|标题|题目|题为|名为|叫做?)"
    r"(?:改成|改为|是|为)?[:：]?\s*[“\"'《「『‘][^”\"'》」』’]*[”\"'》」』’]|《[^》]*》)",
    re.IGNORECASE,
)
LEAD_EN = re.compile(r"^(?:[a-z-]+\s+)+?(?:from|through|via|to|of|with|in)\s+(?=[A-ZÀ-Þ])")
LIST_ZH = re.compile(
    r"(?:[:：]|经过|途经|游览|包括|包含|标出|标注|标记|标上|依次(?:去|到)?|(?<!想)去)\s*(.+)",
    re.DOTALL,
)
BEFORE_ZH = re.compile(
    rf"^{ASKING_ZH}(.+?)的?(?:自驾|环游|旅行|旅游|行程|路线|互动|交互|离线|式|城市|位置)*(?:地图|图)"
)
STAY = (
    rf"(?:{NUMERAL}|{'|'.join([*SPELLED, 'a'])})[\s-]*(?:days?|weekend|nights?)"
    r"(?:\s+(?:trip|tour|itinerary))?\s+(?:in|to|around)\s+"
)
CITY_EN = re.compile(rf"\b(?i:{STAY})((?:[A-Z][\w'’-]*)(?:\s+[A-Z][\w'’-]*)*)")
CITY_ZH = re.compile(
    rf"(?:^|[，,。\s]){ASKING_ZH}([\u4e00-\u9fff]{{2,6}}?)的?{NUMERAL}[日天](?:{NUMERAL}[夜晚]|游|之旅|行|旅)"
)
TRIP_ZH = re.compile(
    rf"(?:{NUMERAL}[日天](?:{NUMERAL}[夜晚])?的?|(?:^|[，,。\s]){ASKING_ZH})"
    r"((?!一)[\u4e00-\u9fff]{2,6}?)的?(?:旅行|旅游|观光|自由行)(?:地图|路线|行程)"
)
DAY_COUNT = re.compile(
    rf"\b({NUMERAL}|{'|'.join(SPELLED)})[\s-]*days?\b|({NUMERAL})[日天](?={NUMERAL}[夜晚]|游|之旅|行程|行|旅|的|，|,|。|$)",
    re.IGNORECASE,
)
SIGHT_COUNT = re.compile(
    rf"\b(\d{{1,2}}|{'|'.join(SPELLED)})\s+(?:sights|places|stops|attractions|spots)\b"
    rf"|({NUMERAL})\s*[个处](?:景点|地点|地方)",
    re.IGNORECASE,
)
ADD = re.compile(
    r"^\s*(?:please\s+|also\s+)?add\s+(.+?)(?:\s+(?:to|on|for)\s+(?:the map|day\s*(\d+)))?[.!]?\s*$"
    rf"|^\s*(?:请|再)?(?:把)?(?:加上|增加|添加|加入)(.+?)(?:(?:到|在)第({NUMERAL})[天日])?[。！]?\s*$",
    re.IGNORECASE,
)
REMOVE = re.compile(
    r"^\s*(?:please\s+)?(?:remove|drop|skip|delete|leave out)\s+(.+?)[.!]?\s*$"
    r"|^\s*(?:请)?(?:去掉|删除|删掉|移除|不去)(?:了)?(.+?)[。！]?\s*$",
    re.IGNORECASE,
)
# Names that hold a separator: they are kept whole.
JOINED = [
    name
    for line in SIGHTS.splitlines()
    if "|" in line and not line.startswith("#")
    for name in "/".join(line.split("|")[:2]).split("/")
    if SEPARATOR.search(name)
]
DARK = r"\bdark\b|\bnight\s*mode\b|深色|暗色|夜间|黑色主题"
LIGHT = r"\blight (?:theme|mode|version|colou?rs)\b|浅色|亮色"
UNROUTED = (
    r"\b(?:no|without|hide|remove)(?: the)? (?:routes?|lines?)\b"
    r"|(?:不要|去掉|不画|隐藏)(?:路线|连线|线)"
)
FROM_FILE = (
    r"\b(?:csv|json|geojson|file|attached|upload(?:ed)?|data|spreadsheet)\b"
    r"|文件|附件|上传|表格|数据"
)


def counted(text: str | None) -> int:
    """The number that a numeral or number word means, 0 for none."""
    value = text.lower() if text else ""
    if value in SPELLED:
        return SPELLED.index(value) + 1
    return int(reading.number(value) or 0) if value else 0


def stops_in(text: str) -> list[Stop]:
    """The stops of a list such as "09:30 Sintra (palace), Porto and Café 59.91, 10.75"."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f" ⟦{len(kept) - 1}⟧ "

    text = COORDINATES.sub(keep, text)
    for name in JOINED:
        text = re.sub(re.escape(name), keep, text, flags=re.IGNORECASE)
    text = re.sub(r"[(（][^)）]*[)）]", keep, text)
    text = re.sub(r"\b(?:St|Mt)\.", keep, text)
    stops = (stop_of(piece, kept) for piece in SEPARATOR.split(text))
    return [stop for stop in stops if stop]


def stop_of(piece: str, kept: list[str]) -> Stop | None:
    """One stop, None when the piece names no place."""
    time, note, lat, lon = "", "", None, None

    def give_back(match: re.Match[str]) -> str:
        nonlocal note, lat, lon
        whole = kept[int(match[1])]
        if at := COORDINATES.fullmatch(whole):
            lat = float(at[1]) * (-1 if at[2] in tuple("Ss南") else 1)
            lon = float(at[3]) * (-1 if at[4] in tuple("Ww西") else 1)
            return " "
        if whole[0] in "(（":
            note = whole[1:-1].strip()
            return " "
        return whole

    name = re.sub(r" ?⟦(\d+)⟧ ?", give_back, piece).strip(" \t:：“”\"'`-–·")
    if match := CLOCK.match(name):
        time, name = match[1], name[match.end() :]
    while (shorter := VERBS.sub("", name, count=1)) != name and shorter:
        name = shorter
    aside = re.split(r"\s+[-–—]\s+|[:：]\s*", name, maxsplit=1)
    if len(aside) == 2:
        name, note = aside[0], note or aside[1]
    name = re.sub(r"的?(?:互动|交互|离线|旅行|旅游)?式?地图$", "", name.strip(" 。.!！“”\"'"))
    if within := re.fullmatch(r"(.+?) in [A-ZÀ-Þ][\w'’ -]+", name):
        name = within[1]
    located = lat is not None and lon is not None and abs(lat) <= 90 and abs(lon) <= 180
    if not located:
        lat = lon = None
        if not re.search(r"[A-ZÀ-Þ\u3400-\u9fff]", name) or NOISE.search(name) or len(name) > 60:
            return None
    return {
        "name": name or f"{lat}, {lon}",
        "lat": lat,
        "lon": lon,
        "note": note,
        "time": time,
    }


def days_in(text: str) -> tuple[Day, ...]:
    """The days of a text and their stops; one day without a label when it names only places."""
    text = TITLED.sub("", text)
    marks = list(DAY.finditer(text))
    if marks:
        days = []
        for mark, after in zip(marks, [*marks[1:], None], strict=True):
            body = text[mark.end() : after.start() if after else len(text)]
            label = mark[0].strip()
            if named := re.match(
                r"\s*(?:[(（]([^)）]+)[)）]|[-–—·]\s*([^:：,，、]+?))\s*[:：]", body
            ):
                label, body = f"{label}: {named[1] or named[2]}", body[named.end() :]
                if reading.lang_of(text) == "zh":
                    label = label.replace(": ", "：")
            if stops := stops_in(body.lstrip(" :：,，-–—\n")):
                days.append({"label": label[0].upper() + label[1:], "stops": stops})
        return tuple(days)
    for pattern in (LIST_EN, LIST_ZH, BEFORE_ZH):
        if found := pattern.search(text):
            listed = re.split(r"[。！!？?]|\.(?=\s+[A-Z][a-z]+ )", found[1])[0]
            listed = LEAD_EN.sub("", listed)
            if re.search(r"\bfrom\b|从", found[0], re.IGNORECASE):
                listed = re.sub(
                    r"\s+to\s+|(?<=[\u4e00-\u9fff])[到至](?=[\u4e00-\u9fff])", ", ", listed
                )
            if stops := stops_in(listed):
                return ({"label": "", "stops": stops},)
    stops = [stop for stop in stops_in(text) if stop["lat"] is not None]
    return ({"label": "", "stops": stops},) if stops else ()


def city_in(text: str) -> str | None:
    """The town of "three days in Tokyo", "东京三日游", "三天两夜东京旅行地图"."""
    if match := CITY_EN.search(text) or CITY_ZH.search(text) or TRIP_ZH.search(text):
        return match[1]
    match = re.search(
        r"\b(?:in|of|around)\s+([A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+)?)[.!]?$", text
    )
    return match[1] if match else None


def day_count_in(text: str) -> int | None:
    match = DAY_COUNT.search(text)
    return counted(match[1] or match[2]) if match else None


def sight_count_in(text: str) -> int | None:
    match = SIGHT_COUNT.search(text)
    return counted(match[1] or match[2]) if match else None


def planned(request: Request) -> list[Day]:
    """The days after every request of the chain: a new list replaces, "add" and "remove" change."""
    days: list[Day] = []
    for text in request.chain:
        if match := REMOVE.match(text):
            gone = {stop["name"].casefold() for stop in stops_in(match[1] or match[2])}
            for day in days:
                day["stops"] = [s for s in day["stops"] if s["name"].casefold() not in gone]
            days = [day for day in days if day["stops"]]
        elif match := ADD.match(text):
            more = stops_in(match[1] or match[3])
            which = counted(match[2] or match[4])
            if days and more:
                days[min(which or len(days), len(days)) - 1]["stops"] += more
            elif more:
                days = [{"label": "", "stops": more}]
        elif found := days_in(text):
            days = [{"label": day["label"], "stops": list(day["stops"])} for day in found]
    return days


def parameters(request: Request) -> dict[str, Any]:
    days, city = planned(request), request.latest(city_in) or ""
    names = [stop["name"] for day in days for stop in day["stops"]]
    if not days or [n.casefold() for n in names] == [city.casefold()]:
        days = []
    elif len(names) == 1 and days[0]["stops"][0]["lat"] is None and not city:
        city, days = names[0], []  # a map of one town shows its sights
    given = [n for n in request.inputs if n.lower().endswith((".csv", ".tsv", ".json", ".geojson"))]
    wants_file = any(re.search(FROM_FILE, text, re.IGNORECASE) for text in request.chain)
    colours = request.colours
    day_count = request.latest(day_count_in) or 1
    looks = request.latest(
        lambda text: (
            "dark"
            if re.search(DARK, text, re.IGNORECASE)
            else "light"
            if re.search(LIGHT, text, re.IGNORECASE)
            else None
        )
    )
    return {
        "lang": request.lang,
        "title": request.title,
        "seed": request.seed,
        "files": {"html": "map.html", "png": "map.png"},
        "days": days,
        "inputs": given if wants_file or not (days or city) else [],
        "city": city,
        "day_count": day_count,
        "sights": request.latest(sight_count_in) or min(20, max(8, 4 * day_count)),
        "theme": looks or "auto",
        "accent": readable(colours[0], "#ffffff") if colours else "",
        "routes": not any(re.search(UNROUTED, text, re.IGNORECASE) for text in request.chain),
        "text": request.chain[0],
    }


def described(parameters: Mapping[str, Any]) -> tuple[int, int]:
    return len(parameters["days"]), sum(len(day["stops"]) for day in parameters["days"])


def describe(parameters: Mapping[str, Any], lang: Lang) -> str:
    days, stops = described(parameters)
    title, city, inputs = parameters["title"], parameters["city"], parameters["inputs"]
    if lang == "zh":
        called = f"《{title}》" if title else ""
        if stops:
            what = f"{stops} 个地点" + (f"，分 {days} 天" if days > 1 else "")
        elif inputs:
            what = f"地点来自 {'、'.join(inputs)}"
        else:
            what = f"{city or '文中提到的地方'}，{parameters['day_count']} 天，景点取自内置列表"
        return f"一张离线可用的互动地图{called}：{what}。"
    called = f" “{title}”" if title else ""
    if stops:
        what = f"{stops} place{'s' * (stops != 1)}" + (f" in {days} days" if days > 1 else "")
    elif inputs:
        what = f"places from {', '.join(inputs)}"
    else:
        many = f"{parameters['day_count']} days in " if parameters["day_count"] > 1 else ""
        what = f"{many}{city or 'the places in the text'}, sights from a built-in list"
    return f"an interactive map{called} that works offline: {what}."


def summary(parameters: Mapping[str, Any], lang: Lang) -> str:
    if lang == "zh":
        return (
            "地图做好了：一个自带底图的网页，断网也能打开，另附一张预览图。地点来自离线地名表和内置景点表，"
            "没查到的列在侧栏里；距离都是直线距离。可以接着说：“加上 X”、“去掉 X”、“换成蓝色”、"
            "“深色”、“不要路线”，或者直接给坐标。"
        )
    return (
        "The map is ready: one page with its own base map that opens without a network, and a "
        "picture of it. Places come from an offline list of towns and sights; those not found are "
        "named in the side panel, and distances are straight lines. Go on with “add X”, "
        "“remove X”, “make it blue”, “dark”, “no routes”, or give coordinates."
    )


def also(request: Request) -> float:
    return 0.75 if request.input("geojson") else 0.0


RECIPE = Recipe(
    name="map",
    noun={"en": "an interactive map", "zh": "一张互动地图"},
    example={
        "en": "Three days in Lisbon as a map. Day 1: Alfama, São Jorge Castle; Day 2: Belém Tower; "
        "Day 3: Sintra",
        "zh": "北京三天两夜的地图。第一天：故宫、景山公园；第二天：八达岭长城；第三天：天坛",
    },
    words={
        r"(?<!mind )(?<!heat )(?<!concept )\bmaps?\b": 0.9,
        r"\bitinerary\b|\broad ?trip\b": 0.7,
        rf"\b{STAY}": 0.6,
        r"\broute\b": 0.55,
        r"(?<!思维)(?<!脑)(?<!热力)地图": 0.9,
        r"路线图|行程图|旅行路线|自驾路线": 0.8,
        rf"{NUMERAL}日游|{NUMERAL}天{NUMERAL}夜|行程": 0.6,
    },
    parameters=parameters,
    describe=describe,
    summary=summary,
    also=also,
)
