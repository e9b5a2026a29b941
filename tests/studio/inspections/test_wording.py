"""What was found is told in the reader's language, and in English where words are missing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation import gettext, override

import sandbox_image
from studio.inspections import outcome, wording

TOOLS = Path(sandbox_image.__file__).parent / "tools"
WORDS = sorted({*wording.FINDINGS.values(), *wording.RULES.values(), *wording.FACTS.values()})
# What `**stretch(start, end)` stands for.
STRETCH = ("from", "to")


@cache
def codes() -> dict[str, list[set[str]]]:
    """Those that the tools in the image may tell, `report.fail("code", …)` and the like, and the
    names of the values that each has, wherever it is told."""
    found: dict[str, list[set[str]]] = defaultdict(list)
    for path in TOOLS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="fail" | "warn") | ast.Name(id="say"),
                    args=[ast.Constant(value=str(code)), _, *_],
                    keywords=values,
                ):
                    found[code].append(names(values))
                case ast.Call(
                    func=ast.Name(id="Unreadable"),
                    args=[_, ast.Constant(value=str(code))],
                    keywords=values,
                ):
                    found[code].append(names(values) | {"reason"})
                case ast.Dict(keys=keys, values=told):
                    pairs = zip(keys, told, strict=True)
                    named = {k.value: v for k, v in pairs if isinstance(k, ast.Constant)}
                    code = named.get("code")
                    if isinstance(code, ast.Constant) and isinstance(code.value, str):
                        found[code.value].append(set())
    return found


def names(values: list[ast.keyword]) -> set[str]:
    return {name for value in values for name in ([value.arg] if value.arg else STRETCH)}


def test_every_code_of_the_tools_has_words() -> None:
    assert len(codes()) > 45
    assert codes().keys() - wording.FINDINGS.keys() == set()


@pytest.mark.parametrize("code", sorted(codes()))
def test_words_are_filled_with_values_that_are_told(code: str) -> None:
    wanted = set(re.findall(r"%\((\w+)\)s", wording.FINDINGS[code]))
    assert [values for values in codes()[code] if not wanted <= values] == []


def test_every_rule_for_pages_has_words() -> None:
    tree = ast.parse((TOOLS / "checks" / "access.py").read_text())
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="RULES")], value=value):
                rules = {n.value for n in ast.walk(value) if isinstance(n, ast.Constant)}
                assert rules == wording.RULES.keys()
                return
    raise AssertionError("There are no rules.")


@pytest.mark.parametrize("text", WORDS)
def test_all_words_are_translated(text: str) -> None:
    with override("zh-hans"):
        assert gettext(text) != text


def test_every_reason_to_give_up_has_words() -> None:
    reasons = [value for value in vars(outcome).values() if isinstance(value, outcome.GivenUp)]
    assert {why.code for why in reasons} <= wording.FINDINGS.keys()


def finding(**changed: object) -> dict[str, object]:
    values = {"where": "inside", "from": 3.0, "to": 5.2}
    good = {"level": "warn", "code": "silence", "text": "silence inside: 3–5.2 s"}
    return {**good, "values": values, **changed}


def test_a_finding_is_told_in_the_readers_language() -> None:
    with override("en"):
        assert wording.remark(finding()) == "Silence from 3.0 to 5.2 s."
    with override("zh-hans"):
        assert wording.remark(finding()) == "3.0–5.2 秒没有声音。"


@pytest.mark.parametrize(
    "changed", [{"code": "unheard_of"}, {"values": {}}, {"values": {"from": None}}]
)
def test_without_words_or_values_the_english_text_is_told(changed: dict[str, object]) -> None:
    with override("zh-hans"):
        assert wording.remark(finding(**changed)) == "Silence inside: 3–5.2 s"


def test_a_rule_for_pages_is_told_in_the_readers_language() -> None:
    values = {"rule": "label", "help": "Form elements …", "number": 2, "example": "<input>"}
    told = finding(code="axe", text="Form elements …: <input>", values=values)
    with override("zh-hans"):
        assert wording.remark(told) == "表单字段没有标签（2 处，例如 <input>）"
    values["rule"] = "unheard-of"
    assert wording.remark(told) == "Form elements …: <input>"


def test_what_is_broken_comes_first() -> None:
    told = wording.remarks([finding(), finding(level="fail"), finding()])
    assert [remark.level for remark in told] == ["fail", "warn", "warn"]


def test_facts_have_names_and_units() -> None:
    found = {"seconds": 12.04, "size": "1920x1080", "faststart": True, "fonts": ["A", "B"], "x": ""}
    with override("zh-hans"):
        assert wording.facts(found) == [
            ("时长", "12.04 秒"),
            ("尺寸", "1920x1080"),
            ("立即播放", "是"),
            ("字体", "A, B"),
        ]
