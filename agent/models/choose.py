"""Which model a run gets, from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping

from agent.errors import ModelUnavailable
from agent.models import Model
from agent.models.openai import OpenAIModel
from agent.recipes import RecipeModel

TRUE = {"1", "true", "yes", "on"}


def model_from_environment(
    environment: Mapping[str, str] = os.environ,
    *,
    name: str | None = None,
    base_url: str | None = None,
) -> Model:
    """The endpoint of `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `STUDIO_MODEL`; else the recipes.

    Raises:
        ModelUnavailable: an endpoint is named but not which of its models, or wrongly.
    """
    key = environment.get("OPENAI_API_KEY", "").strip()
    base_url = base_url or environment.get("OPENAI_BASE_URL") or None
    name = name or environment.get("STUDIO_MODEL") or None
    if not key and not base_url and (name is None or name == RecipeModel.name):
        return RecipeModel()
    if name is None:
        raise ModelUnavailable("An endpoint is set but no model. Set STUDIO_MODEL or use --model.")
    if not key and not base_url:
        raise ModelUnavailable(f"No endpoint for {name!r}. Set OPENAI_API_KEY or OPENAI_BASE_URL.")
    sees = environment.get("STUDIO_MODEL_SEES", "").lower() in TRUE
    return OpenAIModel(name, api_key=key, base_url=base_url, sees=sees)
