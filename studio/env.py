"""Settings from the environment; a senseless value stops the start and names its variable."""

import os
from collections.abc import Collection

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


def choice(name: str, default: str, choices: Collection[str]) -> str:
    """One of `choices`.

    Raises:
        ImproperlyConfigured: it is none of them.
    """
    value = text(name, default).lower()
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def flag(name: str) -> bool:
    """Whether it is `1`; not set and `0` mean no.

    Raises:
        ImproperlyConfigured: it is something else.
    """
    return choice(name, "0", ("0", "1")) == "1"


def words(name: str, default: str) -> list[str]:
    """A comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]
