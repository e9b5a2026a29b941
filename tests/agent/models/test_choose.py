"""Which models an environment offers, and which of them is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent import ModelUnavailable, RecipeModel, model_from_environment
from agent.events import Usage
from agent.models import WINDOW, Message, Reply, choose
from agent.models.choose import catalogue_from_environment
from agent.testing import ScriptedEndpoint, call

ONE = {"OPENAI_BASE_URL": "http://one.test/v1", "STUDIO_MODEL": "m"}
LOOK = Reply(calls=(call("look", path="picture.png"),))
SEEN = Reply("Blue and yellow.")


@pytest.fixture(autouse=True)
def forgetful(monkeypatch) -> None:
    monkeypatch.setattr(choose, "_seen", {})


@pytest.fixture
def several(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "endpoints.toml"
    path.write_text(
        '[endpoints.two]\nbase_url = "http://two.test/v1"\nkey_env = "OPENAI_API_KEY"\n'
        '[[endpoints.two.models]]\nname = "a"\nsees = false\n'
        '[[endpoints.two.models]]\nname = "b"\nsees = false\n'
    )
    return {"STUDIO_ENDPOINTS": str(path), "OPENAI_API_KEY": "sk-1"}


def ids(environment: dict[str, str], **arguments: str) -> list[str]:
    """What is offered, the usual one in brackets."""
    told = catalogue_from_environment(environment, **arguments)
    return [f"[{offer.id}]" if offer == told.usual else offer.id for offer in told.offers]


def test_nothing_set_means_the_recipes() -> None:
    assert ids({}) == []
    assert isinstance(model_from_environment({}), RecipeModel)
    assert isinstance(model_from_environment(ONE, name="recipes"), RecipeModel)


def test_three_variables_are_one_endpoint() -> None:
    assert ids(ONE) == ["[environment/m]"]
    model = model_from_environment({**ONE, "OPENAI_API_KEY": "sk-1"})
    assert (model.name, model.window, model.sees) == ("m", WINDOW, False)


def test_a_file_offers_several_and_its_key_may_be_the_usual_variable(several) -> None:
    assert ids(several) == ["[two/a]", "two/b"]
    assert ids({**several, "STUDIO_MODEL": "two/b"}) == ["two/a", "[two/b]"]
    assert ids(several, name="two/b") == ["two/a", "[two/b]"]


def test_a_file_and_an_endpoint_of_variables_are_offered_together(several) -> None:
    assert ids({**several, **ONE}) == ["[environment/m]", "two/a", "two/b"]
    assert ids({**several, **ONE}, name="two/a") == ["[two/a]", "two/b"]


def test_a_name_that_is_not_offered_is_refused_with_those_that_are(several) -> None:
    del several["OPENAI_API_KEY"]
    path = Path(several["STUDIO_ENDPOINTS"])
    path.write_text(path.read_text().replace('key_env = "OPENAI_API_KEY"\n', ""))
    with pytest.raises(ModelUnavailable, match=r"no model 'c'\. Choose one of two/a, two/b\."):
        catalogue_from_environment(several, name="c")


def test_window_prices_and_eyes_are_variables_too() -> None:
    told = {"STUDIO_MODEL_WINDOW": "32768", "STUDIO_MODEL_PRICES": "2, 8,0.5"}
    (offer,) = catalogue_from_environment({**ONE, **told, "STUDIO_MODEL_SEES": "1"}).offers
    assert (offer.window, offer.sees) == (32768, True)
    assert offer.prices.cost(Usage(input=1_000_000, output=1_000_000, cached=500_000)) == 9.25


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("STUDIO_MODEL_SEES", "perhaps"),
        ("STUDIO_MODEL_WINDOW", "128k"),
        ("STUDIO_MODEL_WINDOW", "100"),
        ("STUDIO_MODEL_PRICES", "1"),
        ("STUDIO_MODEL_PRICES", "1,2,3,4"),
        ("STUDIO_MODEL_PRICES", "1,-2"),
        ("STUDIO_MODEL_PRICES", "1,nan"),
        ("STUDIO_MODEL_PRICES", "cheap,dear"),
    ],
)
def test_a_senseless_value_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(ModelUnavailable, match=f"^{name} must be "):
        catalogue_from_environment({**ONE, name: value})


def test_whether_it_sees_is_asked_once_in_a_process() -> None:
    with ScriptedEndpoint([LOOK, SEEN, Reply("hello"), Reply("hello")]) as endpoint:
        told = {**ONE, "OPENAI_BASE_URL": endpoint.base_url, "STUDIO_MODEL_SEES": "auto"}
        for _ in range(2):
            model = model_from_environment(told)
            assert model.sees is True
            list(model.reply([Message("user", "hello")], []))
    assert len(endpoint.requests) == 4


def test_a_model_that_does_not_answer_counts_as_blind_until_it_does() -> None:
    refusal = (401, {"error": {"message": "not now"}})
    with ScriptedEndpoint([refusal, LOOK, SEEN]) as endpoint:
        told = {**ONE, "OPENAI_BASE_URL": endpoint.base_url, "STUDIO_MODEL_SEES": "auto"}
        assert model_from_environment(told).sees is False
        assert model_from_environment(told).sees is True
