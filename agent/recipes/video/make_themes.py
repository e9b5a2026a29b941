"""The looks of a film: for each theme its scenery, its letters and its countdown dial."""

from __future__ import annotations

from dataclasses import dataclass

import make_cake as cake
import make_graphic as graphic
import make_land as land
import make_party as party
import make_sky as sky
import make_stage as still
import numpy as np
from make_draw import WHITE, Finish, backdrop, luminance, mix, rgb
from make_festival import lanterns, scallops
from make_palettes import colours_of


@dataclass(frozen=True)
class Look:
    """What the director needs of a theme: layers behind and before the words, letters, dial."""

    behind: list
    before: list
    role: str
    """The role of its typeface, as in kit.type."""
    finish: Finish
    colours: tuple
    accent: tuple
    dial: str = "ring"
    """How the countdown is drawn: ring (a disc with a rim) or thin (a fine circle with marks)."""
    lively: bool = False
    """Letters hop in one by one, instead of rising softly."""
    pale: tuple = WHITE
    """The disc of a ring dial."""
    weight: int = 700


def party_room(stage, story):
    top, low = stage.colour(6), stage.colour(2)
    ground = backdrop(
        stage.width,
        stage.height,
        [(0, mix(top, WHITE, 0.12)), (0.5, mix(top, WHITE, 0.5)), (1, mix(low, WHITE, 0.5))],
        lambda x, y: 0.2 * np.exp(-(((x - 0.5) / 0.36) ** 2 + ((y - 0.5) / 0.4) ** 2))[..., None],
    )
    behind = [
        still.picture(ground),
        still.rays(stage, stage.width / 2, stage.height * 0.5, WHITE, 0.4),
        still.bokeh(stage, [WHITE], 18, 0.22),
        party.balloons(stage, 14, 42, 85, alpha=0.85),
        party.balloons(stage, 12, 66, 330, start=stage.reveal),
        party.bunting(stage),
        party.streamers(stage, 8),
        party.balloons(stage, 18, 92, 150, sides=True),
        party.falling(stage, 60, stage.palette, shapes=(0, 0, 1, 2)),
        party.cannons(stage, story.hits, stage.palette),
    ]
    if story.ends_with_cake:
        bottom = stage.height * (1.015 if stage.wide else 0.93)
        behind.append(cake.cake(stage, story.candles, stage.reveal + 0.35, stage.width / 2, bottom))
    before = [party.falling(stage, 46, stage.palette, 240, 19, start=stage.reveal + 0.8)]
    return Look(
        behind,
        before,
        "round",
        Finish("balloon", WHITE, (0.4, 0.05, 0.3), 0.024),
        stage.palette,
        stage.colour(2),
        lively=True,
    )


def festival(stage, story):
    red, gold = stage.colour(0), stage.colour(1)
    deep = mix(red, (0.1, 0.0, 0.02), 0.55)
    ground = backdrop(
        stage.width,
        stage.height,
        [(0, mix(deep, (0.1, 0, 0), 0.3)), (0.55, red), (1, mix(red, gold, 0.16))],
        lambda x, y: (
            np.array((0.3, 0.12, 0.02))
            * np.exp(-(((x - 0.5) / 0.3) ** 2 + ((y - 0.5) / 0.42) ** 2))[..., None]
        ),
    )
    shots = [
        stage.reveal + 0.05 + 0.62 * k for k in range(int((stage.duration - stage.reveal) / 0.62))
    ]
    behind = [
        still.picture(ground),
        still.rays(stage, stage.width / 2, stage.height * 0.5, gold, 0.16, 18, 0.05),
        still.bokeh(stage, [gold, mix(gold, WHITE, 0.4)], 26, 0.28, 6, 40, 22),
        sky.firework(stage, shots, [gold, mix(gold, WHITE, 0.3), rgb("#ff8a5c"), rgb("#ffd9a0")]),
        scallops(stage, red, gold),
        graphic.branches(stage, rgb("#ffb3c1"), rgb("#3b1410")),
        lanterns(stage, 4 if stage.wide else 2, mix(red, (1, 0.1, 0.05), 0.5), gold),
    ]
    paper = [gold, mix(gold, WHITE, 0.5), rgb("#ff5a4d")]
    behind.append(party.cannons(stage, story.hits, paper, 90, (0, 0, 1)))
    before = [party.falling(stage, 26, [gold, mix(gold, WHITE, 0.4)], 130, 13, (0, 1, 1))]
    return Look(
        behind,
        before,
        "serif",
        Finish("gold", None, (0.2, 0.0, 0.0), 0.008),
        (gold,),
        gold,
        pale=mix(red, (0.1, 0, 0), 0.7),
    )


