"""What the agent, its sandbox and the workers say in English reaches people in their language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from django.utils.translation import override

from agent.events import Reason
from studio import wording
from studio.runs.feed import worded
from studio.runs.reasons import explanation

ROOT = Path(wording.__file__).parent.parent
# What is filled in; each is another one, so that none can be a sentence by accident.
VALUE = "x1"
# Who says something to people, and which argument of these calls it is.
SPEAKERS = {
    "agent/**/*.py": {
        "ModelUnavailable": 0,
        "ContextOverflow": 0,
        "SandboxUnavailable": 0,
        "Trouble": 1,
        "_Late": 0,
        "ArtifactSkipped": "why",
    },
    "agent/loop.py": {"strip": "self"},
    "sandbox_image/guest/*.py": {"Refused": 0, "Changed": 0, "_skip": 1},
    "studio/**/*.py": {"ModelUnavailable": 0, "ArtifactSkipped": "why", "NoRoomLeft": 0},
    "studio/api/*.py": {"NotDelivered": 0, "NotAllowed": 0},
    "studio/api/announcing.py": {"update": "problem"},
}
# What only the command line and those who write tests are told.
APART = ("agent/cli/", "agent/testing/")


class Module:
    """What a module says, with every value in it `VALUE`."""

    def __init__(self, path: Path) -> None:
        self.nodes = list(ast.walk(ast.parse(path.read_text())))

    def said(self, speakers: dict[str, int | str]) -> Iterator[str]:
        for node in self.nodes:
            if not isinstance(node, ast.Call) or self.name(node.func) not in speakers:
                continue
            place = speakers[self.name(node.func)]
            if isinstance(place, int):
                yield from self.texts(node.args[place]) if len(node.args) > place else ()
            elif place == "self":
                yield from self.texts(node.func.value)  # type: ignore[attr-defined]
            else:
                yield from (
                    text
                    for keyword in node.keywords
                    if keyword.arg == place
                    for text in self.texts(keyword.value)
                )

    def texts(self, node: ast.expr) -> list[str]:
        """All that an expression may be; nothing for the message of another error."""
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.JoinedStr(values=parts):
                filled = [self.texts(part) or [VALUE] for part in parts]
                return ["".join(combined) for combined in product(*filled)]
            case ast.FormattedValue(value=ast.IfExp() | ast.Subscript() | ast.Call() as value):
                return self.texts(value)
            case ast.IfExp(body=one, orelse=other):
                return [*self.texts(one), *self.texts(other)]
            case ast.BinOp(left=template, op=ast.Mod()):
                return [re.sub(r"%\(\w+\)s", VALUE, text) for text in self.texts(template)]
            case ast.Subscript(value=ast.Name(id=name)):
                return [
                    text
                    for value in self.assigned(name)
                    if isinstance(value, ast.Dict)
                    for each in value.values
                    for text in self.texts(each)
                ]
            case ast.Name(id=name):
                return [text for value in self.assigned(name) for text in self.texts(value)]
            case ast.Call(func=ast.Name(id="gettext"), args=[value]):
                return self.texts(value)
            case ast.Call(func=ast.Attribute(value=template, attr="format")):
                return [re.sub(r"\{\w+\}", VALUE, text) for text in self.texts(template)]
            case ast.Call(func=function):
                return [
                    text
                    for value in self.returned(self.name(function))
                    for text in self.texts(value)
                ]
        return []

    def assigned(self, name: str) -> Iterator[ast.expr]:
        for node in self.nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                    yield value
                case ast.NamedExpr(target=ast.Name(id=found), value=value) if found == name:
                    yield value

    def returned(self, name: str) -> Iterator[ast.expr]:
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return) and inner.value is not None:
                        yield inner.value

    @staticmethod
    def name(function: ast.expr) -> str:
        return getattr(function, "id", getattr(function, "attr", ""))


def sentences() -> set[str]:
    """All that have words of their own besides what is filled in."""
    found = {
        text
        for pattern, speakers in SPEAKERS.items()
        for path in ROOT.glob(pattern)
        if not str(path.relative_to(ROOT)).startswith(APART)
        for text in Module(path).said(speakers)
    }
    return {text for text in found if re.search(r"[A-Za-z]{2}", text.replace(VALUE, ""))}


SAID = sorted(sentences())


def test_those_who_say_something_are_found() -> None:
    assert len(SAID) > 70
    for text in (
        f"{VALUE} refused the key. Check it (OPENAI_API_KEY). ({VALUE})",
        f"The sandbox did not answer within {VALUE} s.",
        f"{VALUE}: the endpoint cannot be reached.",
        "it is a pipe, not a regular file",
        "its name looks like that of another file",
        "Its path is too long.",
    ):
        assert text in SAID


@pytest.mark.parametrize("text", SAID)
def test_all_that_is_said_has_words(text: str) -> None:
    assert wording.told(text) == text
    with override("zh-hans"):
        assert not re.search(r"[a-z]{3,} [a-z]{2,}", wording.told(text))
        assert wording.told(text) != text


@pytest.mark.parametrize("text", wording.SENTENCES)
def test_all_words_are_translated(text: str) -> None:
    with override("zh-hans"):
        translated = wording.told(re.sub(r"%\(\w+\)s", VALUE, text))
    assert re.search("[一-鿿]", translated)
    assert translated.count(VALUE) == text.count("%(")


def test_what_is_filled_in_is_told_in_the_readers_language_too() -> None:
    kept = "The workspace could not be prepared: output/a is a folder"
    with override("zh-hans"):
        assert wording.told(kept) == "工作文件没能准备好：output/a 是文件夹"


def test_what_an_endpoint_says_is_no_sentence_of_ours() -> None:
    error = "https://m.example/v1 answered with an error: a is busy or the quota is used up. Try again later. (b)"  # fmt: skip  # noqa: E501
    with override("zh-hans"):
        assert wording.told(error).startswith("https://m.example/v1 应答出错")


def test_a_sentence_that_nobody_has_words_for_is_told_as_it_is() -> None:
    with override("zh-hans"):
        assert wording.told("Something\nelse.") == "Something\nelse."
        assert wording.told("") == ""


def test_the_end_of_a_run_and_a_file_that_was_not_kept_are_told_in_the_readers_language() -> None:
    ended = "The sandbox no longer answers."
    skipped = {"path": "a.txt", "why": "it is a pipe, not a regular file"}
    with override("zh-hans"):
        assert explanation(Reason.SANDBOX_UNAVAILABLE, ended) == "沙箱不再应答。"
        told = worded("artifact.skipped", skipped)
    assert told == {"path": "a.txt", "why": "它是管道，不是普通文件"}
    assert worded("artifact.skipped", skipped) == skipped
