"""What was found is told in the reader's language, and in English where words are missing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.utils.translation import gettext, override

import sandbox_image
from studio.inspections import outcome, wording

TOOLS = Path(sandbox_image.__file__).parent / "tools"


def codes() -> set[str]:
    """Those that the tools in the image may tell: `report.fail("code", …)` and the like."""
    found: set[str] = set()
    for path in TOOLS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr="fail" | "warn"),
                    args=[ast.Constant(value=str(code)), _, *_],
                ):
                    found.add(code)
                case ast.Call(
                    func=ast.Name(id="Unreadable"), args=[_, ast.Constant(value=str(code))]
                ):
                    found.add(code)
                case ast.Dict(keys=keys, values=values):
                    pairs = zip(keys, values, strict=True)
                    named = {k.value: v for k, v in pairs if isinstance(k, ast.Constant)}
                    code = named.get("code")
                    if isinstance(code, ast.Constant) and isinstance(code.value, str):
                        found.add(code.value)
    return found


def test_every_code_of_the_tools_has_words() -> None:
    assert len(codes()) > 30
    assert codes() - wording.FINDINGS.keys() == set()


@pytest.mark.parametrize("text", [*wording.FINDINGS.values(), *wording.FACTS.values()])
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
