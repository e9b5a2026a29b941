"""Reads a CSV or Excel file as people really save them, and finds out what each column holds."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, field

import pandas as pd
from kit.script import Unusable
from kit.text import decoded

MISSING = {
    "",
    "na",
    "n/a",
    "nan",
    "null",
    "none",
    "-",
    "--",
    "—",
    "#n/a",
    "无",
    "缺失",
    "空",
    "未知",
}
IDENTIFIER = (
    r"(?i)^(?:.*[_\s])?(?:id|no|nr|index|code|zip|postcode|phone|uuid)$|编号|序号|代码|电话|邮编"
)
YEAR = r"(?i)\byear\b|^yr$|年份|年度|^年$"
# Measures that are averaged over rows; others are added up.
AVERAGED = (
    r"(?i)\b(?:rate|ratio|share|percent|pct|price|cost per|avg|average|mean|median|score|rating"
    r"|temp(?:erature)?|age|index|speed|humidity|pressure|height|weight|length|width|duration|bmi|gpa"
    r"|level|depth|density|ph)\b|%|率|均|单价|价格|评分|得分|分数|温度|年龄|气温|湿度|身高|体重"
    r"|占比|比例|速度|指数|时长"
)
DATE_FORMATS = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日", "%Y%m%d", "%Y-%m", "%Y/%m", "%Y年%m月",
    "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m/%d/%y", "%d/%m/%y",
    "%d.%m.%y", "%b %Y", "%B %Y", "%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%b-%y",
    "%m/%d/%Y %H:%M", "%d/%m/%Y %H:%M", "%d.%m.%Y %H:%M",
)  # fmt: skip
CURRENCY = "$€£¥￥₹元"


@dataclass
class Column:
    """`kind` is number, date, category, text, identifier or empty; `values` is typed by it."""

    name: str
    kind: str
    values: pd.Series
    missing: int
    unit: str = ""
    averaged: bool = False
    odd: list[str] = field(default_factory=list)
    """Cells that are neither missing nor of the column's kind."""


@dataclass
class Table:
    columns: list[Column]
    cells: pd.DataFrame
    """As text, in the file's order."""
    duplicates: int
    ragged: int
    """Rows that had more or fewer cells than the header."""
    source: str
    """How the file was read, for the notes: encoding and delimiter, or the sheet."""

    def kind(self, *kinds):
        return [column for column in self.columns if column.kind in kinds]


def read(path, zh):
    """The table of a .csv, .tsv, .txt or .xlsx file.

    Raises:
        Unusable: it is empty, not a table, or not readable.
    """
    raw = path.read_bytes()
    if not raw.strip():
        raise Unusable(f"文件 {path.name} 是空的" if zh else f"the file {path.name} is empty")
    rows, source = workbook(path, zh) if raw[:2] == b"PK" else delimited(raw, path.name, zh)
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        raise Unusable(f"{path.name} 里没有数据" if zh else f"{path.name} holds no data")
    width = Counter(len(row) for row in rows).most_common(1)[0][0]
    start = next(i for i, row in enumerate(rows) if len(row) >= width)
    rows = rows[start:]
    header, body = (rows[0], rows[1:]) if has_header(rows) else (None, rows)
    if not body:
        raise Unusable(
            f"{path.name} 只有表头，没有数据"
            if zh
            else f"{path.name} has a header but no data rows"
        )
    width = max(width, len(header or []))
    ragged = sum(len(row) != width for row in body)
    body = [(row + [""] * width)[:width] for row in body]
    names = unique([h.strip() or blank(i, zh) for i, h in enumerate(header or [""] * width)])
    names += [blank(i, zh) for i in range(len(names), width)]
    cells = pd.DataFrame(body, columns=names).map(str.strip)
    columns = [column_of(name, cells[name]) for name in names]
    return Table(columns, cells, int(cells.duplicated().sum()), ragged, source)


def blank(index, zh):
    return f"第{index + 1}列" if zh else f"Column {index + 1}"


