"""What a request says of an event, for posters and cards: what, when, where, and the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agent.recipes import looks, reading
from agent.recipes.request import Request

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
DAY = r"\d{1,2}(?:st|nd|rd|th)?"
TO = r"\s*(?:-|–|—|to|until|till)\s*"
CLOCK = r"\d{1,2}(?:[:.]\d{2})?\s*[ap]\.?m\b\.?|\d{1,2}:\d{2}|noon|midnight"
HOUR = (
    r"(?:(?:凌晨|早上|上午|中午|下午|傍晚|晚上|晚|早)\s*)?"
    r"(?:\d{1,2}[:：]\d{2}|(?:\d{1,2}|[一二三四五六七八九十]{1,3})[点时](?:半|整|[\d一二三四五六七八九十]{1,3}分)?)"
)
DATES = re.compile(
    rf"(?:\b(?:on|from)\s+)?(?P<en>(?:every\s+)?(?:{WEEKDAY},?\s+)?(?:the\s+)?"
    rf"(?:{DAY}(?:{TO}{DAY})?\s+(?:of\s+)?{MONTH}(?:{TO}{DAY}\s+{MONTH})?(?:,?\s+\d{{4}})?"
    rf"|{MONTH}\s+{DAY}(?:{TO}(?:{MONTH}\s+)?{DAY})?(?!\d)(?:,?\s+\d{{4}})?"
    rf"|\d{{4}}-\d{{2}}-\d{{2}})|(?:every |next |this )?{WEEKDAY}(?:{TO}{WEEKDAY})?\b)"
    r"|(?P<zh>(?:\d{4}\s*年)?\s*(?:\d{1,2}|[一二三四五六七八九十]{1,2})月"
    r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?"
    r"(?:\s*[-–—至到]+\s*(?:\d{1,2}月)?\d{1,2}[日号]?)?(?:[（(]?(?:周|星期|礼拜)[一二三四五六日天][）)]?)?"
    r"|(?:正月初[一二三四五六七八九十]|除夕|元宵节?晚上?)(?=[，。,\s晚上]|$)"
    r"|(?:每|本|这|下)(?:周|星期|个?礼拜)[一二三四五六日天](?:[、和至到][一二三四五六日天])*)",
    re.IGNORECASE,
)
TIMES = re.compile(
    rf"(?:\b(?:at|from|starting at|starts at)\s+)?(?P<en>(?:{CLOCK}|\d{{1,2}}(?={TO}(?:{CLOCK})))"
    rf"(?:{TO}(?:{CLOCK}))?)|(?P<zh>{HOUR}(?:\s*[-–—~至到]+\s*{HOUR})?(?:开始|开场)?)",
    re.IGNORECASE,
)
URL = re.compile(
    r"(?:https?://|www\.)[^\s，。；,]+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|cn|io|example)(?:/[\w/-]*)?"
)
PLACES_EN = (
    r"park|hall|school|library|gym|gardens?|house|church|museum|caf[eé]|room|cent(?:er|re)|theat(?:er|re)|square"
    r"|street|road|beach|restaurant|office|club|pier|stadium|station|campus|field|farm|bar|studio|gallery|hotel|home"
    r"|college|university|arena|playground|courtyard|barn|cellar|lawn|pool"
    r"|bakery|market place|harbou?r"
)
PLACES_ZH = (
    r"馆|厅|中心|公园|广场|礼堂|体育场|教室|酒店|饭店|剧院|剧场|操场|草坪|门口|小区|影院|书店|咖啡店|花园|会所|大学"
    r"|中学|小学|学校|食堂|大厦|校区|工作室|沙滩|海滩|宴会厅|餐厅|家里|我家|\d+号|\d+楼|\d+室|三楼|二楼|一楼|集合"
)
STOPS_EN = (
    r"(?=\s+(?:on|from|at \d|with|for|every|to|using|in (?:blue|red|green|gold|a\d)"
    r"|and (?:use|make))\b|\s*[,.;:!?\n（(]|\s*$)"
)
PLACE_EN = re.compile(
    rf"\b(?:venue|place|location|where)(?: is)?\s*:\s*(?P<said>[^;\n。]+?)(?=\.\s|\.$|[;\n]|$)"
    rf"|\b(?:at|in|@)\s+(?P<at>(?:the |our |my |his |her )?"
    rf"(?!(?:english|chinese|a\d|the style|shades?)\b)"
    rf"[\w'’&\- ]{{0,40}}?\b(?:{PLACES_EN})\b[\w'’&\- ]{{0,24}}?"
    rf"(?:, (?-i:[A-Z])[\w-]+)?){STOPS_EN}"
    rf"|\b(?:at|@)\s+(?P<name>(?:the )?(?-i:[A-Z])[\w'’&\-]*(?: [\w'’&\-]+){{0,5}}?"
    rf"(?:, (?-i:[A-Z])[\w-]+)?){STOPS_EN}"
    rf"|\bin\s+(?P<town>(?-i:[A-Z])[\w'’\-]+(?:,? (?-i:[A-Z])[\w'’\-]+){{0,2}})"
    rf"(?<!English)(?<!Chinese){STOPS_EN}",
    re.IGNORECASE,
)
PLACE_ZH = re.compile(
    r"(?:地点|地址|场地|会场)\s*(?:是|在|为|改成|改为|换成)?\s*[:：]?\s*(?P<said>[^，。；,;\n]+)"
    r"|在(?P<held>[^，。；,;\n在]{2,24}?)(?:举行|举办|召开|集合|开演|见面)"
    rf"|(?:^|[，。；,;\n\s])(?:在|于)?(?P<clause>[^，。；,;：:\n\s]{{0,18}}(?:{PLACES_ZH})[^，。；,;：:\n\s]{{0,10}})(?=[，。；,;\n\s]|$)"
)
TAGLINE = re.compile(
    r"(?:tagline|subtitle|slogan|motto)(?: is)?\s*:?\s*[\"“'‘](?P<en>[^\"”\n]+?)[\"”'’]"
    r"|(?:tagline|subtitle|slogan|motto)\s*:\s*(?P<en2>[^.;\n]+)"
    r"|(?:副标题|口号|标语|宣传语)\s*(?:是|为|用)?\s*[:：]?\s*[“「《\"]?(?P<zh>[^，。；;\n”」》\"]+)[”」》\"]?",
    re.IGNORECASE,
)
GROUP = re.compile(
    r"\b(?P<en>(?:keynote )?speakers?|programme?|line-?up|bands?|topics|tracks|activities|workshops"
    r"|menu"
    r"|performers|guests|schedule|highlights|sessions|artists)\s*:\s*(?P<items>[^.;\n]+)"
    r"|(?P<zh>嘉宾|节目单?|内容|活动内容|环节|亮点|主讲人?|演出|乐队|菜单|日程|分论坛|主题分享)\s*[:：]\s*(?P<list>[^。；;\n]+)",
    re.IGNORECASE,
)
COMMAND = re.compile(
    r"\b(?:poster|flyer|card|invitation|make|please|create|design|draw|need|want|png|svg|pdf|jpe?g|print(?:able)?"
    r"|px|pixels|inch(?:es)?|dpi|high|size|format|portrait|landscape|square|colou?rs?|style|layout|english|chinese|json"
    r"|csv|file|attached|background|font|thanks|it|this|that|use|editable|proportions|title[ds]?|called|again|another"
    r"|instead|version|warm|kind|funny|formal|simple|modern|minimal|elegant|look)\b|\bA[0-6]\b"
    r"|海报|贺卡|卡片|请柬|邀请函|请帮|帮我|设计|制作|生成|尺寸|竖版|横版|颜色|配色|风格|字体|背景|打印|像素|文件|谢谢"
    r"|换成|改成|改为|标题|主题|英文|中文|色调|要求|做一|一张|版式|简约|喜庆|大气|可爱",
    re.IGNORECASE,
)
SUBJECT_EN = re.compile(
    r"\b(?:poster|flyer|invitation|invite|placard)s?\b(?:\s+card)?(?:\s+(?:in|at|of)\s+\w+(?:\s+size)?)?"
    r"(?:\s*:\s*|\s+(?:for|about|to advertise|advertising|announcing|to announce|promoting"
    r"|to promote|of|on|saying|to)\s+)"
    r"(?P<it>[^,.;:\n]+)|"
    r"(?:^|\b(?:an?|the|our|my)\s+)(?P<kind>(?!(?:an?|the|our|my) )(?:[\w'’-]+ ){1,4}?)"
    r"(?=(?:poster|flyer|invitation)\b)",
    re.IGNORECASE,
)
SUBJECT_ZH = re.compile(
    r"(?:给|为|替)(?P<given>[^，。；,;\n]{2,30}?)(?:的)?(?:做|设计|制作|画|生成|弄|来|写|出)[^，。；,;\n]{0,30}?(?:海报|请柬|邀请函)"
    r"|(?:做|设计|制作|画|生成|弄|来|要|出)(?:一下)?(?:一?[张份幅个])?(?:关于)?(?P<made>[^，。；,;\n]{2,30}?)(?:的)?(?:宣传|活动|竖版|横版)*(?:海报|请柬|邀请函)"
    r"|海报[:：]\s*(?P<named>[^，。；,;\n]{2,30})"
    r"|^(?:关于)?(?P<bare>[^，。；,;\n做]{2,24}?)(?:的)?(?:宣传|活动)?(?:海报|请柬|邀请函)"
)
OFFERS = re.compile(r"\bwith\s+(?P<it>[^.;:\n]+)", re.IGNORECASE)
ARTICLES = r"^(?:(?:our|my|the|a|an|your|this|their)\s+)+|^(?:我们的?|咱们的?|一个|关于)|的$"
AROUND_PLACE = (r"^the ", r"^(?:在|于)|(?:举行|举办|召开|集合|见面)$")
LONGEST, MOST = 160, 8
"""Characters of a phrase and number of phrases: what a sheet can carry."""
SMALL = {"a", "an", "the", "of", "in", "on", "at", "to", "for", "and", "or", "with", "by", "from"}


@dataclass(frozen=True)
class Event:
    """An event in the words of the request; what it does not say is empty."""

    title: str = ""
    tagline: str = ""
    when: str = ""
    where: str = ""
    url: str = ""
    facts: tuple[str, ...] = ()
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(heading, items): "Speakers: A, B"."""


