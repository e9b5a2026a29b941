"""Makes an interactive map that works without a network: python3 make.py recipe.json"""

import math
import re
from pathlib import Path

from kit.page import embedded, families, library, picture, web_fonts
from kit.script import Unusable, run
from kit.type import face
from make_basemap import basemap, frame, great_circle, landmarks, unroll, widened
from make_days import into_days
from make_grid import graticule, reference, town_grid
from make_input import read_input
from make_page import TEXT, page
from make_places import candidates, distance, locate, sights_of, within
from make_style import STYLE
from make_words import day_label, default_title, lede, short_label, shown, summary

OUTPUT = Path("/workspace/output")
INPUT = Path("/workspace/input")
# Each carries white figures, and is told from its neighbours on the map.
COLOURS = (
    "#d1372c", "#1f5fc4", "#8430b0", "#17803d", "#b85400", "#0b7a83", "#c2246d", "#7a4a1e",
    "#4b5a6a", "#646a00",
)  # fmt: skip
ALIKE = 80  # the distance below which two colours look like one, of 441 from black to white
CITY_SPAN = 0.9  # degrees of latitude below which the map is a town plan


def make(want):
    lang, zh = want["lang"], want["lang"] == "zh"
    days, missing, remarks = resolve(want)
    count = sum(len(day["stops"]) for day in days)
    print(f"{count} stops in {len(days)} days; not found: {', '.join(missing) or 'none'}")
    for lon, stop in zip(
        unroll([s["lon"] for d in days for s in d["stops"]]),
        [s for d in days for s in d["stops"]],
        strict=True,
    ):
        stop["shownLon"], stop["lon"] = stop["lon"], lon
    points = [(s["lat"], s["lon"]) for d in days for s in d["stops"]]
    home = frame(points)
    city = home[3] - home[1] < CITY_SPAN
    area = widened(home, 1.7 if city else 1.3)
    base = basemap(area, lang)
    base["landmarks"] = landmarks(area, lang) if city else []
    grid = town_grid(home, area) if city else graticule(area)
    far = dress(days, want, grid)
    print(f"basemap: {len(embedded(base)) // 1024} KB for {area[2] - area[0]:.1f}° of longitude")

    text = TEXT[lang]
    title = want["title"] or default_title(days, want)
    routed = any(day["route"] for day in days)
    legend = [text["route_far" if far else "route"]] if routed and len(days) > 1 else []
    if "km" in grid:
        legend.append(text["grid"].format(f"{grid['km']:g}"))
    heading = face("serif", lang, 700)
    headings = title + "".join(d["label"] + "".join(s["name"] for s in d["stops"]) for d in days)
    OUTPUT.mkdir(exist_ok=True)
    html = OUTPUT / want["files"]["html"]
    html.write_text(
        page(
            lang=lang, title=title, city=city, t=text, days=days, missing=missing, remarks=remarks,
            lede=lede(days, zh), legend=legend,
            style=STYLE.replace("DISPLAY", families(heading)),
            fonts=web_fonts([(heading, headings)]),
            leaflet_css=library("leaflet", "leaflet.css"),
            leaflet_js=library("leaflet", "leaflet.js"),
            data=embedded({
                "text": text, "area": area, "city": city, "base": base, "grid": grid,
                "home": [[home[1], home[0]], [home[3], home[2]]], "theme": want["theme"],
                "days": [{k: d[k] for k in ("index", "label", "route")} for d in days],
                "stops": [s for d in days for s in d["stops"]],
            }),
        ),
        encoding="utf-8",
    )  # fmt: skip
    print(f"{html.name}: {html.stat().st_size // 1024} KB")
    picture(html, OUTPUT / want["files"]["png"], 1600, 1000)


