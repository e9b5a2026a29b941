"""The card recipe: requests to words, and real cards from the real sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfReader

from agent.events import Event, ToolFinished
from agent.recipes.card import RECIPE
from agent.recipes.request import Request
from tests.agent.recipes.conftest import RunRecipe

MILLIMETRE = 72 / 25.4


def asked(*texts: str) -> dict[str, Any]:
    return RECIPE.parameters(Request(texts))


def test_a_birthday_card_knows_whom_it_is_for_and_from() -> None:
    card = asked("a birthday card for Lily who turns 6, from Grandma and Grandpa")
    assert (card["occasion"], card["folded"]) == ("birthday", True)
    assert card["front"]["heading"] == "Happy Birthday"
    assert card["front"]["names"] == "Lily, 6 today"
    assert card["inside"]["greeting"] == "Dear Lily,"
    assert card["inside"]["signature"] == "With love, Grandma and Grandpa"
    assert len(card["inside"]["message"]) > 20


def test_a_chinese_card_takes_style_message_and_signature() -> None:
    card = asked("父亲节贺卡，送给爸爸，水墨风格，写上：“爸爸，谢谢您一直以来的支持！”，落款：小宇")
    assert (card["occasion"], card["style"], card["lang"]) == ("father", "ink", "zh")
    assert card["front"]["names"] == "爸爸"
    assert card["inside"] == {
        "greeting": "亲爱的爸爸：",
        "message": "爸爸，谢谢您一直以来的支持！",
        "signature": "小宇 敬上",
    }


def test_invitations_say_what_when_and_where() -> None:
    wedding = asked(
        "Design a wedding invitation for the wedding of Anna and Tom on Saturday 12 June 2027 "
        "at 3 pm at Hollow Farm, dinner and dancing to follow"
    )
    assert wedding["front"]["heading"] == "Anna & Tom"
    assert wedding["front"]["lines"] == [
        "Saturday 12 June 2027, 3 pm",
        "Hollow Farm",
        "Dinner and dancing to follow",
    ]
    assert wedding["inside"] is None
    party = asked("给小雨做一张六岁生日派对邀请函，5月20日下午3点，在阳光小区会所举行")
    assert party["title"] == "小雨6岁生日派对"
    assert party["front"]["lines"] == ["5月20日 下午3点", "阳光小区会所"]


@pytest.mark.parametrize(
    ("text", "heading", "lines"),
    [
        (
            "A wedding invitation for Anna and Tom, 12 June 2027, 3 pm, Rose Garden. RSVP by 1 May",
            "Anna & Tom",
            ["12 June 2027, 3 pm", "Rose Garden", "RSVP by 1 May"],
        ),
        (
            "Birthday invitation for Mia, turning 7, 8 May 2027, 3 pm, 12 Oak Street. RSVP to Anna",
            "Mia’s 7th Birthday Party",
            ["8 May 2027, 3 pm", "12 Oak Street", "RSVP to Anna"],
        ),
        (
            "请柬：李雷和韩梅梅的婚礼，2027年5月1日中午12点，和平饭店，请于4月20日前回复",
            "李雷 & 韩梅梅",
            ["2027年5月1日 中午12点", "和平饭店", "请于4月20日前回复"],
        ),
    ],
)
def test_who_is_to_reply_by_when_stays_apart(text: str, heading: str, lines: list[str]) -> None:
    front = asked(text)["front"]
    assert (front["heading"], front["lines"]) == (heading, lines)


def test_a_couple_keeps_its_names_and_an_engagement_is_no_wedding() -> None:
    wedding = asked("Invitation for Nina and Paul's wedding. RSVP to nina@mail.example")["front"]
    assert wedding["heading"] == "Nina & Paul"
    assert wedding["lines"] == ["RSVP to nina@mail.example"]
    engaged = asked("Engagement party invitation for Priya and Sam, 3 June 2027")["front"]
    assert engaged["heading"] == "Priya & Sam"
    assert engaged["intro"] != wedding["intro"]


def test_words_to_be_written_are_the_message() -> None:
    card = asked("给妈妈做一张生日贺卡，落款：小明，写上祝您健康快乐")
    assert card["inside"]["message"] == "祝您健康快乐"


def test_follow_ups_change_style_and_colour_and_keep_the_words() -> None:
    first = "给妈妈做一张生日贺卡，落款：小明"
    changed = asked(first, "换成水墨风格", "用红色")
    assert changed["style"] == "ink"
    assert changed["colours"] == ["#d43a3a"]
    assert changed["inside"]["signature"] == "小明 敬上"
    assert changed["files"] == asked(first)["files"]


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("a thank-you card for Dr. Patel", True),
        ("做一张婚礼请柬", True),
        ("write a card game", False),
        ("a map of Oslo", False),
    ],
)
def test_requests_for_cards_are_recognised(text: str, certain: bool) -> None:
    assert (RECIPE.fits(Request((text,))) >= 0.5) is certain


def sheet(path: Path) -> tuple[int, tuple[float, float], tuple[float, float], str, set[str]]:
    """Pages, paper and trimmed size in mm, all text, and fonts that are not embedded."""
    reader = PdfReader(path)
    page = reader.pages[0]
    paper = (float(page.mediabox.width), float(page.mediabox.height))
    trim = (float(page.trimbox.width), float(page.trimbox.height))
    words = "".join(page.extract_text() for page in reader.pages)
    resources: list[Any] = [page["/Resources"] for page in reader.pages]
    fonts = [font.get_object() for page in resources for font in page["/Font"].values()]
    loose = {str(font["/BaseFont"]) for font in fonts if not _embedded(font)}
    return (
        len(reader.pages),
        (paper[0] / MILLIMETRE, paper[1] / MILLIMETRE),
        (trim[0] / MILLIMETRE, trim[1] / MILLIMETRE),
        "".join(words.split()),
        loose,
    )


def _embedded(font: Any) -> bool:
    if font["/Subtype"] == "/Type0":
        font = font["/DescendantFonts"][0].get_object()
    descriptor = font["/FontDescriptor"].get_object()
    return any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3"))


def check_passed(events: list[Event]) -> bool:
    """Whether the image's own check of the files found nothing."""
    checks = [e for e in events if isinstance(e, ToolFinished) and e.call.startswith("check")]
    return len(checks) == 1 and not checks[0].failed