REPLY = re.compile(
    r"\b(?:RSVP|(?:please |kindly )?(?:reply|respond) (?:by|to|before))\b(?:[^.;\n]|\.(?=\w))*"
    r"|(?:请|敬请)?(?:于|在)?[^，。；\n]{1,16}前(?:回复|告知)[^，。；\n]*",
    re.IGNORECASE,
)


def event(request: Request) -> Event:
    """The event of a request's chain: a follow-up replaces what it names and keeps the rest.

    Loose sentences ("free entry") are read from the first request and from those that say "add".
    """
    told = [read(text, first=index == 0) for index, text in enumerate(request.chain)]
    whole = told[0]
    for text, later in zip(request.chain[1:], told[1:], strict=True):
        changes = {
            name: getattr(later, name)
            for name in ("title", "tagline", "when", "where", "url", "groups")
            if getattr(later, name)
        }
        whole = replace(whole, **changes)
        added = re.search(
            r"\badd\b:?\s*(?P<en>.+)|(?:加上|添加|增加)[:：]?(?P<zh>.+)", text, re.IGNORECASE
        )
        if added and not changes:
            fact = _tidy((added["en"] or added["zh"]).strip("“”\"'。. "))
            whole = replace(whole, facts=(*whole.facts, fact))
    return whole


