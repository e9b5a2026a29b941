"""Settings from the environment; a senseless value stops the start and names its variable."""

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """The variable without surrounding blanks; an empty one counts as not set."""
    return os.environ.get(name, "").strip() or default


def integer(name: str, default: int, *, least: int = 1) -> int:
    """A whole number of at least `least`.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    value = text(name, str(default))
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None
    if number < least:
        raise ImproperlyConfigured(f"{name} must be at least {least}, not {number}.")
    return number


def number(name: str, default: float, *, least: float) -> float:
    """A number of at least `least`.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    value = text(name, str(default))
    if not re.fullmatch(r"\d+(\.\d+)?", value):
        raise ImproperlyConfigured(f"{name} must be a number such as 2 or 0.5, not {value!r}.")
    if float(value) < least:
        raise ImproperlyConfigured(f"{name} must be at least {least:g}, not {value}.")
    return float(value)


def limit(name: str) -> int | None:
    """A whole number of at least 1; none when it is not set.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    return integer(name, 1) if text(name) else None


def amount(name: str) -> float | None:
    """An amount of money; none when it is not set.

    Raises:
        ImproperlyConfigured: it is something else, or next to nothing.
    """
    return number(name, 1, least=0.0001) if text(name) else None


def currency(name: str, default: str) -> str:
    """A currency's three letters.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    value = text(name, default).upper()
    if not re.fullmatch(r"[A-Z]{3}", value):
        raise ImproperlyConfigured(f"{name} must be three letters such as USD, not {value!r}.")
    return value


def size(name: str, default: str, *, least: str) -> int:
    """An amount of memory or disk in bytes, written in binary units such as `512M` or `4G`.

    Raises:
        ImproperlyConfigured: it is something else, or less than `least`.
    """
    value = text(name, default)
    if (amount := _bytes(value)) is None:
        raise ImproperlyConfigured(f"{name} must be a size such as 512M or 4G, not {value!r}.")
    if amount < (_bytes(least) or 0):
        raise ImproperlyConfigured(f"{name} must be at least {least}, not {value}.")
    return amount


def room(name: str, default: str, *, least: str) -> int | None:
    """A `size`; none when it is `0`.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    return None if text(name) == "0" else size(name, default, least=least)


def _bytes(value: str) -> int | None:
    found = re.fullmatch(r"(\d+)([MG])", value.upper())
    return int(found[1]) << {"M": 20, "G": 30}[found[2]] if found else None


def choice(name: str, default: str, choices: Collection[str]) -> str:
    """One of `choices`.

    Raises:
        ImproperlyConfigured: it is none of them.
    """
    value = text(name, default).lower()
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def flag(name: str, *, default: bool = False) -> bool:
    """Whether it is `1`, or not set where that is the default; `0` means no.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    return choice(name, str(int(default)), ("0", "1")) == "1"


def words(name: str, default: str) -> list[str]:
    """A comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def choices(name: str, default: str, possible: Sequence[str]) -> list[str]:
    """A comma-separated list of one or more of `possible`, in the order given.

    Raises:
        ImproperlyConfigured: it is empty, says one twice, or has something else in it.
    """
    chosen = words(name, default)
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= set(possible):
        raise ImproperlyConfigured(
            f"{name} must be one or more of {', '.join(possible)}, not {text(name)!r}."
        )
    return chosen


def address(name: str) -> str:
    """An http or https address; empty when it is not set.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    value = text(name)
    parts = urlsplit(value)
    if value and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ImproperlyConfigured(f"{name} must be an http or https address, not {value!r}.")
    return value


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail server; `encrypted` from the first byte, or else after STARTTLS if there is a user."""

    host: str
    port: int
    user: str
    password: str
    encrypted: bool


def mail(name: str) -> Mail | None:
    """A mail server, such as `smtps://user:password@host:465`; none when it is not set.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    if not (value := text(name)):
        return None
    try:
        parts = urlsplit(value)
        port = parts.port or (465 if parts.scheme == "smtps" else 587 if parts.username else 25)
    except ValueError:
        parts, port = urlsplit(""), 0
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        # It may hold a password, so it is not repeated.
        raise ImproperlyConfigured(f"{name} must be like smtp://user:password@host:587.")
    return Mail(
        parts.hostname,
        port,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        parts.scheme == "smtps",
    )


def prefix(name: str) -> str:
    """The beginning of a path, from slash to slash; empty when it is not set.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    value = text(name)
    if value and not re.fullmatch(r"/([\w.-]+/)+", value):
        raise ImproperlyConfigured(f"{name} must be a path such as /protected/, not {value!r}.")
    return value
