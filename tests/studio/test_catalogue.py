"""Every text of a page has its Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO

from babel.messages.catalog import Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

from studio.settings import BASE_DIR

CATALOGUE = BASE_DIR / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
PLURAL, CONTEXT = (1, 2), ((1, "c"), 2)
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), PLURAL),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), CONTEXT),
}
BLANK = re.compile(r"%\(\w+\)|\{\w+\}")


def sources() -> Iterator[str]:
    """What says something to people, as Python."""
    for path in (BASE_DIR / "templates").rglob("*.*"):
        lines = templatize(path.read_text(), origin=str(path)).splitlines()
        yield "\n".join(line.strip() for line in lines)
    for path in (BASE_DIR / "studio").rglob("*.py"):
        yield path.read_text()


def forms(text: str | tuple[str, ...] | list[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def messages() -> list[Message]:
    with CATALOGUE.open("rb") as file:
        return [message for message in read_po(file) if message.id]


def test_every_text_is_translated() -> None:
    known = {(message.context, forms(message.id)[0]) for message in messages()}
    said = [
        (context, forms(text)[0])
        for source in sources()
        for _, text, _, context in extract("python", BytesIO(source.encode()), KEYWORDS)
    ]
    assert len(said) > 1000
    assert sorted({text for context, text in said if (context, text) not in known}) == []


def test_no_translation_is_empty_guessed_or_lacks_a_blank() -> None:
    wrong = [
        message.id
        for message in messages()
        if message.fuzzy
        or not all(forms(message.string))
        or set(BLANK.findall(forms(message.id)[-1])) != set(BLANK.findall(forms(message.string)[0]))
    ]
    assert wrong == []
