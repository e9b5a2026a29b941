"""What can be made without a language model: recipes, and the model that runs them."""

from __future__ import annotations

from agent.recipes import model
from agent.recipes.recipe import Recipe

__all__ = ["RECIPES", "Recipe", "RecipeModel"]

RECIPES: tuple[Recipe, ...] = ()
"""In the order in which they are offered."""


class RecipeModel(model.RecipeModel):
    """The `Model` that answers when none is connected, with all built-in recipes."""

    def __init__(self) -> None:
        super().__init__(RECIPES)
