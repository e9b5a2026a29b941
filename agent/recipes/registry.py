"""The recipes, in the order in which they are offered."""

from __future__ import annotations

from agent.recipes.music import RECIPE as music
from agent.recipes.poster import RECIPE as poster
from agent.recipes.recipe import Recipe

RECIPES: tuple[Recipe, ...] = (
    music,
    poster,
)
