"""The offline basemap: Natural Earth clipped to a region, as small GeoJSON layers.

Boxes are (west, south, east, north) in degrees; east may exceed 180 for a trip across the
date line, and then everything is given in those unrolled longitudes.
"""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import shapely
import shapely.affinity
from make_places import cities, sights
from shapely.geometry import GeometryCollection, LineString, Polygon, box, mapping, shape

BASEMAP = Path("/usr/share/basemap")
COARSE_SPAN = 2.5  # degrees of latitude from which lakes and rivers, good to 4 km, are right
DETAIL_SPAN = 45  # degrees of longitude up to which the 1:10m data is worth its size


def unroll(lons):
    """Shifts western longitudes by 360 where that brings the points closer together."""
    ordered = sorted(set(lons))
    gaps = [b - a for a, b in itertools.pairwise(ordered)]
    if not gaps or max(gaps) <= 360 - (ordered[-1] - ordered[0]):
        return lons
    edge = ordered[gaps.index(max(gaps))]
    return [lon + 360 if lon <= edge else lon for lon in lons]


def frame(points, least_km=4.0):
    """The box around (lat, lon) points with a margin, at least `least_km` wide and high."""
    lats, lons = zip(*points, strict=True)
    squeeze = max(0.15, math.cos(math.radians(sum(lats) / len(lats))))
    least = least_km / 111.2
    high = max(max(lats) - min(lats), least)
    wide = max(max(lons) - min(lons), least / squeeze)
    lat, lon = (max(lats) + min(lats)) / 2, (max(lons) + min(lons)) / 2
    return (
        lon - wide * 0.6, max(-85, lat - high * 0.6), lon + wide * 0.6, min(85, lat + high * 0.6),
    )  # fmt: skip


def widened(area, share):
    """The box with `share` of its longer side (as drawn) added on every side."""
    west, south, east, north = area
    squeeze = max(0.15, math.cos(math.radians((south + north) / 2)))
    more = share * max((east - west) * squeeze, north - south)
    aside = max(10, (400 - (east - west)) / 2) if more / squeeze > 150 else more / squeeze
    floor = -60 if south > -50 else -84  # Antarctica only where it is meant
    return west - aside, max(floor, south - more), east + aside, min(84, north + more)


def layer_of(scale, name):
    """The features of a basemap file: (properties, shape), none of them broken at 180°."""
    data = json.loads((BASEMAP / f"ne_{scale}_{name}.geojson").read_text(encoding="utf-8"))
    return [
        (feature["properties"], part)
        for feature in data["features"]
        for part in parts(shape(feature["geometry"]))
    ]


def parts(whole):
    """Single lines and polygons, each in unrolled longitudes."""
    for part in getattr(whole, "geoms", [whole]):
        if part.geom_type == "LineString":
            yield LineString(unrolled(part.coords))
        elif part.geom_type == "Polygon" and not part.is_empty:
            holes = [unrolled(ring.coords) for ring in part.interiors]
            yield Polygon(unrolled(part.exterior.coords), holes)


def unrolled(coordinates):
    """A line across the date line goes on beyond 180°; a ring around the pole is closed there."""
    points = np.array(coordinates)
    steps = np.diff(points[:, 0], prepend=points[0, 0])
    points[:, 0] -= 360 * np.cumsum(np.round(steps / 360))
    if abs(abs(points[-1, 0] - points[0, 0]) - 360) < 1:
        points = np.vstack([points, (points[-1, 0], -90), (points[0, 0], -90), points[0]])
    return points


def clipped(shapes, area, tolerance):
    """Shapes cut to the box, repeated across the date line, with points closer than `tolerance`
    degrees merged."""
    window = box(*area)
    kept = []
    for turn in (-360, 0, 360):
        if area[0] > 200 + turn or area[2] < -200 + turn:
            continue
        for part in shapes:
            moved = shapely.affinity.translate(part, turn) if turn else part
            if not window.intersects(box(*moved.bounds)):
                continue
            if not moved.is_valid:
                moved = shapely.make_valid(moved)
            piece = shapely.simplify(shapely.clip_by_rect(moved, *area), tolerance)
            # Where the box only touches a shape, a point or an edge remains.
            size = "area" if part.area else "length"
            kept += [p for p in getattr(piece, "geoms", [piece]) if getattr(p, size)]
    return kept


