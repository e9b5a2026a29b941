"""How people see the studio: the width of their window, light or dark, and their language.

A walk is written once. What it looks for is said in English, as the templates have it, and the
look finds it in the catalogue that the pages are translated with.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, override, pgettext
from django.utils.translation.trans_real import translation

HEIGHT = {1440: 900, 375: 760}
LOCALES = {"en": "en-GB", "zh-hans": "zh-CN"}
ZONES = {"en": "Europe/London", "zh-hans": "Asia/Shanghai"}


@dataclass(frozen=True)
class Look:
    """One way of seeing the studio."""

    width: int
    scheme: str
    language: str

    def __str__(self) -> str:
        return f"{self.width} {self.scheme} {self.language}"

    @property
    def phone(self) -> bool:
        return self.width < 500

    @property
    def opposite(self) -> Look:
        """The other width, the other theme, the other language."""
        return EVERY[-1 - EVERY.index(self)]

    @property
    def options(self) -> dict:
        """x."""
        touch = {"has_touch": True, "is_mobile": True} if self.phone else {}
        size = {"width": self.width, "height": HEIGHT[self.width]}
        locale = LOCALES[self.language]
        told = {"locale": locale, "timezone_id": ZONES[self.language]}
        return {"viewport": size, "color_scheme": self.scheme, **told, **touch}

    def when(self, at: datetime) -> str:
        """How a page says this time, in this language and where it is spoken."""
        with override(self.language):
            return date_format(
                at.astimezone(ZoneInfo(ZONES[self.language])), "SHORT_DATETIME_FORMAT"
            )

    def say(self, message: str, plural: str = "", *, context: str = "", **values) -> str:
        """What a page says in this language; of a plural the first of the values decides.

        Raises LookupError where the catalogue doesn't have it: the page would say it in English.
        """
        key = f"{context}\x04{message}" if context else message
        translated = translation("zh-hans")._catalog
        if key not in translated and (key, 0) not in translated:
            raise LookupError(f"“{message}” is not in the catalogue.")
        with override(self.language):
            if plural:
                said = ngettext(message, plural, next(iter(values.values())))
            else:
                said = pgettext(context, message) if context else gettext(message)
        return said % values if "%(" in said else said.format(**values).replace("%%", "%")


DESK, NIGHT_PHONE = Look(1440, "light", "en"), Look(375, "dark", "zh-hans")
OPPOSITE = [DESK, NIGHT_PHONE]
EVERY = [DESK, Look(1440, "dark", "zh-hans"), Look(375, "light", "en"), NIGHT_PHONE]

in_every_look = pytest.mark.parametrize("look", EVERY, ids=str)
"""For walks that cost little: at both widths in both themes and both languages."""
on_a_desk = pytest.mark.parametrize("look", [DESK], ids=str)
"""For what is the same in every look."""
