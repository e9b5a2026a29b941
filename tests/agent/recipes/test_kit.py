"""The scripts' kit, as far as it needs no fonts: lines, colour, texts, how a script ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.recipes.kit import colour, script
from agent.recipes.kit.lines import fit, wrap
from agent.recipes.kit.text import decoded
from agent.recipes.kit.type import Face, is_cjk
from agent.recipes.kit.upright import chinese_date, chinese_number, vertical


class Monospaced:
    """A face in which a Chinese character is one size wide and any other half of one."""

    def width(self, text: str, size: float, tracking: float = 0) -> float:
        return sum(size if is_cjk(char) else size / 2 for char in text)


FACE = cast(Face, Monospaced())


def test_titles_break_between_words_of_equal_lines() -> None:
    assert fit("Ocean Data Summit 2027", FACE, 60, 40, 20).lines == ["Ocean Data", "Summit 2027"]


@pytest.mark.parametrize(
    "words",
    [
        "第三届 青年 科技 创新 大会",
        "我们的 社区 春节 联欢 晚会",
        "小雨 6岁 生日 派对",
        "热烈 庆祝 第十届 全市 中小 学生 科技 创新 大赛 隆重 开幕",
    ],
)
@pytest.mark.parametrize("width", [50, 60, 80, 120])
def test_chinese_titles_break_between_words(words: str, width: int) -> None:
    ends = {"".join(words.split()[:count]) for count in range(1, len(words.split()) + 1)}
    lines = fit("".join(words.split()), FACE, width, 40, 40).lines
    assert all("".join(lines[:count]) in ends for count in range(1, len(lines) + 1)), lines


def test_a_title_never_exceeds_its_box() -> None:
    setting = fit("The Annual Riverside Community Garden Plant Sale", FACE, 80, 30, 20)
    assert all(FACE.width(line, setting.size) <= 80.001 for line in setting.lines)
    assert setting.height <= 30.001


def test_chinese_punctuation_never_begins_or_ends_a_line_wrongly() -> None:
    text = "请带上一个水杯，一盘点心（自制的更好），和一位朋友；茶由我们准备。“欢迎！”"
    for width in range(30, 120, 7):
        for line in wrap(text, FACE, 10, width).lines[1:]:
            assert line[0] not in "，。；！）”"
        for line in wrap(text, FACE, 10, width).lines[:-1]:
            assert line[-1] not in "（“"


@given(st.text(alphabet="ab 中文，。“（-\n", max_size=60), st.integers(5, 200))
def test_wrapping_loses_no_character_and_fits(text: str, width: int) -> None:
    setting = wrap(text, FACE, 10, width)
    assert "".join("".join(setting.lines).split()) == "".join(text.split())
    for line in setting.lines:
        assert len(line) == 1 or FACE.width(line, 10) <= max(width, 10) or len(line.split()) == 1


def test_upright_text_has_upright_punctuation_and_chinese_figures() -> None:
    assert vertical("《春》，开 始！") == "︽春︾︐开始︕"
    assert chinese_date("2027年2月16日18时") == "二〇二七年二月十六日十八时"
    assert [chinese_number(n) for n in (0, 9, 10, 16, 20, 31)] == [
        "〇", "九", "十", "十六", "二十", "三十一",
    ]  # fmt: skip


def test_contrast_is_that_of_wcag() -> None:
    assert colour.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert colour.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@given(st.integers(0, 0xFFFFFF), st.integers(0, 0xFFFFFF))
def test_readable_colours_can_be_read_on_any_ground(wanted: int, ground: int) -> None:
    result = colour.readable(f"#{wanted:06x}", f"#{ground:06x}", 4.5)
    assert colour.contrast(result, f"#{ground:06x}") >= 4.5


@given(st.lists(st.integers(0, 0xFFFFFF).map("#{:06x}".format), min_size=1, max_size=5))
def test_a_palette_of_any_colours_keeps_them_and_has_dark_and_light(given_: list[Any]) -> None:
    base = colour.PALETTES["ocean"][0]
    palette = colour.from_colours(given_, base)
    used = {palette.deep, palette.primary, palette.second, palette.accent, palette.light}
    assert colour.lightness(palette.light) > 0.85
    assert colour.lightness(palette.deep) < 0.4
    vivid = [c for c in given_ if 0.22 <= colour.lightness(c) <= 0.9]
    assert set(vivid[:1]) <= used


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("Café 雪".encode("utf-8-sig"), ("Café 雪", "utf-8-sig")),
        ("雪落下来".encode("gbk"), ("雪落下来", "gb18030")),
        ("Café 雪".encode("utf-16"), ("Café 雪", "utf-16")),
        ("Café, “one”".encode("cp1252"), ("Café, “one”", "cp1252")),
        (b"", ("", "utf-8-sig")),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", None),
        (b"\xff\xfea", None),
    ],
)
def test_texts_are_read_in_the_encodings_that_people_save(
    data: bytes, found: tuple[str, str] | None
) -> None:
    assert decoded(data) == found


def test_a_script_that_cannot_use_what_it_is_given_ends_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    order = tmp_path / "recipe.json"
    order.write_text(json.dumps({"title": "雪"}), "utf-8")
    monkeypatch.setattr(sys, "argv", ["make.py", str(order)])
    made: list[dict[str, Any]] = []
    script.run(made.append)
    assert made == [{"title": "雪"}]

    def refuse(want: dict[str, Any]) -> None:
        raise script.Unusable(f"{want['title']} is empty")

    with pytest.raises(SystemExit) as ended:
        script.run(refuse)
    assert ended.value.code == 2
    assert capsys.readouterr().err == "error: 雪 is empty\n"
