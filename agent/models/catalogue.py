"""The models that an operator offers: endpoints, and what they serve, in a file of TOML.

```toml
default = "deepseek/deepseek-chat"

[endpoints.deepseek]
base_url = "https://api.deepseek.com"
key_env = "DEEPSEEK_API_KEY"

[[endpoints.deepseek.models]]
name = "deepseek-chat"
label = "DeepSeek"
window = 128000
sees = false
prices = { input = 0.28, output = 0.42, cached = 0.028 }
```
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import httpx2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.errors import ModelUnavailable
from agent.models import WINDOW
from agent.models.openai import OpenAIModel
from agent.models.prices import Prices

# The endpoint that environment variables describe.
ENVIRONMENT = "environment"
NAME = r"[a-z0-9][a-z0-9-]{0,39}"
FILE_BYTES = 1 << 20
LEAST_WINDOW = 4096


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Who answers: `base_url` is empty for OpenAI's own, `key` for one that wants none."""

    name: str
    base_url: str = ""
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """Its name on the network, without anything secret."""
        return httpx2.URL(self.base_url).host if self.base_url else "api.openai.com"


@dataclass(frozen=True, slots=True)
class Offer:
    """A model at an endpoint; whether it `sees` is None where that is to be found out."""

    endpoint: Endpoint
    name: str
    label: str = ""
    window: int = WINDOW
    sees: bool | None = False
    prices: Prices = field(default_factory=Prices)

    @property
    def id(self) -> str:
        """What it is called in settings and in the database; an endpoint's name has no slash."""
        return f"{self.endpoint.name}/{self.name}"

    @property
    def title(self) -> str:
        """What people call it."""
        return self.label or self.name

    def model(self, *, sees: bool) -> OpenAIModel:
        """The model itself.

        Raises:
            ModelUnavailable: the endpoint's address is none.
        """
        return OpenAIModel(
            self.name,
            api_key=self.endpoint.key,
            base_url=self.endpoint.base_url or None,
            sees=sees,
            window=self.window,
            prices=self.prices,
        )


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All offers; `default` is the `id` of the usual one, which is the first if it is empty."""

    offers: tuple[Offer, ...] = ()
    default: str = ""

    def find(self, identity: str) -> Offer | None:
        return next((offer for offer in self.offers if offer.id == identity), None)

    @property
    def usual(self) -> Offer | None:
        return self.find(self.default) or next(iter(self.offers), None)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Prices(_Table):
    input: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    output: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class _Model(_Table):
    name: str = Field(min_length=1, max_length=200)
    label: str = Field(default="", max_length=100)
    window: int = Field(default=WINDOW, ge=LEAST_WINDOW)
    sees: Literal[True, False, "auto"] = "auto"
    prices: _Prices = _Prices()


class _Endpoint(_Table):
    base_url: str
    key_env: str = ""
    key_file: str = ""
    models: list[_Model] = Field(min_length=1)


class _File(_Table):
    default: str = ""
    endpoints: dict[str, _Endpoint] = Field(min_length=1)


def read(path: Path, environment: Mapping[str, str] = os.environ) -> Catalogue:
    """What such a file offers.

    Raises:
        ModelUnavailable: it can't be read; the message names the table and the field, and no key.
    """
    try:
        with path.open("rb") as file:
            told = _File.model_validate(tomllib.loads(file.read(FILE_BYTES).decode()))
        offers = tuple(
            offer
            for name, endpoint in told.endpoints.items()
            for offer in _offers(name, endpoint, path.parent, environment)
        )
        catalogue = Catalogue(offers, told.default)
        if told.default and not catalogue.find(told.default):
            raise ValueError(f"default: there is no model {told.default!r}")
    except OSError as error:
        raise ModelUnavailable(f"{path} cannot be read: {error.strerror}.") from None
    except ValidationError as error:
        # Not its own words: they quote what is written there, which may be a key.
        first = error.errors()[0]
        raise ModelUnavailable(f"{path}: {_place(first['loc'])}: {first['msg']}.") from None
    except ValueError as error:
        raise ModelUnavailable(f"{path}: {error}.") from None
    return catalogue


def check_name(name: str) -> None:
    """Raises ValueError unless an endpoint can have this name."""
    if not re.fullmatch(NAME, name):
        raise ValueError("a name has up to 40 small letters, digits and hyphens")
    if name == ENVIRONMENT:
        raise ValueError(f"{ENVIRONMENT!r} is the endpoint of OPENAI_BASE_URL; choose another name")


def check_address(base_url: str) -> None:
    """Raises ValueError unless it is a web address that may be shown."""
    try:
        url = httpx2.URL(base_url)
    except httpx2.InvalidURL:
        url = httpx2.URL()
    if url.scheme not in {"http", "https"} or not url.host:
        raise ValueError("it is no web address like https://example.org/v1")
    if url.userinfo or url.query:
        raise ValueError("leave out user, password and what follows “?”: this address is shown")


def _offers(
    name: str, told: _Endpoint, folder: Path, environment: Mapping[str, str]
) -> list[Offer]:
    table = f"[endpoints.{name}]"
    for field_, check, value in (
        ("", check_name, name),
        (" base_url", check_address, told.base_url),
    ):
        try:
            check(value)
        except ValueError as error:
            raise ValueError(f"{table}{field_}: {error}") from None
    if len({model.name for model in told.models}) < len(told.models):
        raise ValueError(f"{table} models: two have the same name")
    endpoint = Endpoint(name, told.base_url, _key(table, told, folder, environment))
    return [
        Offer(
            endpoint,
            model.name,
            model.label,
            model.window,
            None if model.sees == "auto" else model.sees,
            Prices(**dict(model.prices)),
        )
        for model in told.models
    ]


def _key(table: str, told: _Endpoint, folder: Path, environment: Mapping[str, str]) -> str:
    if told.key_env and told.key_file:
        raise ValueError(f"{table}: it has key_env and key_file; keep one of them")
    if told.key_env:
        key = environment.get(told.key_env, "").strip()
        if not key:
            raise ValueError(f"{table} key_env: this variable is not set")
        return key
    if told.key_file:
        try:
            with (folder / told.key_file).open(encoding="ascii") as file:
                return file.read(FILE_BYTES).strip()
        except OSError as error:
            raise ValueError(f"{table} key_file: it cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ValueError(f"{table} key_file: a key has no such characters") from None
    return ""


def _place(steps: tuple[int | str, ...]) -> str:
    """Where in the file something is, as its author calls it."""
    match steps:
        case ("endpoints", str(name), "models", int(number), *rest):
            where = [f"[endpoints.{name}] model {number + 1}", ".".join(map(str, rest))]
        case ("endpoints", str(name), *rest):
            where = [f"[endpoints.{name}]", ".".join(map(str, rest))]
        case _:
            where = [".".join(map(str, steps))]
    return " ".join(filter(None, where))
