"""The recipes, in the order in which they are offered."""

from __future__ import annotations

from agent.recipes.recipe import Recipe

RECIPES: tuple[Recipe, ...] = ()
