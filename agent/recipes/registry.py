"""The recipes, in the order in which they are offered."""

from __future__ import annotations

from agent.recipes.map import RECIPE as map_
from agent.recipes.music import RECIPE as music
from agent.recipes.poster import RECIPE as poster
from agent.recipes.recipe import Recipe
from agent.recipes.report import RECIPE as report

RECIPES: tuple[Recipe, ...] = (
    music,
    map_,
    report,
    poster,
)
