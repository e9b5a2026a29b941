"""What requests say of events: title, time, place, the rest, and what follow-ups change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.recipes.event import LONGEST, Event, event
from agent.recipes.request import Request


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "A poster for our school science fair on 12 May 2027 in the Riverside School gym, "
                "10am–4pm, free entry."
            ),
            Event(
                title="School Science Fair",
                when="12 May 2027, 10am–4pm",
                where="Riverside School gym",
                facts=("Free entry",),
            ),
        ),
        (
            (
                "Make an A2 poster for the jazz night at The Cellar, Leeds on Friday 5 June 2027 "
                "at 8 pm. Tickets £12. Tagline: Live until late"
            ),
            Event(
                title="Jazz Night",
                tagline="Live until late",
                when="Friday 5 June 2027, 8 pm",
                where="The Cellar, Leeds",
                facts=("Tickets £12",),
            ),
        ),
        (
            (
                "poster for a farmers market every Saturday 8am to 1pm in Mill Square with bread, "
                "cheese and flowers"
            ),
            Event(
                title="Farmers Market",
                when="Every Saturday, 8am to 1pm",
                where="Mill Square",
                facts=("Bread, cheese and flowers",),
            ),
        ),
        (
            (
                "Poster titled “Ridgeline Travel Fair”, 4-6 November 2027, Hall B, speakers: Ann "
                "Lee, Tom Fox and Mia Wong, in dark blue, landscape A3, www.ridge.example"
            ),
            Event(
                title="Ridgeline Travel Fair",
                when="4-6 November 2027",
                where="Hall B",
                url="www.ridge.example",
                groups=(("Speakers", ("Ann Lee", "Tom Fox", "Mia Wong")),),
            ),
        ),
        (
            "给社区春节联欢晚会做一张海报，2027年2月5日晚上7点，社区活动中心，免费入场",
            Event(
                title="社区春节联欢晚会",
                when="2027年2月5日 晚上7点",
                where="社区活动中心",
                facts=("免费入场",),
            ),
        ),
        (
            "设计一张秋日登山徒步的海报，10月16日上午8点，香山公园东门集合，请穿防滑鞋，A3，暖色调",
            Event(
                title="秋日登山徒步",
                when="10月16日 上午8点",
                where="香山公园东门",
                facts=("请穿防滑鞋",),
            ),
        ),
        (
            (
                "做一张海报，标题：春天读书会，副标题：与一本好书相遇，时间：4月23日下午2点，"
                "地点：城南图书馆三楼"
            ),
            Event(
                title="春天读书会",
                tagline="与一本好书相遇",
                when="4月23日 下午2点",
                where="城南图书馆三楼",
            ),
        ),
        ("海报：校园足球赛，5月8日15:00，东操场，绿色，正方形 1080x1080",
         Event(title="校园足球赛", when="5月8日 15:00", where="东操场")),
        ("a jazz poster", Event(title="Jazz")),
    ],
)  # fmt: skip
def test_an_event_is_read_and_the_order_itself_is_not(text: str, expected: Event) -> None:
    assert event(Request((text,))) == expected


def test_a_follow_up_replaces_what_it_names_and_keeps_the_rest() -> None:
    first = "A poster for our science fair on 12 May 2027 in the gym, free entry"
    whole = event(
        Request(
            (
                first,
                "make it blue and A4",
                "move it to 19 May at the Town Hall",
                "add: Bring a friend",
            )
        )
    )
    assert whole == Event(
        title="Science Fair",
        when="19 May",
        where="Town Hall",
        facts=("Free entry", "Bring a friend"),
    )


@given(
    st.text(
        alphabet=st.sampled_from("给为的海报请柬在 年月日点12:：,，。“”'\"ApostrforteinMay\n"),
        max_size=120,
    )
)
def test_any_text_is_read_and_stays_short(text: str) -> None:
    said = event(Request((text,)))
    for phrase in (said.title, said.tagline, said.when, said.where, *said.facts):
        assert len(phrase) <= LONGEST
        assert phrase == phrase.strip()
