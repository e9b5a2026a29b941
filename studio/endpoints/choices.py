"""Which model answers: one of those that the settings and the administration offer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, lru_cache

from agent import RecipeModel
from agent.errors import ModelUnavailable
from agent.models import Model
from agent.models.catalogue import Catalogue, Offer
from agent.models.choose import catalogue_from_environment, sight
from studio.endpoints.models import LanguageModel

# So many models can be in use without being made anew.
OPEN_MODELS = 64
# What a starting point's form is made with, whatever is connected; nobody chooses it.
RECIPES = "recipes"


@dataclass(frozen=True, slots=True)
class Choice:
    """A model as pages offer it; the usual one has no `value`, so that it can be replaced."""

    id: str
    title: str
    value: str = ""
    chosen: bool = False


@cache
def settings_catalogue() -> Catalogue:
    """What the environment offers; it is read once in a process.

    Raises:
        ModelUnavailable: it names a model only half, or wrongly.
    """
    return catalogue_from_environment()


def entered() -> list[LanguageModel]:
    """The models of the administration that may be used: the settings' names come first."""
    rows = LanguageModel.objects.filter(enabled=True, endpoint__enabled=True)
    taken = {offer.endpoint.name for offer in from_settings().offers}
    return list(rows.exclude(endpoint__name__in=taken).select_related("endpoint"))


def listed() -> list[Choice]:
    """All models, the usual one first."""
    rows = entered()
    choices = [Choice(offer.id, offer.title) for offer in from_settings().offers]
    choices += [Choice(identity(row), row.title) for row in rows]
    usual = next((identity(row) for row in rows if row.is_default), "")
    if not usual and (offer := from_settings().usual):
        usual = offer.id
    return sorted(choices, key=lambda choice: choice.id != usual)


def identity(row: LanguageModel) -> str:
    return f"{row.endpoint.name}/{row.name}"


def offered(wanted: str) -> list[Choice]:
    """What the owner of a project with this model can choose from; empty if there is no choice."""
    choices = listed()
    if len(choices) < 2:
        return []
    at = next((place for place, choice in enumerate(choices) if choice.id == wanted), 0)
    return [
        replace(choice, value=choice.id if place else "", chosen=place == at)
        for place, choice in enumerate(choices)
    ]


def lost(wanted: str) -> str:
    """The name of the model that a project's owner chose, if it is not offered any more."""
    if not wanted or wanted in {choice.id for choice in listed()}:
        return ""
    return wanted.partition("/")[2]


def for_words(wanted: str) -> str:
    """What a project with this model wants for a request in words: a recipe has had its form."""
    return "" if wanted == RECIPES else wanted


def model(wanted: str) -> Model:
    """The model for a project that wants this one; the usual one if that is gone or none.

    Raises:
        ModelUnavailable: the settings name one only half, or its key cannot be read.
    """
    if wanted == RECIPES:
        return RecipeModel()
    settings = settings_catalogue()
    ids = [choice.id for choice in listed()]
    if not ids:
        return RecipeModel()
    chosen = wanted if wanted in ids else ids[0]
    if offer := settings.find(chosen):
        return _opened(replace(offer, sees=bool(sight(offer))))
    row = next(row for row in entered() if identity(row) == chosen)
    return _opened(replace(row.offer(), sees=_row_sees(row)))


@lru_cache(OPEN_MODELS)
def _opened(offer: Offer) -> Model:
    """A model keeps what it learnt of its endpoint, so all runs of a process share it.

    Whatever an operator changes makes another offer, and so another model.
    """
    return offer.model(sees=bool(offer.sees))


def _row_sees(row: LanguageModel) -> bool:
    sees = sight(row.offer())
    if sees is not None and row.sees == "auto" and row.found is None:
        remember(row, sees)
    return bool(sees)


def remember(row: LanguageModel, sees: bool) -> None:
    """Keep what was found out of a model, unless it is another one by now."""
    LanguageModel.objects.filter(
        pk=row.pk, name=row.name, endpoint__base_url=row.endpoint.base_url
    ).update(found=sees)


def has_model() -> bool:
    """Whether a language model is meant to answer; otherwise the built-in recipes do."""
    try:
        return bool(settings_catalogue().offers or entered())
    except ModelUnavailable:
        return True


def model_name() -> str:
    """What people call the usual model; empty if there is none, or it is named only half."""
    return next((choice.title for choice in listed()), "")


def from_settings() -> Catalogue:
    """What the settings offer; if they are wrong, nothing: a check and each run say so."""
    try:
        return settings_catalogue()
    except ModelUnavailable:
        return Catalogue()
