"""The recipes, in the order in which they are offered."""

from __future__ import annotations

from agent.recipes.card import RECIPE as card
from agent.recipes.map import RECIPE as map_
from agent.recipes.music import RECIPE as music
from agent.recipes.poster import RECIPE as poster
from agent.recipes.recipe import Recipe
from agent.recipes.report import RECIPE as report
from agent.recipes.slides import RECIPE as slides
from agent.recipes.video import RECIPE as video

RECIPES: tuple[Recipe, ...] = (
    music,
    map_,
    report,
    poster,
    card,
    video,
    slides,
)
