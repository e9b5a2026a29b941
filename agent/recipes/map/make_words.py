"""What the map says of its days and ways, in English and Chinese."""

import re

from make_places import distance

ORDINALS = "一二三四五六七八九十"
ENGLISH = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def day_label(label, single, zh):
    if label is None:
        return "" if single else ("其他" if zh else "Other")
    if re.fullmatch(r"\d{1,2}", label):
        number = int(label)
        if zh:
            return f"第{ORDINALS[number - 1] if 1 <= number <= 10 else number}天"
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
