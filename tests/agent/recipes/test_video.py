"""The video recipe: what it reads from requests, and the films it makes."""

from __future__ import annotations

import base64
import io
import itertools
import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from agent import DockerSandbox
from agent.events import ToolFinished
from agent.recipes.request import Request
from agent.recipes.video import LONGEST, PIXELS, RECIPE, age_of, counts_of, theme_of, timing
from agent.sandbox import Printed
from tests.agent.recipes.conftest import RunRecipe, written


def read(*texts: str) -> dict[str, Any]:
    return RECIPE.parameters(Request(texts))


def test_a_full_chinese_request_is_read() -> None:
    made = read(
        "给我女儿小雨做一个生日倒计时视频：从10数到1，最后出现“小雨 6岁 生日快乐！”，"
        "要有气球和彩带，1080p，mp4，大约15秒，能在微信里直接播放。"
    )
    assert made["kind"] == "countdown"
    assert made["lang"] == "zh"
    assert made["theme"] == "party"
    assert (made["from"], made["to"], made["count"]) == (10, 1, 1.0)
    assert (made["duration"], made["reveal"]) == (15, 10)
    assert (made["width"], made["height"]) == (1920, 1080)
    assert made["headline"] == "小雨 6岁 生日快乐！"
    assert made["caption"] == "小雨的生日倒计时"
    assert made["candles"] == 6


def test_an_english_launch_fills_in_what_is_not_said() -> None:
    made = read("10-second countdown to the launch of Aurora, 720p")
    assert (made["theme"], made["headline"], made["lang"]) == ("space", "Aurora", "en")
    assert (made["duration"], made["from"], made["height"]) == (10, 10, 720)
    assert made["reveal"] < 10
    assert made["files"] == {"video": "aurora.mp4", "cover": "aurora-cover.jpg"}


def test_a_title_film_has_no_counts() -> None:
    made = read("A 6 s title video: 'Summer in Norway'")
    assert made["kind"] == "title"
    assert made["headline"] == "Summer in Norway"
    assert (made["duration"], made["season"], made["water"]) == (6, "summer", True)


def test_words_are_made_up_only_from_names_and_dates_of_the_request() -> None:
    assert read("婚礼片头，李雷和韩梅梅，2027年5月1日")["headline"] == "李雷 & 韩梅梅"
    assert read("婚礼片头，李雷和韩梅梅，2027年5月1日")["below"] == "2027年5月1日"
    assert read("birthday countdown video for Lily, who turns 3")["headline"] == (
        "Happy 3rd Birthday\nLily!"
    )
    assert read("Intro for my cooking channel")["headline"] == "Cooking Channel"


@pytest.mark.parametrize(
    ("text", "headline", "below"),
    [
        ("给奶奶80大寿做一个祝福视频", "奶奶 80岁\n生日快乐！", "福如东海　寿比南山"),
        ("给爸爸60岁生日做个祝福短片", "爸爸 60岁\n生日快乐！", "福如东海　寿比南山"),
        ("给女儿小雨6岁生日做倒计时视频，15秒竖屏", "小雨 6岁\n生日快乐！", ""),
        ("Birthday video for grandma Rosa, 80 years old", "Happy 80th Birthday\nRosa!", ""),
        ("countdown video for our product launch Aurora, 20 seconds", "Aurora", ""),
        ("婚礼开场视频 李雷和韩梅梅 2027年5月1日", "李雷 & 韩梅梅", "2027年5月1日"),
        ("朋友小李和小王订婚视频", "小李 & 小王", ""),
        ("New Year 2027 countdown video", "Happy New Year 2027", ""),
        ("video to congratulate Emma on her graduation", "Congratulations\nEmma", ""),
        ("intro video: Cooking with Pia, subtitle: simple food", "Cooking with Pia", "simple food"),
        ("给宝宝百日宴做个开场视频，宝宝叫糖糖", "糖糖\n百日快乐！", ""),
        ("公司年会开场视频，公司名：云帆科技", "云帆科技\n公司年会", ""),
        ("春节拜年视频 祝大家龙年大吉", "龙年大吉", ""),
        ("5秒片头动画：城市骑行", "城市骑行", ""),
        ("国庆节祝福视频，8秒", "国庆节快乐", ""),
        ("旅行视频片头 云南之旅 副标题：大理·丽江", "云南之旅", "大理·丽江"),
        ("十秒倒计时，火箭发射", "火箭发射", "发射成功"),
    ],
)
def test_the_words_shown_are_those_of_the_request(text: str, headline: str, below: str) -> None:
    made = read(text)
    assert (made["headline"], made["below"]) == (headline, below)


