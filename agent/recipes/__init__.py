"""What can be made without a language model: recipes, and the model that runs them."""

from agent.recipes.model import RecipeModel
from agent.recipes.recipe import Recipe
from agent.recipes.registry import RECIPES

__all__ = ["RECIPES", "Recipe", "RecipeModel"]
