"""What a run took, in short texts for people in their language."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_currency
from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.formats import number_format
from django.utils.translation import get_language, gettext, ngettext, to_locale

LITTLE = 0.1


def spent(
    turns: int, tokens: int, wall: timedelta | None, *, cached: int = 0, cost: float = 0
) -> list[str]:
    """Turns, tokens, money and time; what is zero is left out."""
    texts = []
    if turns:
        texts.append(counted(turns))
    if tokens and cached:
        counts = {"tokens": grouped(tokens), "cached": grouped(cached)}
        texts.append(gettext("%(tokens)s tokens (%(cached)s cached)") % counts)
    elif tokens:
        texts.append(gettext("%(tokens)s tokens") % {"tokens": grouped(tokens)})
    if cost:
        texts.append(money(cost))
    if wall is not None:
        texts.append(duration(wall.total_seconds()))
    return texts


def allowed() -> str:
    """What a run may spend until it asks, as the operator has set it."""
    texts = [counted(settings.RUN_TURNS), duration(settings.RUN_SECONDS)]
    if settings.RUN_TOKENS is not None:
        texts.append(gettext("%(tokens)s tokens") % {"tokens": grouped(settings.RUN_TOKENS)})
    if settings.RUN_COST is not None:
        texts.append(money(settings.RUN_COST))
    return format_list(texts, locale=_locale())


def counted(turns: int) -> str:
    return ngettext("%(turns)d turn", "%(turns)d turns", turns) % {"turns": turns}


def money(amount: float) -> str:
    """With the decimals of the currency; of very little, with up to four."""
    locale = Locale.parse(_locale())
    if amount >= LITTLE:
        return format_currency(amount, settings.CURRENCY, locale=locale)
    pattern = locale.currency_formats["standard"].pattern.replace("0.00", "0.00##")
    return format_currency(
        amount, settings.CURRENCY, format=pattern, locale=locale, currency_digits=False
    )


def _locale() -> str:
    return to_locale(get_language() or settings.LANGUAGE_CODE)


def used(resources: Mapping[str, float]) -> list[str]:
    """What the sandbox used, as `agent.events.Resources` counts it; nothing if there was none."""
    if not any(resources.values()):
        return []
    sizes = {name: filesizeformat(value) for name, value in resources.items()}
    return [
        gettext("%(time)s of CPU time") % {"time": duration(resources["cpu_seconds"])},
        gettext("%(peak_memory)s of memory at most") % sizes,
        gettext("%(disk)s on disk") % sizes,
        gettext("%(bytes_in)s in, %(bytes_out)s out") % sizes,
    ]


def grouped(number: int) -> str:
    return number_format(number, force_grouping=True)


def duration(seconds: float) -> str:
    """Tenths of a second, seconds, minutes or hours, whichever people would say."""
    if seconds < 9.95:
        return gettext("%(seconds)s s") % {"seconds": number_format(seconds, 1)}
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        return gettext("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes_left}
    if minutes and not rest:
        return gettext("%(minutes)d min") % {"minutes": minutes}
    if minutes:
        return gettext("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}
    return gettext("%(seconds)s s") % {"seconds": rest}
