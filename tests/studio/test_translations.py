"""Everything that people read can be read in Chinese: what templates and code say is translated."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import allauth
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django import conf
from django.contrib import humanize
from django.utils.translation.template import templatize

from studio import wording
from studio.api.v1 import api

ROOT = Path(__file__).parent.parent.parent
CHINESE = Path("locale", "zh_Hans", "LC_MESSAGES", "django.po")
# Which of their arguments are a context, a text, its plural.
FUNCTIONS = {
    f"{name}{kind}": places
    for name, places in {
        "gettext": (1,),
        "ngettext": (1, 2),
        "pgettext": ((1, "c"), 2),
        "npgettext": ((1, "c"), 2, 3),
    }.items()
    for kind in ("", "_lazy", "_noop")
}
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
# What is to stay the same in a translation: what is filled in, and elements.
KEPT = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|</?\w+|&\w+;")

Key = tuple[str, str | None]


def catalogue(path: Path = ROOT / CHINESE) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


@cache
def said() -> dict[Key, str]:
    """Every text, with its context, and where it is said."""
    of_templates = {key: str(path.relative_to(ROOT)) for path in TEMPLATES for key in told(path)}
    of_code = {
        key: f"{path.relative_to(ROOT)}:{line}"
        for path in (ROOT / "studio").rglob("*.py")
        for key, line in spoken(path)
    }
    return of_templates | of_code


def told(template: Path) -> Iterator[Key]:
    source = templatize(template.read_text(), origin=str(template))
    # What stands around the texts are blanks and signs, which would not be Python's indentation.
    plain = "\n".join(line.strip() for line in source.splitlines()).encode()
    keywords = {**FUNCTIONS, "_": (1,)}
    for _, text, _, context in extract("python", io.BytesIO(plain), keywords=keywords):
        yield (text if isinstance(text, str) else text[0]), context


def spoken(module: Path) -> Iterator[tuple[Key, int]]:
    """Of a module that may have imported a function under any name."""
    nodes = list(ast.walk(ast.parse(module.read_text())))
    names = {
        alias.asname or alias.name: alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
    }
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = names.get(node.func.id, "")
            texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            if function in FUNCTIONS and texts:
                has_context = "pgettext" in function
                yield (texts[has_context], texts[0] if has_context else None), node.lineno


def key(message: Message) -> Key:
    return (message.id if isinstance(message.id, str) else message.id[0]), message.context


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


MESSAGES = [message for message in catalogue() if message.id]


def test_every_text_is_translated() -> None:
    translated = {
        key(message) for message in MESSAGES if all(translations(message)) and not message.fuzzy
    }
    assert len(said()) > 1200
    assert {text: where for text, where in said().items() if text not in translated} == {}


def test_apostrophes_are_of_one_kind() -> None:
    """Else the same text is two, of which one may have no translation."""
    typed = {text for text, _ in said() if re.search(r"\w'\w", text)}
    assert typed - {*wording.SENTENCES} == set()


def test_nothing_is_translated_that_nobody_says() -> None:
    """Besides our own texts these are what others say, where theirs is to be said better."""
    theirs = {
        key(message)
        for package in (allauth, conf, humanize)
        for message in catalogue(Path(package.__path__[0]) / CHINESE)
    }
    assert {key(message) for message in MESSAGES} - said().keys() - theirs - set(of_api()) == set()


def test_what_the_api_can_do_is_told_in_chinese() -> None:
    assert set(of_api()) - {key(message) for message in MESSAGES} == set()


def of_api() -> Iterator[Key]:
    for operations in api.document()["paths"].values():
        for operation in operations.values():
            yield operation["summary"], None
            yield from ((tag, None) for tag in operation["tags"])


def test_a_translation_has_what_its_text_has() -> None:
    wrong = []
    for message in MESSAGES:
        text = message.id if isinstance(message.id, str) else message.id[-1]
        kept = sorted(KEPT.findall(text))
        wrong += [told for told in translations(message) if sorted(KEPT.findall(told)) != kept]
    assert wrong == []


# Names, and what stands in attributes.
NO_WORDS = re.compile(r"Sandbox Studio|OpenAI|DeepSeek|English|HTTP|\(Esc\)|https://\S+|theme-")
READ_OUT = {"alt", "aria-label", "aria-description", "aria-roledescription", "label"}
SHOWN = {"title", "placeholder"} | READ_OUT
SILENT = {"script", "style", "code", "kbd", "pre", "svg"}
# Samples of things, of letters, and attributes without their element.
SAMPLES = ("styleguide/", "artifacts/viewers/font.html", "notices/_about.html")


class Words(HTMLParser):
    """The words that stand in a page as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        if tag in SILENT:
            self._inside.append(tag)
        for name, value in attributes:
            if name in SHOWN and value:
                self._look(value)

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self._look(data)

    def _look(self, text: str) -> None:
        if re.search(r"[A-Za-z]{2}", NO_WORDS.sub("", text)):
            self.found.append(text.strip())


def words(template: Path) -> list[str]:
    text = template.read_text()
    for left_out in (
        r"{#.*?#}|{%\s*comment.*?endcomment\s*%}",
        r"{%\s*blocktranslate\b.*?{%\s*endblocktranslate\s*%}",
        r"{%\s*block body_class\s*%}.*?{%\s*endblock\s*%}",
        r"{%.*?%}|{{.*?}}",
    ):
        text = re.sub(left_out, "", text, flags=re.DOTALL)
    parser = Words()
    parser.feed(text)
    parser.close()
    return parser.found


def test_no_words_stand_in_a_template_as_they_are() -> None:
    pages = {str(path.relative_to(ROOT / "templates")): path for path in TEMPLATES}
    found = {
        name: words(path)
        for name, path in pages.items()
        if name.endswith(".html") and not name.startswith(SAMPLES)
    }
    assert {name: texts for name, texts in found.items() if texts} == {}