def newyear(stage, story):
    night, gold = stage.colour(0), stage.colour(1)
    ground = backdrop(
        stage.width,
        stage.height,
        [(0, mix(night, (0, 0, 0), 0.55)), (0.6, night), (1, mix(night, stage.colour(2), 0.5))],
    )
    early = [1.4 + 1.9 * k for k in range(int(max(0, stage.reveal - 1.6) / 1.9))]
    late = [stage.reveal + 0.34 * k for k in range(int((stage.duration - stage.reveal) / 0.34))]
    behind = [
        still.picture(ground),
        sky.stars(stage, 260, 2, 24),
        sky.firework(stage, early + late, [gold, *stage.palette[2:], rgb("#8fd3ff")]),
        sky.skyline(stage, mix(night, (0, 0, 0), 0.72), gold),
        still.bokeh(stage, [gold], 16, 0.2, 5, 26, 30),
    ]
    paper = [gold, WHITE, *stage.palette[2:]]
    behind.append(party.cannons(stage, story.hits, paper, 80, (0, 0, 1, 2)))
    before = [
        party.falling(stage, 24, [gold, mix(gold, WHITE, 0.4)], 120, 12, (0, 1), start=stage.reveal)
    ]
    return Look(
        behind, before, "sans", Finish("gold", None, (0.0, 0.0, 0.1)), (gold,), gold, "thin"
    )


def wedding(stage, story):
    paper, rose, leaf = stage.palette[:3]
    ground = backdrop(
        stage.width,
        stage.height,
        [(0, mix(paper, WHITE, 0.3)), (0.6, paper), (1, mix(paper, rose, 0.42))],
        lambda x, y: 0.08 * np.exp(-(((x - 0.5) / 0.4) ** 2 + ((y - 0.45) / 0.4) ** 2))[..., None],
    )
    behind = [
        still.picture(ground),
        still.bokeh(
            stage,
            [WHITE, mix(rose, WHITE, 0.3), mix(rgb("#e9c46a"), WHITE, 0.4)],
            34,
            0.5,
            26,
            110,
            12,
        ),
        graphic.branches(stage, mix(rose, WHITE, 0.25), mix(leaf, (0.3, 0.2, 0.1), 0.45)),
    ]
    petals = [rose, mix(rose, WHITE, 0.35), mix(rose, WHITE, 0.6)]
    before = [
        party.falling(stage, 44, petals, 84, 17, (3,)),
        party.falling(stage, 46, petals, 150, 21, (3,), start=stage.reveal),
    ]
    ink = mix(rose, (0.25, 0.08, 0.14), 0.72)
    return Look(
        behind,
        before,
        "serif",
        Finish("paper", None, (1, 1, 1)),
        (ink,),
        mix(rose, ink, 0.45),
        "thin",
        weight=500,
    )


def space(stage, story):
    night, air = stage.colour(3), stage.colour(1)
    noise = np.random.default_rng(11)

    def nebula(x, y):
        return sum(
            np.exp(-(((x - px) / w) ** 2 + ((y - py) / (w * 0.8)) ** 2))[..., None]
            * np.array(tint)
            * 0.16
            for px, py, w, tint in zip(
                noise.uniform(0, 1, 7),
                noise.uniform(0, 0.7, 7),
                noise.uniform(0.1, 0.34, 7),
                [stage.colour(k) for k in range(7)],
                strict=True,
            )
        )

    ground = backdrop(
        stage.width,
        stage.height,
        [(0, mix(night, (0, 0, 0), 0.5)), (0.6, night), (1, mix(night, air, 0.2))],
        nebula,
    )
    behind = [
        still.picture(ground),
        sky.stars(stage, 620, 7, 44),
        sky.rocket(stage, stage.reveal - 0.1),
        sky.planet(stage, mix(night, air, 0.35), air),
    ]
    before = []
    return Look(behind, before, "sans", Finish("neon"), (air,), air, "thin")


def sport(stage, story):
    base, hot = stage.colour(0), stage.colour(1)
    ground = backdrop(
        stage.width,
        stage.height,
        [(0, mix(base, (0, 0, 0), 0.5)), (1, mix(base, (0, 0, 0), 0.12))],
        lambda x, y: (
            np.array(base)
            * 0.9
            * np.exp(-(((x - 0.5) / 0.5) ** 2 + ((y - 0.5) / 0.5) ** 2))[..., None]
        ),
    )
    behind = [
        still.picture(ground),
        graphic.slabs(stage, mix(base, WHITE, 0.7)),
        graphic.speed_lines(stage, [hot, WHITE, mix(base, WHITE, 0.45)]),
        still.bokeh(stage, [WHITE, hot], 14, 0.22, 20, 120, 6),
    ]
    behind.append(
        party.cannons(stage, story.hits, [hot, WHITE, mix(base, WHITE, 0.4)], 100, (0, 0, 1))
    )
    return Look(
        behind,
        [],
        "display",
        Finish("paper", None, (0, 0, 0.1)),
        (WHITE,),
        hot,
        "thin",
        lively=True,
    )


