"""Which guides the model is given, and what an operator can put in their place."""

from pathlib import Path

import pytest

from agent.conversation import asked, system_prompt
from agent.inputs import Exchange
from agent.limits import Limits
from agent.prompts import BrokenPrompt, Prompts, built_in
from agent.sandbox.confinement import Confinement

OURS = ["data", "documents", "music", "page", "print", "video"]


def names(*texts: str) -> list[str]:
    return [guide.name for guide in built_in().guides(texts)]


@pytest.mark.parametrize(
    ("request_", "guide"),
    [
        ("Plan three days in Tokyo as an interactive map in one web page", "page"),
        ("Make me a snake game in one HTML file that keeps the high score", "page"),
        ("做一个网页介绍我的猫", "page"),
        ("东京三日游地图", "page"),
        ("一个贪吃蛇小游戏", "page"),
        ("A poster for our spring concert", "print"),
        ("Birthday cards for my grandmother", "print"),
        ("六一儿童节海报", "print"),
        ("给老师的贺卡", "print"),
        ("A countdown video for New Year", "video"),
        ("给我女儿做一个生日倒计时视频", "video"),
        ("Compose a calm piano piece in A minor, with the MIDI and a lead sheet", "music"),
        ("写一首摇篮曲，要简谱", "music"),
        ("Turn sales.csv into charts", "data"),
        ("分析这份销售数据", "data"),
        ("Summarise this contract and quote what it says on notice", "documents"),
        ("翻译这份合同", "documents"),
        ("Slides about photosynthesis", "documents"),
        ("做一份关于光合作用的PPT", "documents"),
    ],
)
def test_a_typical_request_is_given_its_guide_first(request_, guide):
    assert names(request_)[0] == guide


@pytest.mark.parametrize(
    "request_", ["hello", "你好", "Thank you!", "", "What is six times seven?"]
)
def test_small_talk_is_given_none(request_):
    assert names(request_) == []


def test_a_request_for_two_kinds_is_given_both_and_never_more():
    assert set(names("给女儿做一个视频，配上欢快的背景音乐")) == {"video", "music"}
    assert len(names("A poster, a video, music, a csv and a map in a web page with slides")) == 2


def test_a_word_within_another_does_not_count():
    assert names("Explain mapping of scorecards to a databasement") == []


def test_a_follow_up_without_a_word_has_the_guide_of_what_was_made():
    history = [Exchange("A waltz for piano", "Done.", ("waltz.wav",)), Exchange("Hello", "Hi.")]
    assert names(*asked("Slower, please", [], history)) == ["music"]
    assert names(*asked("Now a poster for it", [], history)) == ["print", "music"]
    assert names(*asked("More blue", [], [Exchange("Ours", "", ("海报.html",))])) == [
        "page",
        "print",
    ]


def test_files_that_are_given_count():
    assert names(*asked("What do you make of this?", ["sales.xlsx"], [])) == ["data"]


def prompt(*texts: str, prompts: Prompts | None = None) -> str:
    return system_prompt(Limits(), Confinement(), sees=False, prompts=prompts, asked=texts)


def test_the_guide_is_added_to_the_general_prompt():
    general, whole = prompt("hello"), prompt("A countdown video")
    assert "# Guide" not in general
    assert whole.startswith(general)
    assert "\n\n# Guide: videos and animations\n" in whole
    assert "words:" not in whole


def test_the_same_request_gives_the_same_bytes():
    assert prompt("A video", "A map") == prompt("A video", "A map", prompts=Prompts())


@pytest.mark.parametrize("name", OURS)
def test_each_guide_is_dense(name):
    lines = (Path("agent/prompts") / f"{name}.md").read_text(encoding="utf-8").splitlines()
    assert 20 <= len(lines) <= 50


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_an_operators_guide_is_added(tmp_path):
    folder = write(
        tmp_path, "knit.md", "---\nwords: knit(?:ting)?,\n  编织\n---\nCount stitches.\n"
    )
    prompts = Prompts(folder)
    assert "Count stitches." in prompt("编织一条围巾的图样", prompts=prompts)
    assert "Count stitches." in prompt("A KNITTING pattern", prompts=prompts)
    assert "# Guide: videos" in prompt("A video", prompts=prompts)


def test_an_operators_file_replaces_ours_of_the_same_name(tmp_path):
    write(tmp_path, "general.md", "You have $turns turns.")
    folder = write(
        tmp_path, "video.md", "\ufeff---\r\nwords: talkies\r\n---\r\nShoot on film: $5.\r\n"
    )
    prompts = Prompts(folder)
    assert prompt("A video", prompts=prompts) == "You have 100 turns."
    assert prompt("Talkies", prompts=prompts) == "You have 100 turns.\n\nShoot on film: $5."


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("x.md", "Knit well.", "does not begin with the words"),
        ("x.md", "---\ntitle: Knitting\n---\nKnit well.", "does not begin with the words"),
        ("x.md", "---\nwords: ,\n---\nKnit well.", "does not begin with the words"),
        ("x.md", "---\nwords: knit(\n---\nKnit well.", "'knit(' is no regular expression"),
        ("x.md", "---\nwords: knit\n---\n" + "x" * 50_000, "has over 40,000 characters"),
        ("general.md", "It costs $5.", "a $ that stands for nothing"),
        ("general.md", "For $name.", "$name, which nothing fills in. There are: command_seconds"),
    ],
)
def test_a_broken_file_is_named(tmp_path, name, text, told):
    with pytest.raises(BrokenPrompt) as caught:
        Prompts(write(tmp_path, name, text))
    assert told in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_what_is_no_text_and_no_folder_is_named(tmp_path):
    with pytest.raises(BrokenPrompt, match="no folder"):
        Prompts(tmp_path / "away")
    (tmp_path / "x.md").write_bytes(b"\xff\xfe")
    with pytest.raises(BrokenPrompt, match=r"x\.md cannot be read as UTF-8 text"):
        Prompts(tmp_path)
