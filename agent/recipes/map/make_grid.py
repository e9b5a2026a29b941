"""The grid over the map: squares of whole kilometres in a town, else meridians and parallels."""

import math


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