def test_follow_ups_override_and_keep_the_files_names() -> None:
    first = read("给小雨做生日倒计时视频，6岁，15秒 1080p")
    upright = read("给小雨做生日倒计时视频，6岁，15秒 1080p", "改成竖屏，紫色，12秒")
    english = read("给小雨做生日倒计时视频，6岁，15秒 1080p", "换成英文")
    assert (upright["width"], upright["height"], upright["duration"]) == (1080, 1920, 12)
    assert upright["colours"]
    assert upright["headline"] == first["headline"]
    assert upright["files"] == first["files"]
    assert english["headline"] == "Happy 6th Birthday\n小雨!"
    assert english["files"]["video"] == first["files"]["video"]


@pytest.mark.parametrize(
    ("follow_up", "changed"),
    [
        ("make it vertical", {"width": 1080, "height": 1920}),
        ("30 seconds", {"duration": 30}),
        ("make it square and blue", {"width": 1080, "height": 1080, "colours": ["#2b6fd6"]}),
        ("改成竖屏", {"width": 1080, "height": 1920}),
        ("count from 5 to 1 instead", {"from": 5, "to": 1}),
        ("change the title to 'Aurora is here'", {"headline": "Aurora is here"}),
    ],
)
def test_the_model_writes_new_parameters_for_a_follow_up(
    follow_up: str, changed: dict[str, Any]
) -> None:
    first = "countdown video for our product launch Aurora, 20 seconds"
    made, again = written(first), written(first, follow_up)
    assert {key: again[key] for key in changed} == changed
    assert again["files"] == made["files"]
    assert again["theme"] == made["theme"]


@pytest.mark.parametrize(
    ("text", "theme"),
    [
        ("做一个春节倒计时视频", "festival"),
        ("Merry Christmas title video", "christmas"),
        ("跨年倒计时", "newyear"),
        ("count down to the marathon", "sport"),
        ("公司年度总结片头", "minimal"),
        ("科幻火箭发射倒计时", "space"),
        ("a calm film about mountains", "nature"),
    ],
)
def test_theme_follows_the_words(text: str, theme: str) -> None:
    assert theme_of(text) == theme


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("from 5 to 1", (5, 1)),
        ("从十数到一", (10, 1)),
        ("10→0", (10, 0)),
        ("count down from 20", (20, 1)),
        ("30秒倒计时", (30, 1)),
        ("10秒新年倒计时", (10, 1)),
        ("10-second New Year countdown", (10, 1)),
        ("5 4 3 2 1 countdown", (5, 1)),
        ("30秒的倒计时，从10开始", (10, 1)),
        ("圣诞倒计时，数到0", (10, 0)),
        ("2027, 2026, 12, 3", None),
        ("open from 9 to 17", None),
    ],
)
def test_counts_are_read_from_digits_and_words(text: str, counts: tuple[int, int] | None) -> None:
    assert counts_of(text) == counts


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("6岁", 6),
        ("十岁生日", 10),
        ("turns 7", 7),
        ("her 21st birthday", 21),
        ("first birthday", 1),
    ],
)
def test_age_is_read(text: str, age: int) -> None:
    assert age_of(text) == age


@pytest.mark.parametrize("seconds", [None, 0.5, 4, 10, 15, 30, 60, 500])
@pytest.mark.parametrize("counts", [None, (3, 1), (10, 1), (10, 0), (60, 1)])
def test_timing_always_leaves_time_to_count_and_to_read(
    seconds: float | None, counts: tuple[int, int] | None
) -> None:
    times = timing(seconds, counts)
    numbers = times["from"] - times["to"] + 1
    assert numbers >= 1
    assert 0.39 <= times["count"] <= 1
    assert times["reveal"] - numbers * times["count"] >= -0.01
    assert times["duration"] - times["reveal"] >= 1.1
    assert times["duration"] <= LONGEST


def test_size_is_never_larger_than_1080p_has_pixels() -> None:
    made = read("countdown video in 4k")
    assert made["width"] * made["height"] <= PIXELS
    square = read("square countdown video for instagram")
    assert square["width"] == square["height"]