SEASONS = {
    # sky above, sky at the horizon, far hills, near hills, light
    "summer": ("#3f8fd2", "#ffe3b0", "#8fb7d6", "#16504f", "#fff0c0"),
    "autumn": ("#5b6fa8", "#ffc98a", "#b58a9a", "#5a2a20", "#ffdba0"),
    "winter": ("#1d3a6b", "#f3c9d2", "#9fb4d8", "#14304f", "#ffeede"),
    "spring": ("#7db8e8", "#ffe4ea", "#a9c6d9", "#2f6d4f", "#fff6d8"),
    "dusk": ("#2a2f6b", "#ff9d6e", "#7d6a9c", "#1b1c3d", "#ffd08a"),
}


def nature(stage, story):
    high, low, far, near, light = colours_of(SEASONS[story.season])
    if story.tint:
        # A colour that was asked for dyes the whole air; the light stays.
        high, far, near = (
            mix(high, stage.colour(0), 0.55),
            mix(far, stage.colour(0), 0.4),
            mix(near, stage.colour(0), 0.25),
        )
    horizon = 0.66 if story.water else 0.6
    ground = backdrop(
        stage.width,
        stage.height,
        [(0, high), (horizon * 0.62, mix(high, low, 0.5)), (horizon + 0.06, low), (1, low)],
    )
    sun_x = stage.width * (0.87 if stage.wide else 0.8)  # beside the words
    behind = [
        still.picture(ground),
        land.sun(stage, sun_x, stage.height * (horizon - 0.12), 58 * stage.u, light),
        land.clouds(stage, mix(low, WHITE, 0.6), horizon - 0.08),
    ]
    pines = story.season in ("winter", "summer", "autumn")
    if story.water:
        behind += [
            land.ridges(stage, far, mix(far, near, 0.6), horizon - 0.1, 3, low),
            land.water(stage, horizon, mix(low, high, 0.35), mix(high, near, 0.65), light, sun_x),
            land.ridges(stage, near, near, 0.98, 1, near, pines),
        ]
    else:
        behind.append(land.ridges(stage, far, near, horizon, 5, low, pines))
    behind.append(land.birds(stage, mix(near, (0, 0, 0), 0.2)))
    before = []
    if story.season == "winter":
        before.append(land.snowfall(stage, 150))
    elif story.season == "autumn":
        before.append(
            party.falling(stage, 30, colours_of(["#d9772b", "#b5452a", "#e0a63a"]), 90, 20, (3,))
        )
    elif story.season == "spring":
        before.append(
            party.falling(stage, 36, colours_of(["#ffc2d1", "#ffe0e8", "#ffffff"]), 80, 16, (3,))
        )
    shade = mix(high, (0.02, 0.05, 0.12), 0.7)
    return Look(
        behind,
        before,
        "serif",
        Finish("paper", None, shade),
        (WHITE,),
        mix(light, WHITE, 0.3),
        "thin",
        weight=600,
    )


def christmas(stage, story):
    night, red, gold = stage.palette[:3]
    ground = backdrop(
        stage.width,
        stage.height,
        [(0, mix(night, (0, 0, 0.05), 0.5)), (0.62, night), (1, mix(night, WHITE, 0.35))],
        lambda x, y: 0.1 * np.exp(-(((x - 0.5) / 0.4) ** 2 + ((y - 0.6) / 0.3) ** 2))[..., None],
    )
    behind = [
        still.picture(ground),
        sky.stars(stage, 240, 1, 26),
        land.ridges(
            stage, mix(night, WHITE, 0.3), mix(night, (0.9, 0.95, 1), 0.88), 0.76, 3, WHITE, True
        ),
        still.bokeh(stage, [gold, red, WHITE], 22, 0.34, 8, 46, 10),
        land.snowfall(stage, 120),
    ]
    behind.append(party.cannons(stage, story.hits, [gold, red, WHITE], 70, (0, 1, 2)))
    before = [land.snowfall(stage, 60)]
    return Look(behind, before, "serif", Finish("gold", None, (0, 0, 0.1)), (gold,), gold, "thin")


def minimal(stage, story):
    base, accent = stage.colour(0), stage.colour(1)
    dark = luminance(base) < 0.35
    ink = WHITE if dark else mix(base, (0.05, 0.06, 0.12), 0.88)
    ground = backdrop(
        stage.width,
        stage.height,
        [(0, mix(base, WHITE, 0.05)), (1, mix(base, (0, 0, 0.05), 0.22 if dark else 0.06))],
        lambda x, y: 0.07 * np.exp(-(((x - 0.3) / 0.5) ** 2 + ((y - 0.25) / 0.5) ** 2))[..., None],
    )
    behind = [still.picture(ground), graphic.shapes(stage, [accent, *stage.palette[2:]])]
    shade = mix(base, (0, 0, 0.05), 0.5) if dark else mix(base, WHITE, 0.5)
    return Look(behind, [], "sans", Finish("paper", None, shade), (ink,), accent, "thin")


THEMES = {
    "party": party_room,
    "festival": festival,
    "newyear": newyear,
    "wedding": wedding,
    "space": space,
    "sport": sport,
    "nature": nature,
    "christmas": christmas,
    "minimal": minimal,
}
