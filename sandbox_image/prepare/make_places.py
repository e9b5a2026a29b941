"""Writes the cities with 15,000 inhabitants or more as a table with their Chinese names.

python3 make_places.py CITIES15000.json COUNTRIES.json OUT.csv
"""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path

HAN = re.compile(r"[\u4e00-\u9fff]{2,}")
# Where the guess below goes wrong for a city that people ask for.
KNOWN = {
    "Ahmedabad": "艾哈迈达巴德",
    "Hanoi": "河内",
    "Istanbul": "伊斯坦布尔",
    "Jakarta": "雅加达",
    "Lima": "利马",
    "New York City": "纽约",
}
COLUMNS = [
    "name",
    "name_zh",
    "names_han",
    "country",
    "lat",
    "lon",
    "population",
    "capital",
    "timezone",
]


def simplified(name: str) -> bool:
    """Whether `name` is written in the characters of mainland China."""
    try:
        name.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def chinese_name(names: list[str]) -> str:
    """The likeliest simplified Chinese name among the alternate names, or an empty string.

    GeoNames does not say a name's language here: 东京 counts for more when 东京都 or 东京市
    is listed too, and short forms come first.
    """
    candidates = [name for name in names if simplified(name)] or names
    supported = {
        name: sum(other != name and other.startswith(name) for other in names)
        for name in candidates
    }
    return min(candidates, key=lambda name: (-supported[name], len(name)), default="")


def main() -> None:
    cities, countries, out = map(Path, sys.argv[1:])
    table = json.loads(countries.read_text("utf-8"))
    capitals = {(country["iso"], country["capital"]) for country in table.values()}
    rows = []
    for city in json.loads(cities.read_text("utf-8")).values():
        han = [name for name in city["alternatenames"] if HAN.fullmatch(name)]
        place = (city["countrycode"], city["name"])
        position = (round(city["latitude"], 4), round(city["longitude"], 4))
        name_zh = KNOWN.get(city["name"]) or chinese_name(han)
        row = [city["name"], name_zh, "|".join(han), city["countrycode"], *position]
        rows.append([*row, city["population"], int(place in capitals), city["timezone"]])
    rows.sort(key=lambda row: -row[6])
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