def resolve(want):
    """Days with located stops, the names not found, and remarks about unusable rows."""
    lang, zh = want["lang"], want["lang"] == "zh"
    stops, remarks = [], []
    for name in want["inputs"]:
        rows, said = read_input(INPUT / name, lang)
        stops += rows
        remarks += said
    for number, day in enumerate(want["days"]):
        label = day["label"] or (str(number + 1) if len(want["days"]) > 1 else None)
        stops += [{**stop, "day": label} for stop in day["stops"]]
    located, missing = locate(stops, want["city"])
    if not stops and want["city"]:
        located = sights_of(want["city"], want["sights"], lang)
        if not located:
            located, missing = locate([{"name": want["city"]}])
            remarks.append(
                f"内置景点表里没有{want['city']}的景点，请列出地点名称和坐标"
                if zh
                else f"The built-in list has no sights of {want['city']}: name places and give "
                "their coordinates"
            )
        if want["day_count"] > 1 and len(located) >= want["day_count"]:
            parts = into_days(located, want["day_count"])
            located = [{**s, "day": str(i)} for i, part in enumerate(parts, 1) for s in part]
    if not located and not stops:
        pieces = re.split(r"[,，、;；。.\n!?]|\band\b|\bto\b|和|到|与", want["text"])
        named = [p.strip() for p in pieces if candidates(p.strip()) or within(p.strip())]
        located, missing = locate([{"name": known_part(piece)} for piece in named])
    if not located:
        names = "、".join(missing) if zh else ", ".join(missing)
        raise Unusable(
            (f"离线地名表中没有找到：{names}。" if names else "没有读到地点。")
            + "请写出城市名，或给出坐标，例如“咖啡馆 59.91, 10.75”。"
            if zh
            else (f"not found offline: {names}. " if names else "no places were found. ")
            + "Name cities, or give coordinates such as “Café 59.91, 10.75”."
        )
    groups = {}
    for stop in located:
        groups.setdefault(stop.get("day"), []).append(stop)
    single = len(groups) == 1
    days = [
        {"label": day_label(label, single, zh), "stops": group} for label, group in groups.items()
    ]
    return days, missing, remarks


def known_part(text):
    """The shortest run of words that still names the place."""
    words = text.split()
    runs = [
        " ".join(words[i:j])
        for i in range(len(words))
        for j in range(i + 1, len(words) + 1)
        if candidates(" ".join(words[i:j]))
    ]
    return max(runs, key=len, default=text)


def palette(accent):
    """The days' colours: the accent, if there is one, and those that can be told from it."""
    if not accent:
        return COLOURS
    return [accent, *(each for each in COLOURS if math.dist(rgb(each), rgb(accent)) > ALIKE)]


def rgb(colour):
    return bytes.fromhex(colour[1:])


def dress(days, want, grid):
    """Adds numbers, colours, routes, distances and grid references; True when a leg is far."""
    zh, far, number = want["lang"] == "zh", False, 0
    text = TEXT[want["lang"]]
    colours = palette(want["accent"])
    for index, day in enumerate(days):
        colour = colours[index % len(colours)]
        route, total = [], 0.0
        for place, stop in enumerate(day["stops"]):
            number += 1
            stop.update(index=number - 1, number=number, day=index, ref=reference(grid, stop))
            stop["hint"] = text.get(stop.pop("approximate", ""), "")
            stop.setdefault("note", "")
            stop.setdefault("time", "")
            stop["leg"] = ""
            if not want["routes"] or place + 1 == len(day["stops"]):
                continue
            after = day["stops"][place + 1]
            here, there = (stop["lat"], stop["lon"]), (after["lat"], after["lon"])
            km = distance(here, there)
            total += km
            leg = great_circle(here, there, 64) if km > 100 else [here, there]
            far = far or km > 100
            route += leg if not route else leg[1:]
            stop["leg"] = text["toward"].format(name=after["name"], far=shown(km, zh))
        label = day["label"]
        day.update(
            index=index, colour=colour, light=lighter(colour), route=route,
            short=short_label(label, index, zh),
            legend=label or want["title"] or day["stops"][0]["name"],
            sum=summary(len(day["stops"]), total, zh),
        )  # fmt: skip
    if len(days) == 1:
        days[0]["sum"] = ""
        days[0]["legend"] = text["route_far" if far else "route"] if days[0]["route"] else ""
    return far


def lighter(colour):
    """The day's colour where it is text on a dark ground."""
    return "#" + "".join(f"{round(c + (255 - c) * 0.5):02x}" for c in rgb(colour))


run(make)
