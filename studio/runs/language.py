"""The model that answers requests here, as the environment says."""

from __future__ import annotations

from functools import cache

from agent import ModelUnavailable, RecipeModel, model_from_environment
from agent.models import Model


@cache
def current_model() -> Model:
    """The model of all runs of this process.

    Raises:
        ModelUnavailable: the environment names one only half.
    """
    return model_from_environment()


def has_model() -> bool:
    """Whether a language model is meant to answer; otherwise the built-in recipes do."""
    try:
        return not isinstance(current_model(), RecipeModel)
    except ModelUnavailable:
        return True


def model_name() -> str:
    """What people call it; empty if the environment names it only half."""
    try:
        return current_model().name
    except ModelUnavailable:
        return ""
