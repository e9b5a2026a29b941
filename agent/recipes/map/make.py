"""Makes an interactive map that works without a network: python3 make.py recipe.json"""

import math
import re
from pathlib import Path

from kit.page import embedded, families, library, picture, web_fonts
from kit.script import Unusable, run
from kit.type import face
from make_basemap import basemap, frame, great_circle, landmarks, unroll, widened
from make_page import STYLE, TEXT, page
from make_places import (
    candidates,
    distance,
    into_days,
    locate,
    read_input,
    sights_of,
    within,
)

OUTPUT = Path("/workspace/output")
INPUT = Path("/workspace/input")
# Each carries white figures, and is told from its neighbours on the map.
COLOURS = (
    "#d1372c", "#1f5fc4", "#8430b0", "#17803d", "#b85400", "#0b7a83", "#c2246d", "#7a4a1e",
    "#4b5a6a", "#646a00",
)  # fmt: skip
ALIKE = 80  # the distance below which two colours look like one, of 441 from black to white
CITY_SPAN = 0.9  # degrees of latitude below which the map is a town plan
ORDINALS = "一二三四五六七八九十"
ENGLISH = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


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
            css=STYLE.replace("DISPLAY", families(heading)),
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
        {"label": day_label(label, number, single, zh), "stops": group}
        for number, (label, group) in enumerate(groups.items(), 1)
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


def day_label(label, number, single, zh):
    if label is None:
        return "" if single else ("其他" if zh else "Other")
    if re.fullmatch(r"\d{1,2}", label):
        number = int(label)
        if zh:
            return f"第{ORDINALS[number - 1] if number <= 10 else number}天"
        return f"Day {number}"
    return label


def default_title(days, want):
    zh, names = want["lang"] == "zh", [s["name"] for d in days for s in d["stops"]]
    if want["city"]:
        count = want["day_count"] or len(days)
        if zh:
            short = f"{ORDINALS[count - 1]}日" if 1 < count <= 10 else "地图"
            return f"{want['city']}{short}"
        spelled = ENGLISH[count - 1].capitalize() if count <= 10 else str(count)
        return f"{spelled} days in {want['city']}" if count > 1 else f"A map of {want['city']}"
    if len(names) <= 3:
        return " · ".join(names)
    first, last = names[0], names[-1]
    if first == last:
        return f"{first}环线" if zh else f"A round trip from {first}"
    return f"从{first}到{last}" if zh else f"From {first} to {last}"


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


def short_label(label, index, zh):
    found = re.match(r"(?:day|第)\s*[\d一二三四五六七八九十]+\s*天?", label, re.IGNORECASE)
    if found:
        return found[0]
    return label if len(label) <= 14 else (f"第{index + 1}天" if zh else f"Day {index + 1}")


def summary(stops, km, zh):
    way = shown(km, zh)
    if zh:
        return f"{stops} 个地点" + (f"，直线共 {way}" if km else "")
    return f"{stops} stop{'s' * (stops != 1)}" + (f", {way} in straight lines" if km else "")


def lede(days, zh):
    stops = [s for d in days for s in d["stops"]]
    km = sum(
        distance((a["lat"], a["lon"]), (b["lat"], b["lon"]))
        for d in days
        for a, b in zip(d["stops"], d["stops"][1:], strict=False)
        if d["route"]
    )
    if zh:
        said = f"{len(stops)} 个地点" + (f"，{len(days)} 天" if len(days) > 1 else "")
        return said + (f"，直线路程共 {shown(km, zh)}。" if km else "。")
    said = f"{len(stops)} stop{'s' * (len(stops) != 1)}"
    said += f" in {len(days)} days" if len(days) > 1 else ""
    return said + (f", {shown(km, zh)} as the crow flies." if km else ".")


def shown(km, zh):
    """A distance with as many digits as it deserves: 350 m, 2.4 km, 480 km."""
    if km < 0.95:
        return f"{round(km, 2) * 1000:.0f} {'米' if zh else 'm'}"
    return f"{km:,.{0 if km >= 20 else 1}f} {'公里' if zh else 'km'}"


def lighter(colour):
    """The day's colour where it is text on a dark ground."""
    return "#" + "".join(f"{round(c + (255 - c) * 0.5):02x}" for c in rgb(colour))


def town_grid(home, area):
    """Squares of whole kilometres over the area, about six across `home`: A, B, … and 1, 2, …"""
    west, south, east, north = area
    squeeze = math.cos(math.radians((south + north) / 2))
    wide = (home[2] - home[0]) * 111.2 * squeeze
    km = min((0.5, 1, 2, 5, 10, 20), key=lambda step: abs(math.log(wide / step / 6)))
    high, across = km / 111.2, km / 111.2 / squeeze
    columns, rows = round((east - west) / across), round((north - south) / high)
    return {
        "km": km, "west": west, "north": north, "across": across, "high": high,
        "lines": [[[south, west + i * across], [north, west + i * across]] for i in range(columns)]
        + [[[north - j * high, west], [north - j * high, east]] for j in range(rows)],
        "columns": [[letters(i), west + (i + 0.5) * across] for i in range(columns)],
        "rows": [[str(j + 1), north - (j + 0.5) * high] for j in range(rows)],
    }  # fmt: skip


def letters(index):
    return chr(65 + index) if index < 26 else letters(index // 26 - 1) + chr(65 + index % 26)


def reference(grid, stop):
    if "km" not in grid:
        return ""
    column = int((stop["lon"] - grid["west"]) / grid["across"])
    return f"{letters(column)}{int((grid['north'] - stop['lat']) / grid['high']) + 1}"


def graticule(area):
    """Meridians and parallels at a round step, labelled in degrees."""
    west, south, east, north = area
    step = min((1, 2, 5, 10, 15, 30), key=lambda s: abs(math.log((east - west) / s / 14)))
    lons = [i * step for i in range(math.ceil(west / step), math.floor(east / step) + 1)]
    lats = [i * step for i in range(math.ceil(south / step), math.floor(north / step) + 1)]
    return {
        "lines": [[[south, lon], [north, lon]] for lon in lons]
        + [[[lat, west], [lat, east]] for lat in lats],
        "columns": [[degrees(lon, "EW"), lon] for lon in lons],
        "rows": [[degrees(lat, "NS"), lat] for lat in lats],
    }


def degrees(value, signs):
    turned = (value + 180) % 360 - 180 if signs == "EW" else value
    side = signs[turned < 0] if turned % 180 or (signs == "NS" and turned) else ""
    return f"{abs(turned)}°{side}"


run(make)