def unique(names):
    seen = Counter()
    result = []
    for name in names:
        seen[name] += 1
        result.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return result


def workbook(path, zh):
    """Rows of the first sheet that has any."""
    try:
        sheets = pd.read_excel(path, sheet_name=None, header=None, dtype=object)
    except (ValueError, KeyError, OSError) as error:
        raise Unusable(
            f"{path.name} 不是可读的 Excel 文件"
            if zh
            else f"{path.name} is not a readable workbook"
        ) from error
    for name, sheet in sheets.items():
        if not sheet.dropna(how="all").empty:
            sheet = sheet.dropna(how="all").dropna(how="all", axis=1)
            rows = [["" if pd.isna(c) else cell_text(c) for c in row] for row in sheet.to_numpy()]
            return rows, f"工作表“{name}”" if zh else f"sheet “{name}”"
    raise Unusable(f"{path.name} 里没有数据" if zh else f"{path.name} holds no data")


def cell_text(value):
    if hasattr(value, "isoformat"):
        return str(value).removesuffix(" 00:00:00")
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def delimited(raw, name, zh):
    found = decoded(raw)
    if not found:
        raise Unusable(f"{name} 不是文本表格" if zh else f"{name} is not a text table")
    text, encoding = found
    delimiter = max(",;\t|", key=lambda d: regular(text, d))
    if not regular(text, delimiter):
        delimiter = ","
    csv.field_size_limit(10_000_000)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    shown = {"\t": "Tab", ",": "，" if zh else "comma", ";": "；" if zh else "semicolon"}
    label = {"utf-8-sig": "UTF-8", "gb18030": "GBK/GB18030"}.get(encoding, encoding)
    said = shown.get(delimiter, delimiter)
    return rows, f"编码 {label}，分隔符“{said}”" if zh else f"{label}, delimiter: {said}"


def regular(text, delimiter):
    """How table-like the first lines are with this delimiter: the usual width, 0 for one column."""
    lines = list(csv.reader(io.StringIO(text[:60_000], newline=""), delimiter=delimiter))[:80]
    widths = Counter(len(row) for row in lines if row)
    if not widths:
        return 0
    width, count = widths.most_common(1)[0]
    return width * (count / widths.total()) ** 2 if width > 1 else 0


def has_header(rows):
    first, below = rows[0], rows[1:40]
    if any(number(cell)[0] is not None for cell in first if cell.strip()):
        years = all(re.fullmatch(r"(?:19|20)\d\d", c) for c in first if number(c)[0] is not None)
        return years and not number(first[0])[0]
    typed = lambda row: [number(c)[0] is not None or looks_dated(c) for c in row]  # noqa: E731
    return any(any(typed(row)) for row in below) or len(set(first)) == len(first)


def looks_dated(text):
    return bool(re.match(r"\s*\d{1,4}[-/.年]\d{1,2}(?:[-/.月]\d{1,4})?", text))


def number(text, decimal="."):
    """A cell's number and its unit, (None, "") when it is none."""
    plain = text.strip().replace("−", "-")
    match = re.fullmatch(
        rf"(\()?([-+]?)\s*([{CURRENCY}]|US\$|RMB|CNY|USD|EUR)?\s*([-+]?[\d][\d,.'’\s\u00a0]*(?:[eE][-+]?\d+)?|\.\d+)"
        r"\s*(%|‰|元|万元|万|亿元|亿|[a-zA-Z°€£$]{1,4})?(\))?",
        plain,
    )
    if not match:
        return None, ""
    digits = re.sub(r"[\s\u00a0'’]", "", match[4])
    digits = (
        digits.replace(".", "").replace(",", ".")
        if decimal == ","
        else re.sub(r",(?=\d{3}(?:\D|$))", "", digits)
    )
    try:
        value = float(digits)
    except ValueError:
        return None, ""
    unit = match[3] or match[5] or ""
    scale = {"万": 1e4, "万元": 1e4, "亿": 1e8, "亿元": 1e8}.get(match[5] or "", 1)
    unit = {"万": "", "亿": "", "万元": "元", "亿元": "元"}.get(unit, unit)
    negative = match[1] or match[2] == "-"
    return value * scale * (-1 if negative and value > 0 else 1), unit


