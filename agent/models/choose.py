"""Which models the environment offers, and which of them a run gets."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path

from agent.errors import ModelUnavailable
from agent.models import WINDOW, Model
from agent.models.catalogue import ENVIRONMENT, LEAST_WINDOW, Catalogue, Endpoint, Offer, read
from agent.models.prices import Prices
from agent.models.probe import look
from agent.recipes import RecipeModel

SEES = {"": False, "0": False, "1": True, "auto": None}

# What was found out of models in this process; who asks twice at once finds the same.
_seen: dict[Offer, bool] = {}


def catalogue_from_environment(
    environment: Mapping[str, str] = os.environ,
    *,
    name: str | None = None,
    base_url: str | None = None,
) -> Catalogue:
    """What `STUDIO_ENDPOINTS` and `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `STUDIO_MODEL` offer.

    `name` and `base_url` take the place of the latter two. Without an endpoint it is empty, and
    the recipes answer.

    Raises:
        ModelUnavailable: an endpoint is named but not which of its models, or wrongly.
    """
    name = name or environment.get("STUDIO_MODEL", "").strip()
    base_url = base_url or environment.get("OPENAI_BASE_URL", "").strip()
    key = environment.get("OPENAI_API_KEY", "").strip()
    path = environment.get("STUDIO_ENDPOINTS", "").strip()
    if name == RecipeModel.name:
        return Catalogue()
    listed = read(Path(path), environment) if path else Catalogue()
    if listed.offers and (not name or listed.find(name)):
        # OPENAI_API_KEY may be there for one of these endpoints.
        return Catalogue(listed.offers, name or listed.default)
    if not key and not base_url:
        if not name:
            return Catalogue()
        known = ", ".join(offer.id for offer in listed.offers)
        raise ModelUnavailable(
            f"There is no model {name!r}. Choose one of {known}."
            if known
            else f"No endpoint for {name!r}. Set OPENAI_API_KEY or OPENAI_BASE_URL."
        )
    if not name:
        raise ModelUnavailable("An endpoint is set but no model. Set STUDIO_MODEL or use --model.")
    offer = Offer(
        Endpoint(ENVIRONMENT, base_url, key),
        name,
        window=_window(environment.get("STUDIO_MODEL_WINDOW", "").strip()),
        sees=_sees(environment.get("STUDIO_MODEL_SEES", "").strip().lower()),
        prices=_prices(environment.get("STUDIO_MODEL_PRICES", "").strip()),
    )
    offer.model(sees=False)
    return Catalogue((offer, *listed.offers), offer.id)


def model_from_environment(
    environment: Mapping[str, str] = os.environ,
    *,
    name: str | None = None,
    base_url: str | None = None,
) -> Model:
    """The model that the environment means, or that of this name among those it offers.

    Raises:
        ModelUnavailable: an endpoint is named but not which of its models, or wrongly.
    """
    usual = catalogue_from_environment(environment, name=name, base_url=base_url).usual
    return opened(usual) if usual else RecipeModel()


def opened(offer: Offer) -> Model:
    """The model of an offer; one of which it isn't known is asked whether it sees."""
    return offer.model(sees=bool(sight(offer)))


def sight(offer: Offer) -> bool | None:
    """Whether a model sees; None if that can't be found out now.

    What the operator left open is asked of the model once in a process, which takes seconds.
    """
    if offer.sees is not None:
        return offer.sees
    if offer not in _seen:
        found = look(offer.model(sees=True)).sees
        if found is None:
            return None
        _seen[offer] = found
    return _seen[offer]


def _sees(text: str) -> bool | None:
    if text not in SEES:
        raise ModelUnavailable("STUDIO_MODEL_SEES must be 1, 0 or auto.")
    return SEES[text]


def _window(text: str) -> int:
    if text and (not text.isdecimal() or int(text) < LEAST_WINDOW):
        raise ModelUnavailable(
            f"STUDIO_MODEL_WINDOW must be a number of tokens, at least {LEAST_WINDOW}."
        )
    return int(text) if text else WINDOW


def _prices(text: str) -> Prices:
    try:
        numbers = [float(part) for part in text.split(",")] if text else [0.0, 0.0]
        if len(numbers) not in (2, 3) or not all(0 <= number < math.inf for number in numbers):
            raise ValueError
        return Prices(**dict(zip(("input", "output", "cached"), numbers, strict=False)))
    except ValueError:
        raise ModelUnavailable(
            "STUDIO_MODEL_PRICES must be input,output or input,output,cached: what a million "
            "tokens cost, such as 0.28,0.42,0.028."
        ) from None