@pytest.mark.engine
def test_an_english_invitation_prints_with_bleed_and_its_fonts(run_recipe: RunRecipe) -> None:
    events, folder = run_recipe(
        "a floral invitation card for the wedding of Maya and Jonathan, 4 September 2027 "
        "at 2:30 pm at St Mary's Church, 5x7 inches"
    )
    pages, paper, trim, words, loose = sheet(folder / "invitation.pdf")
    assert pages == 1
    assert paper == pytest.approx((133, 183.8), abs=0.3)
    assert trim == pytest.approx((127, 177.8), abs=0.3)
    for said in ("Maya", "Jonathan", "4September2027", "2:30pm", "StMary’sChurch"):
        assert said in words
    assert not loose
    with Image.open(folder / "invitation.png") as image:
        assert image.size == (1500, 2100)
    assert check_passed(events)


@pytest.mark.engine
def test_a_chinese_card_folds_and_carries_its_message(run_recipe: RunRecipe) -> None:
    events, folder = run_recipe(
        "给王老师做一张春节贺卡，写上：“新的一年，愿您身体健康，桃李满园！”，落款：三年级二班"
    )
    pages, paper, trim, words, loose = sheet(folder / "贺卡.pdf")
    assert pages == 2
    assert trim == pytest.approx((210, 148), abs=0.3)
    assert paper == pytest.approx((216, 154), abs=0.3)
    for said in ("新春快乐", "王老师", "身体健康", "桃李满园", "三年级二班"):
        assert said in words
    assert not loose
    with Image.open(folder / "贺卡.png") as image:
        assert image.width > image.height
    assert check_passed(events)