def column_of(name, cells):
    empty = cells.str.lower().isin(MISSING)
    given = cells[~empty]
    missing = int(empty.sum())
    if given.empty:
        return Column(name, "empty", cells, missing)
    if column := year_column(name, cells, given, missing):
        return column
    if given.str.fullmatch(r"(?:19|20)\d{6}").all() and (dates := dates_of(given)) is not None:
        return Column(name, "date", dates.reindex(cells.index), missing)
    digits = given.str.extract(r"(\d[\d.,]*)")[0].fillna("")
    commas = digits.str.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+|\d+,\d{1,2}").mean()
    decimal = "," if commas > 0.3 and digits.str.contains(r"\d,\d{3}(?:\.|$)").mean() < 0.5 else "."
    parsed = given.map(lambda cell: number(cell, decimal))
    values = parsed.map(lambda pair: pair[0])
    units = Counter(pair[1] for pair in parsed if pair[0] is not None and pair[1])
    if values.notna().mean() >= 0.85:
        odd = given[values.isna()].tolist()
        numbers = pd.to_numeric(values).reindex(cells.index)
        whole = (numbers.dropna() % 1 == 0).all()
        distinct = numbers.nunique() == len(given) and whole
        step = numbers.dropna().diff().dropna()
        if re.search(IDENTIFIER, name.strip()) or (
            distinct and len(given) > 10 and (step == 1).all()
        ):
            return Column(name, "identifier", cells, missing)
        unit = units.most_common(1)[0][0] if units else unit_of(name)
        averaged = bool(re.search(AVERAGED, name.replace("_", " "))) or unit == "%"
        return Column(name, "number", numbers, missing + len(odd), unit, averaged, odd)
    if (dates := dates_of(given)) is not None:
        odd = given[dates.isna()].tolist()
        return Column(name, "date", dates.reindex(cells.index), missing + len(odd), odd=odd)
    kinds = given.nunique()
    category = kinds < len(given) and kinds <= min(40, max(3, len(given) * 0.5))
    if re.search(IDENTIFIER, name.strip()) and not category:
        return Column(name, "identifier", cells, missing)
    return Column(name, "category" if category else "text", cells.mask(empty), missing)


def unit_of(name):
    """The unit in a heading such as "Sales (EUR)" or "金额（元）"."""
    if re.search(r"%|\bpercent\b|百分", name, re.IGNORECASE):
        return "%"
    match = re.search(r"[(（\[]\s*([^()（）\[\]]{1,8})\s*[)）\]]\s*$", name)
    return match[1] if match and not match[1].isdigit() else ""


def year_column(name, cells, given, missing):
    if not given.str.fullmatch(r"(?:1[89]|20)\d\d").all():
        return None
    if not re.search(YEAR, name) and given.nunique() < len(given) * 0.9:
        return None
    dates = pd.to_datetime(given, format="%Y").reindex(cells.index)
    return Column(name, "date", dates, missing)


def dates_of(given):
    """Dates when nine of ten cells share a format, None when they don't."""
    if not given.str.contains(r"\d").mean() > 0.9:
        return None
    quarter = given.str.extract(r"^(\d{4})\s*[-/年]?\s*[Qq第]?\s*([1-4])\s*(?:季度)?$")
    if given.str.contains(r"[Qq季]").mean() > 0.9 and quarter.notna().all(axis=1).mean() >= 0.9:
        starts = quarter[0] + "-" + (quarter[1].astype(float) * 3 - 2).map("{:02.0f}".format)
        return pd.to_datetime(starts, format="%Y-%m", errors="coerce")
    best, most = None, 0.0
    for pattern in DATE_FORMATS:
        parsed = pd.to_datetime(given, format=pattern, errors="coerce", exact=True)
        if (share := parsed.notna().mean()) > most:
            best, most = parsed, share
    return best if most >= 0.9 else None