def read(text: str, *, first: bool = True) -> Event:
    """What one text says. A later text (`first` False) gives no loose facts or guessed title."""
    chinese = reading.lang_of(text) == "zh"
    rest, reply = _take(REPLY, text)
    rest, url = _take(URL, rest)
    rest, tagline = _take(TAGLINE, rest)
    titled = reading.title(rest) or ""
    quotes = [quote for quote in reading.quotes(rest) if quote not in (titled, tagline)]
    rest = re.sub(reading.QUOTED, ",", rest)
    groups = []
    for match in GROUP.finditer(rest):
        items = re.split(r"\s*[,，、]\s*|\s+and\s+", match["items"] or match["list"])
        heading = (match["en"] or match["zh"]).strip()
        said = tuple(_tidy(i) for i in items if i.strip() and not _is_order(i))
        groups.append((heading[:1].upper() + heading[1:], said))
    rest = GROUP.sub(",", rest)
    rest, dates = _take_all(DATES, rest)
    rest, times = _take_all(TIMES, rest)
    when = (" " if chinese else ", ").join(
        [" – ".join(dates[:2]) if chinese else ", ".join(dates[:2]), *times[:2]]
    )
    title = titled
    if not title and first:
        title, rest = _subject(rest, chinese)
    rest, where = _take(PLACE_ZH if chinese else PLACE_EN, rest)
    rest, offered = ("", "") if not first else _take(OFFERS, rest)
    facts = _facts(rest, titled)
    if offered and not _is_order(offered):
        facts = (*facts, _tidy(offered))
    if reply and first:
        facts = (*facts, _tidy(reply))
    if not where and not chinese:
        where = next(
            (fact for fact in facts if re.search(rf"\b(?:{PLACES_EN})\b", fact, re.IGNORECASE)), ""
        )
        facts = tuple(fact for fact in facts if fact != where)
    return Event(
        title=title[:LONGEST],
        tagline=(tagline or (quotes[0] if quotes else ""))[:LONGEST],
        when=_tidy(when)[:LONGEST],
        where=_tidy(re.sub(AROUND_PLACE[chinese], "", where))[:LONGEST],
        url=url[:LONGEST],
        facts=facts[:MOST] if first else (),
        groups=tuple(groups[:MOST]),
    )


