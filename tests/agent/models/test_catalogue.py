"""A file of endpoints: what it offers, and what is said of a wrong one."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from agent.errors import ModelUnavailable
from agent.models import WINDOW, catalogue
from agent.models.prices import Prices

KEY = "sk-canary-4242"
WHOLE = """
default = "home/qwen/3"

[endpoints.away]
base_url = "https://models.test/v1"
key_env = "AWAY_KEY"

[[endpoints.away.models]]
name = "large"
label = "Large one"
window = 200_000
sees = true
prices = { input = 2, output = 8.5, cached = 0.2 }

[endpoints.home]
base_url = "http://10.0.0.1:8000/v1"
key_file = "home.key"

[[endpoints.home.models]]
name = "qwen/3"
"""
MODEL = '[[endpoints.a.models]]\nname = "m"\n'
START = '[endpoints.a]\nbase_url = "https://a.test/v1"\n'


@pytest.fixture
def read(tmp_path: Path):
    (tmp_path / "home.key").write_text(f" {KEY}\n")

    def read_(text: str, **environment: str) -> catalogue.Catalogue:
        path = tmp_path / "endpoints.toml"
        path.write_text(text)
        return catalogue.read(path, environment)

    return read_


def test_a_file_offers_its_models_with_keys_from_elsewhere(read) -> None:
    told = read(WHOLE, AWAY_KEY=KEY)
    large, small = told.offers
    assert (large.id, large.title, large.window, large.sees) == (
        "away/large",
        "Large one",
        200_000,
        True,
    )
    assert large.prices == Prices(input=2, output=8.5, cached=0.2)
    assert (small.id, small.title, small.window, small.sees) == (
        "home/qwen/3",
        "qwen/3",
        WINDOW,
        None,
    )
    assert large.endpoint.key == small.endpoint.key == KEY
    assert told.usual is told.find("home/qwen/3") is small
    assert told.find("home/none") is None
    assert KEY not in repr(told)
    assert small.model(sees=True).sees is True


@pytest.mark.parametrize("place", ["docs/settings.md", "docs/models.md", "catalogue"])
def test_the_examples_of_the_documentation_can_be_read(read, place: str) -> None:
    page = Path(__file__).parents[3] / place
    text = page.read_text() if page.suffix else str(catalogue.__doc__)
    examples = re.findall(r"^ *```toml\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    assert len(examples) == 1
    told = read(textwrap.dedent(examples[0]), DEEPSEEK_API_KEY=KEY)
    assert told.usual.id == "deepseek/deepseek-chat"


def test_without_a_default_the_first_is_the_usual_one(read) -> None:
    assert read(START + MODEL + '[[endpoints.a.models]]\nname = "n"\n').usual.id == "a/m"
    assert catalogue.Catalogue().usual is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "endpoints: Field required"),
        ("default", "Expected '='"),
        (START, "[endpoints.a] models: Field required"),
        ("[endpoints.a]\n" + MODEL, "[endpoints.a] base_url: Field required"),
        (START + MODEL + "window = 10", "[endpoints.a] model 1 window: "),
        (START + MODEL + 'window = "large"', "model 1 window: Input should be a valid integer"),
        (START + MODEL + MODEL.replace('"m"', '""'), "[endpoints.a] model 2 name: "),
        (START + MODEL + MODEL, "[endpoints.a] models: two have the same name"),
        (START + MODEL + 'sees = "perhaps"', "model 1 sees: Input should be True, False or 'auto'"),
        (START + MODEL + "prices = { input = -1 }", "model 1 prices.input: "),
        (START + MODEL + "prices = { output = nan }", "model 1 prices.output: "),
        (START + f'key = "{KEY}"\n' + MODEL, "[endpoints.a] key: Extra inputs are not permitted"),
        (START + f'key_env = "{KEY}"\n' + MODEL, "[endpoints.a] key_env: this variable is not set"),
        (START + f'key_file = "{KEY}"\n' + MODEL, "[endpoints.a] key_file: it cannot be read"),
        (START + 'key_env = "A"\nkey_file = "b"\n' + MODEL, "[endpoints.a]: it has key_env and"),
        ('default = "a/n"\n' + START + MODEL, "default: there is no model 'a/n'"),
        ((START + MODEL).replace("s.a", "s.A"), "[endpoints.A]: a name has up to 40 small"),
        ((START + MODEL).replace("s.a", 's."a/b"'), "[endpoints.a/b]: a name has"),
        ((START + MODEL).replace("s.a", "s.environment"), "'environment' is the endpoint of"),
        (START.replace("https", "ftp") + MODEL, "[endpoints.a] base_url: it is no web address"),
        (START.replace("//", "//a:b@") + MODEL, "[endpoints.a] base_url: leave out user"),
        (START.replace("/v1", f"/v1?key={KEY}") + MODEL, "base_url: leave out user"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_without_keys(read, text: str, said: str) -> None:
    with pytest.raises(ModelUnavailable) as told:
        read(text)
    assert "endpoints.toml: " in str(told.value)
    assert said in str(told.value)
    assert KEY not in str(told.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"none\.toml cannot be read: No such file"):
        catalogue.read(tmp_path / "none.toml")


def test_a_key_that_no_header_can_carry_is_said_without_it(read, tmp_path: Path) -> None:
    (tmp_path / "home.key").write_bytes("ключ".encode())
    with pytest.raises(ModelUnavailable, match=r"key_file: a key has no such characters\.$"):
        read(WHOLE, AWAY_KEY=KEY)
