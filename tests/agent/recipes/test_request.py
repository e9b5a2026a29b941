"""What a request says, in English and Chinese, and how a follow-up changes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.recipes import looks, reading
from agent.recipes.reading import Day
from agent.recipes.request import Request, Size


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("about one minute", 60),
        ("a 90-second march", 90),
        ("a minute and a half", 90),
        ("two and a half minutes", 150),
        ("30s of music", 30),
        ("half a minute", 30),
        ("一分半", 90),
        ("1分30秒", 90),
        ("半分钟", 30),
        ("十五秒", 15),
        ("一个半分钟", 90),
        ("a poster for our team", None),
    ],
)
def test_durations_are_read_as_seconds(text: str, seconds: float | None) -> None:
    assert reading.seconds(text) == seconds


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("a march titled Iron Road in D major", "Iron Road"),
        ("a video: 'Summer in Norway', 6 s", "Summer in Norway"),
        ("a song called “Don’t stop”", "Don’t stop"),
        ("题目叫《春江》，给小雨", "春江"),
        ("标题：海边的一天。A3", "海边的一天"),
        ("Lily's birthday", None),
    ],
)
def test_a_title_is_given_by_words_or_quotation_marks(text: str, title: str | None) -> None:
    assert reading.title(text) == title


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a card for Lily and Tom Baker", ("Lily", "Tom Baker")),
        ("Anna's birthday party", ("Anna",)),
        ("for Zoë and Élodie Müller, who turn six", ("Zoë", "Élodie Müller")),
        ("给小雨做生日倒计时视频", ("小雨",)),
        ("请为李雷和韩梅梅做婚礼请柬", ("李雷", "韩梅梅")),
        ("给奶奶写生日卡片", ("奶奶",)),
        ("a card for my team in December", ()),
    ],
)
def test_names_are_those_it_is_for(text: str, names: tuple[str, ...]) -> None:
    assert reading.names(text) == names


def test_dates_and_times_are_read_in_both_languages() -> None:
    assert reading.days("on June 12, 2027 or 13 July") == (Day(6, 12, 2027), Day(7, 13))
    assert reading.days("2027年5月20日，十月一日") == (Day(5, 20, 2027), Day(10, 1))
    assert reading.times("at 3:30 pm and 19:05") == ((15, 30), (19, 5))
    assert reading.times("下午3点半，晚上八点") == ((15, 30), (20, 0))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1080p", Size(1920, 1080, "px")),
        ("竖屏 1080p", Size(1080, 1920, "px")),
        ("2000x3000 px", Size(2000, 3000, "px")),
        ("A3 landscape", Size(420, 297, "mm")),
        ("A2 海报", Size(420, 594, "mm")),
        ("in A4 minor paper", None),
        ("a piano piece in A minor", None),
    ],
)
def test_sizes_are_pixels_or_paper(text: str, size: Size | None) -> None:
    assert looks.size(text) == size


def test_the_longest_colour_word_counts_and_titles_do_not() -> None:
    assert looks.colours("dark blue and gold, “Red Nights”, #ff0") == (
        "#1d2f6f", "#c9a13b", "#ffff00",
    )  # fmt: skip
    assert looks.colours("改成蓝色和金色") == ("#2b6fd6", "#c9a13b")


def test_a_follow_up_changes_what_it_says_and_keeps_the_rest() -> None:
    first = "Make a poster titled Open Sea, 1080p, in blue"
    request = Request((first, "make it 30 seconds and red"))
    assert (request.title, request.seconds) == ("Open Sea", 30)
    assert request.colours == ("#d43a3a",)
    assert request.size == Size(1920, 1080, "px")
    assert request.seed == Request((first,)).seed


def test_a_new_wish_does_not_inherit_from_the_one_before() -> None:
    request = Request(("Make a poster titled Open Sea", "compose a waltz for Anna"))
    assert request.title == ""
    assert request.chain == ("compose a waltz for Anna",)


def test_another_one_gets_another_seed() -> None:
    first = "写一首圆舞曲"
    assert Request((first, "再来一首")).seed != Request((first,)).seed
    assert Request(("写一首进行曲",)).seed != Request((first,)).seed


def test_the_answer_is_in_the_users_language_and_the_work_in_the_asked_one() -> None:
    request = Request(("给妈妈做一张生日贺卡", "换成英文"))
    assert (request.lang, request.speaks) == ("en", "zh")
    assert Request(("make a card for “小雨”",)).lang == "en"


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    request = Request((text or "?", text or "?"), (text,))
    read = (
        request.title, request.names, request.days, request.times, request.numbers,
        request.seconds, request.size, request.shape, request.colours, request.moods,
        request.lang, request.seed, request.quotes,
    )  # fmt: skip
    assert len(read) == 13
    assert request.seconds is None or request.seconds > 0
    assert all(1 <= day.month <= 12 and 1 <= day.day <= 31 for day in request.days)


@pytest.mark.parametrize(
    "text", ["一" * 20_000, "for Anna and " * 1_500, "“" * 20_000, "1" * 20_000]
)
def test_long_hostile_text_is_read_without_backtracking_for_ever(text: str) -> None:
    request = Request((text,))
    assert request.names is not None
    assert request.title is not None
    assert isinstance(request.times, tuple)
    assert request.colours == ()