def geojson(geometry, digits):
    """A GeoJSON geometry with rounded coordinates."""
    return json.loads(
        json.dumps(mapping(geometry)), parse_float=lambda text: round(float(text), digits)
    )


def basemap(area, lang):
    """Layers for the box: land, borders, lakes, rivers (GeoJSON), countries and towns (labels)."""
    span = area[2] - area[0]
    scale = "10m" if span <= DETAIL_SPAN else "50m"
    tolerance = span / 6000
    digits = min(5, max(2, 2 - math.floor(math.log10(span / 60))))

    def layer(features, merge=False):
        kept = clipped([part for _, part in features], area, tolerance)
        return geojson(shapely.union_all(kept) if merge else GeometryCollection(kept), digits)

    countries = layer_of(scale, "countries")
    inland = area[3] - area[1] > COARSE_SPAN
    return {
        "land": layer(countries, merge=True),
        "lakes": layer(layer_of("50m", "lakes")) if inland else None,
        "rivers": layer(layer_of("50m", "rivers")) if inland else None,
        "borders": layer(layer_of(scale, "borders")),
        "countries": country_labels(countries, area, lang) if inland else [],
        "towns": towns(area, lang),
    }


def country_labels(countries, area, lang):
    """[name, lat, lon] where a country covers at least a hundredth of the box."""
    biggest = {}
    for properties, whole in countries:
        name = properties.get("name_zh" if lang == "zh" else "name") or properties["name"]
        for piece in clipped([whole], area, 0.02):
            for part in explode(piece):
                if name not in biggest or part.area > biggest[name].area:
                    biggest[name] = part
    least = box(*area).area / 100
    spots = {
        name: shapely.maximum_inscribed_circle(part, tolerance=0.05).coords[0]
        for name, part in biggest.items()
        if part.area > least
    }
    return [[name, round(lat, 3), round(lon, 3)] for name, (lon, lat) in spots.items()]


def explode(whole):
    return [p for p in getattr(whole, "geoms", [whole]) if p.geom_type == "Polygon"]


def local_name(city, lang):
    """The usual name; in Chinese the simplified one of the alternates, if there is any."""
    if lang == "zh":
        chinese = [n for n in city["alternatenames"] if n and all("一" <= c <= "鿿" for c in n)]
        simplified = [n for n in chinese if encodable(n)]
        names = [n.removesuffix("市") if len(n) > 2 else n for n in simplified]
        if names:
            return min(names, key=lambda n: (-names.count(n), len(n)))
    return city["name"]


def encodable(name):
    try:
        name.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def towns(area, lang, most=260):
    """[name, lat, lon, inhabitants] of the biggest towns in the box, the biggest first."""
    west, south, east, north = area
    found = [
        (city, city["longitude"] + turn)
        for city in cities()
        for turn in (0, 360, -360)
        if west < city["longitude"] + turn < east and south < city["latitude"] < north
    ]
    found.sort(key=lambda item: -item[0]["population"])
    return [
        [local_name(city, lang), round(city["latitude"], 4), round(lon, 4), city["population"]]
        for city, lon in found[:most]
    ]


def landmarks(area, lang):
    """[name, lat, lon] of the known sights in the box."""
    west, south, east, north = area
    return [
        [place.name.split("|")[lang == "zh"], place.lat, place.lon]
        for place, _ in sights()
        if west < place.lon < east and south < place.lat < north
    ]


def great_circle(a, b, steps):
    """(lat, lon) points along the great circle, in unrolled longitudes like the ends."""
    (lat1, lon1), (lat2, lon2) = (map(math.radians, p) for p in (a, b))
    start, end = (
        np.array([math.cos(t) * math.cos(g), math.cos(t) * math.sin(g), math.sin(t)])
        for t, g in ((lat1, lon1), (lat2, lon2))
    )
    angle = math.acos(max(-1, min(1, float(start @ end))))
    if angle < 1e-4:
        return [a, b]
    points, last = [], a[1]
    for share in np.linspace(0, 1, steps + 1):
        x, y, z = math.sin((1 - share) * angle) * start + math.sin(share * angle) * end
        lon = math.degrees(math.atan2(y, x))
        last = lon + 360 * round((last - lon) / 360)
        points.append((round(math.degrees(math.atan2(z, math.hypot(x, y))), 4), round(last, 4)))
    return points
