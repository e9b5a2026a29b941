"""Stops shared out to days, so that each day is a short walk."""

import math
from itertools import combinations, pairwise, product

from make_places import distance, middle


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
