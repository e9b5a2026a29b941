"""What can be measured is read from a request only where it is said plainly."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.expected import MOST_SECONDS, expected


@pytest.mark.parametrize(
    ("prompt", "seconds"),
    [
        ("a 30-second video about bees", 30),
        ("Make a 10 s loop of rain", 10),
        ("a two-minute calm piano piece", 120),
        ("Compose a 90 second tense orchestral film trailer cue", 90),
        ("a video of 15 seconds", 15),
        ("music for a wedding, 2 minutes long", 120),
        ("A one minute piece for harp", 60),
        ("Make an explainer video (45 s) about tides", 45),
        ("half a minute of music. a half a minute jingle", 30),
        ("An animation. Length: 12 seconds", 12),
        ("a calm piano piece for dusk in A minor, one minute", 60),
        ("做一个30秒的视频", 30),
        ("写一首两分钟的钢琴曲", 120),
        ("做一段十五秒的生日动画", 15),
        ("给小雨做一个生日倒计时视频，15秒，1080p", 15),
        ("一段循环音乐，时长一分半钟", 90),
        ("半分钟的短片", 30),
        # What is not the length of the thing.
        ("a poster that takes 30 seconds to read", None),
        ("a video for my 30-year-old brother", None),
        ("a video that shows the title for 3 seconds", None),
        ("a 5 minute walk from the station; make a video", None),
        ("a video of a 10 second countdown and then a 30-second video of the cake", None),
        ("the video starts at 19:30 on 12 May", None),
        ("a song about 60 seconds in the life of a fly", None),
        ("a map for a five minute speech", None),
        ("a 500 m race, and music for it", None),
        ("after 20 seconds the music swells", None),
        ("视频第3秒出现标题", None),
        ("视频里每5秒换一张图", None),
        ("晚上7点30分的音乐会海报", None),
        ("海报，阅读时间30秒", None),
    ],
)
def test_how_long(prompt: str, seconds: float | None) -> None:
    assert expected(prompt).seconds == seconds


@pytest.mark.parametrize(
    ("prompt", "size"),
    [
        ("a 1080p video", (1920, 1080)),
        ("A wallpaper, 2560x1440", (2560, 1440)),
        ("1920×1080 的壁纸", (1920, 1080)),
        ("a 4K wallpaper of the sea", (3840, 2160)),
        ("an icon, 64x64 pixels", (64, 64)),
        ("做一个 1080p 的视频，1920x1080", (1920, 1080)),
        ("an icon of 64x64", None),
        ("a 20x30 cm poster", None),
        ("a 1000x700 mm print", None),
        ("Posters in 1080x1080 and 1080x1920", None),
        ("a poster for the 4K run; a $4k budget", None),
        ("multiply 12x13", None),
    ],
)
def test_how_large(prompt: str, size: tuple[int, int] | None) -> None:
    assert expected(prompt).size == size


@pytest.mark.parametrize(
    ("prompt", "paper"),
    [
        ("an A3 poster", "A3"),
        ("Print-ready A4 PDF", "A4"),
        ("一张A3海报", "A3"),
        ("a flyer on US Letter", "Letter"),
        ("the report as a PDF (A4)", "A4"),
        ("not A4 but an A3 poster", "A3"),
        ("a map of the A4 from London to Bath", None),
        ("A4 and A3 posters", None),
        ("a piece in A minor at A4 = 440 Hz", None),
    ],
)
def test_on_which_paper(prompt: str, paper: str | None) -> None:
    assert expected(prompt).paper == paper


def test_bleed_is_only_expected_where_it_is_asked_for() -> None:
    assert expected("An A5 flyer as PDF with 3 mm bleed").bleed
    assert expected("A3 海报，四边出血 3mm").bleed
    assert not expected("a poster about how wounds bleed").bleed


def test_what_it_says_is_what_the_tools_are_told() -> None:
    asked = expected("a 30-second video in 1080p")
    assert json.dumps(asked.data()) == '{"seconds": 30.0, "size": [1920, 1080]}'
    assert expected("a nice picture").data() == {}


PIECES = st.sampled_from(
    [
        *"0123456789.:x× ,-（）半½²٣\ud83d",
        *(" 30", " second", " video", "秒", "分钟", "两", "十", "视频", "1080p", " A3", " poster"),
    ]
)


@given(st.text(max_size=300) | st.lists(PIECES, max_size=30).map("".join))
def test_any_text_gives_something_sane(prompt: str) -> None:
    asked = expected(prompt)
    assert asked.seconds is None or 0 < asked.seconds <= MOST_SECONDS
    assert asked.seconds is None or math.isfinite(asked.seconds)
    assert asked.size is None or all(16 <= side <= 20_000 for side in asked.size)
    assert asked.paper in {None, "A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter"}
    json.dumps(asked.data())
