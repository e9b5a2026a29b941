from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from agent.models import choose
from studio.accounts.models import User
from studio.endpoints import choices
from studio.endpoints.models import Endpoint, LanguageModel
from tests.studio.conftest import signed_in

CANARY = "sk-canary-0f5a2"
VARIABLES = (
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "STUDIO_ENDPOINTS",
    "STUDIO_MODEL",
    "STUDIO_MODEL_SEES",
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No model in the settings, and nothing remembered of other tests."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(choose, "_seen", {})
    choices.settings_catalogue.cache_clear()
    yield
    choices.settings_catalogue.cache_clear()


@pytest.fixture
def settings_file(tmp_path, monkeypatch):
    """Let the settings name a file of endpoints: of each, its address and its models."""

    def write(**endpoints: tuple[str, list[str]]) -> None:
        path = tmp_path / "endpoints.toml"
        text = ""
        for name, (base_url, models) in endpoints.items():
            text += f'[endpoints.{name}]\nbase_url = "{base_url}"\n'
            for model in models:
                text += f'[[endpoints.{name}.models]]\nname = "{model}"\nsees = false\n'
        path.write_text(text)
        monkeypatch.setenv("STUDIO_ENDPOINTS", str(path))
        choices.settings_catalogue.cache_clear()

    return write


def enter(called: str, base_url: str = "http://models.test/v1", key: str = "", **model) -> Endpoint:
    """An endpoint with one model, as an operator enters it."""
    endpoint = Endpoint(name=called, base_url=base_url)
    endpoint.key = key
    endpoint.save()
    LanguageModel.objects.create(endpoint=endpoint, **{"name": "m", "sees": "no", **model})
    return endpoint


@pytest.fixture
def operators_browser(db) -> Client:
    return signed_in(User.objects.create_superuser("operator"))
