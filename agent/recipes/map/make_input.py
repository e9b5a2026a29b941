"""Reads stops from a CSV, JSON or GeoJSON file, whatever its columns are called."""

import csv
import json
import re
from pathlib import Path

from kit.script import Unusable
from kit.text import decoded

COLUMNS = {
    "name": "name title place location sight spot poi stop 名称 名字 地点 地名 景点 地方 站点 标题",
    "lat": "lat latitude y 纬度 緯度",
    "lon": "lon lng long longitude x 经度 經度",
    "day": "day date 日 天 第几天 天数 日期 行程",
    "note": "note notes description desc details detail comment remark 备注 说明 描述 简介 介绍",
    "time": "time hour start 时间 时刻",
    "city": "city town 城市",
}
ROLE = {word: role for role, words in COLUMNS.items() for word in words.split()}


def number(value):
    """Degrees from a number or text such as `59.91`, `59,91`, `59.91°N`; None if it is neither."""
    match = re.fullmatch(r"\s*([+-]?\d+(?:[.,]\d+)?)\s*°?\s*([NSEWnsew北南东西]?)\s*", str(value))
    if not match:
        return None
    degrees = float(match[1].replace(",", "."))
    return -degrees if match[2] and match[2] in "SWsw南西" else degrees


def read_input(path, lang):
    """Stops of a CSV, JSON or GeoJSON file, and remarks about rows that could not be used.

    Raises:
        Unusable: it is not one of these, or has no names and no coordinates.
    """
    zh = lang == "zh"
    label = Path(path).name
    found = decoded(Path(path).read_bytes())
    if not found:
        raise Unusable(f"文件 {label} 不是文本" if zh else f"the file {label} is not text")
    text, _ = found
    if not text.strip():
        raise Unusable(f"文件 {label} 是空的" if zh else f"the file {label} is empty")
    if text.lstrip()[0] in "[{":
        try:
            rows = list(json_rows(json.loads(text)))
        except ValueError as error:
            raise Unusable(
                f"{label} 不是有效的 JSON：{error}" if zh else f"{label} is not valid JSON: {error}"
            ) from error
    else:
        try:
            dialect = csv.Sniffer().sniff(text[:5000], ",;\t|")
        except csv.Error:
            dialect = csv.excel
        rows = list(csv.DictReader(text.splitlines(), dialect=dialect))
    stops, remarks = [], []
    for index, row in enumerate(rows, 2):
        stop, remark = stop_of(row)
        if stop:
            stops.append(stop)
        elif remark:
            remarks.append(f"第 {index} 行：{remark[1]}" if zh else f"row {index}: {remark[0]}")
    if not stops:
        raise Unusable(
            f"{label} 里没有地点：需要 name（名称）列，以及 lat/lon（纬度/经度）列"
            if zh
            else f"{label} has no places: it needs a column name, and columns lat and lon"
        )
    return stops, remarks


def json_rows(node, day=None):
    """Every place in nested JSON; `day` is the name of the list that holds it."""
    if isinstance(node, list):
        for item in node:
            yield from json_rows(item, day)
    elif isinstance(node, dict):
        if node.get("type") == "Feature":
            shape = node.get("geometry") or {}
            if shape.get("type") == "Point" and len(at := shape.get("coordinates") or ()) > 1:
                lon, lat = at[:2]
                yield {"day": day, **(node.get("properties") or {}), "lat": lat, "lon": lon}
            return
        lists = [v for v in node.values() if isinstance(v, list) and v and isinstance(v[0], dict)]
        if lists:
            own = next((node[k] for k in node if ROLE.get(k.lower()) in ("day", "name")), None)
            for inner in lists:
                yield from json_rows(inner, str(own) if own is not None else day)
        else:
            yield {"day": day, **node}


def stop_of(row):
    """A row's stop, or None and why not as (English, Chinese)."""
    inner, cell = {}, {}
    for column, value in row.items():
        heading = str(column or "").strip().lower()
        role = ROLE.get(heading)
        if isinstance(value, dict):
            if heading in ("location", "coordinates"):
                inner = stop_of(value)[0] or inner
        elif role and value not in (None, "") and role not in cell:
            cell[role] = value if isinstance(value, int | float) else str(value).strip()
    cell = {**inner, **cell}
    if not cell:
        return None, None
    lat, lon = (number(cell[k]) if cell.get(k) is not None else None for k in ("lat", "lon"))
    if (
        (lat is None) != (lon is None)
        or (lat is not None and not -90 <= lat <= 90)
        or (lon is not None and not -180 <= lon <= 180)
    ):
        return None, ("the coordinates are not degrees", "坐标不是有效的经纬度")
    if "name" not in cell and lat is None:
        return None, ("no name and no coordinates", "既没有名称也没有坐标")
    name = str(cell.get("name") or f"{lat:.4f}, {lon:.4f}")
    return {
        "name": name, "lat": lat, "lon": lon,
        "note": str(cell.get("note", "")), "time": str(cell.get("time", "")),
        "day": None if cell.get("day") is None else str(cell["day"]),
    }, None  # fmt: skip
