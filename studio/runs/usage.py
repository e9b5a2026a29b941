"""What a run took, in short texts for people in their language."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.template.defaultfilters import filesizeformat
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext


def spent(turns: int, tokens: int, wall: timedelta | None) -> list[str]:
    """Turns, tokens and time; what is zero is left out."""
    texts = []
    if turns:
        texts.append(ngettext("%(turns)d turn", "%(turns)d turns", turns) % {"turns": turns})
    if tokens:
        texts.append(gettext("%(tokens)s tokens") % {"tokens": grouped(tokens)})
    if wall is not None:
        texts.append(duration(wall.total_seconds()))
    return texts


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
    if minutes:
        return gettext("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}
    return gettext("%(seconds)s s") % {"seconds": rest}