def _take(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """The text without the first match, and what the match's group (or all of it) says."""
    match = pattern.search(text)
    if not match:
        return text, ""
    said = next((group for group in match.groups() if group), match[0])
    return text[: match.start()] + "," + text[match.end() :], said.strip()


def _take_all(pattern: re.Pattern[str], text: str) -> tuple[str, list[str]]:
    found = [next(g for g in match.groups() if g).strip(" .") for match in pattern.finditer(text)]
    return pattern.sub(",", text), list(dict.fromkeys(found))


def _subject(text: str, chinese: bool) -> tuple[str, str]:
    """What the poster is for, and the text without it."""
    for match in (SUBJECT_ZH if chinese else SUBJECT_EN).finditer(text):
        said = next(group for group in match.groups() if group)
        # "the jazz night at the Cellar" ends before its place.
        end = r"$^" if chinese else r"\s+(?:at|in|on|from|with|using|that|which|to be)\s+"
        said = re.split(end, said)[0].strip()
        title = re.sub(ARTICLES, "", said, flags=re.IGNORECASE)
        if title and not _is_order(title):
            start = text.index(said, match.start())
            rest = text[: match.start()] + "," + text[start + len(said) :]
            return (title if chinese else _title_case(title)), rest
    return "", text


def _title_case(text: str) -> str:
    words = text.split()
    return " ".join(
        word
        if any(c.isupper() for c in word) or (i and word in SMALL)
        else word[:1].upper() + word[1:]
        for i, word in enumerate(words)
    )


def _facts(rest: str, titled: str) -> tuple[str, ...]:
    """The clauses that are neither the order itself nor anything already understood."""
    found = []
    for clause in re.split(r"[,，。；;\n!！?？]+|\.(?:\s|$)", rest):
        clause = re.sub(r"^(?:and|with|the|并|且|另外)\s+", "", clause.strip(" :：-–—·"))
        wordy = re.search(r"[A-Za-z]{3}|[\u4e00-\u9fff]{2}", clause)
        if wordy and len(clause) <= 80 and clause != titled and not _is_order(clause):
            found.append(_tidy(clause))
    return tuple(dict.fromkeys(found))


def _is_order(clause: str) -> bool:
    """Whether a clause speaks of how the thing is to look, not of what it says."""
    label = re.fullmatch(
        r"(?:时间|日期|地点|time|date|when|on|from|at)", clause.strip(), re.IGNORECASE
    )
    return bool(label or COMMAND.search(clause) or looks.colours(clause) or looks.size(clause))


def _tidy(text: str) -> str:
    text = re.sub(r"(?<=\w)'(?=\w)", "’", text.strip(" ,，。.;；:："))
    return text[:1].upper() + text[1:]