@pytest.mark.parametrize("text", ["", "视频", "倒计时", "video 0 s", "“”片头", "🎉🎂 video 🎈"])
def test_poor_requests_still_give_a_film(text: str) -> None:
    made = read(text or " ")
    assert made["headline"].strip()
    assert made["files"]["video"].removesuffix(".mp4")
    json.dumps(made)


def printed(film: Path, command: str) -> str:
    """What a command of the image says about the film, which it sees as `film.mp4`."""
    with DockerSandbox() as sandbox:
        sandbox.write("/workspace/film.mp4", [film.read_bytes()])
        items = list(sandbox.run(f"cd /workspace && {command}", 60))
    return b"".join(item.data for item in items if isinstance(item, Printed)).decode()


def top_boxes(film: Path) -> list[bytes]:
    """The kinds of an MP4 file's outermost boxes, in order."""
    data, at, kinds = film.read_bytes(), 0, []
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        kinds.append(kind)
        at += size or len(data)
    return kinds


def assert_plays_everywhere(film: Path, seconds: float, width: int, height: int) -> None:
    said = printed(
        film,
        "ffprobe -v error -show_streams -show_format -of json film.mp4 && echo ---- && "
        "ffmpeg -hide_banner -nostats -i film.mp4 "
        "-af ebur128=framelog=quiet:peak=true -f null - 2>&1",
    )
    facts, levels = said.split("----")
    found = json.loads(facts)
    picture, sound = found["streams"]
    assert (picture["codec_name"], picture["profile"]) == ("h264", "High")
    assert (picture["pix_fmt"], picture["color_space"]) == ("yuv420p", "bt709")
    assert (picture["width"], picture["height"]) == (width, height)
    assert picture["r_frame_rate"] == "30/1"
    assert (sound["codec_name"], sound["sample_rate"], sound["channels"]) == ("aac", "48000", 2)
    assert float(found["format"]["duration"]) == pytest.approx(seconds, rel=0.05)
    assert float(sound["duration"]) == pytest.approx(seconds, rel=0.05)
    assert top_boxes(film).index(b"moov") < top_boxes(film).index(b"mdat")
    summary = levels[levels.rindex("Integrated loudness") :]
    loudness, peak = (
        float(re.findall(rf"{name}:\s+(-?[\d.]+)", summary)[0]) for name in ("I", "Peak")
    )
    assert -16.5 <= loudness <= -13.5
    assert peak <= -0.5


def distance(first: Image.Image, second: Image.Image) -> float:
    """The mean difference of two pictures, 0 to 255."""
    difference = ImageChops.difference(first.convert("RGB"), second.convert("RGB"))
    return float(sum(ImageStat.Stat(difference).mean) / 3)


@pytest.mark.engine
def test_an_english_title_film_plays_everywhere(run_recipe: RunRecipe) -> None:
    _, folder = run_recipe("A 4 s title video: 'Summer in Norway', 640x360")
    film = folder / "summer-in-norway.mp4"
    assert_plays_everywhere(film, 4, 640, 360)
    cover = Image.open(folder / "summer-in-norway-cover.jpg")
    assert cover.size == (640, 360)
    assert cover.resize((64, 36)).getcolors(200) is None  # more than 200 colours


@pytest.mark.engine
def test_a_chinese_countdown_shows_its_numbers_and_then_its_words(run_recipe: RunRecipe) -> None:
    asked = "给小雨做一个生日倒计时视频，从3数到1，6岁，6秒，360x640"
    events, folder = run_recipe(asked)
    film = folder / "小雨生日.mp4"
    assert_plays_everywhere(film, 6, 360, 640)
    assert any("frame 180/180" in e.output for e in events if isinstance(e, ToolFinished))
    stills = printed(
        film,
        "for t in 0.5 1.5 2.5 5; do "
        "ffmpeg -v error -ss $t -i film.mp4 -frames:v 1 -f image2pipe -c:v png - | base64 -w0; "
        "echo; done",
    )
    frames = [Image.open(io.BytesIO(base64.b64decode(line))) for line in stills.split()]
    dial = (90, 260, 270, 420)
    numbers = [frame.crop(dial) for frame in frames]
    assert all(distance(a, b) > 12 for a, b in itertools.combinations(numbers, 2))
