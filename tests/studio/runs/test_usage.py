"""What a run took, as people read it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.translation import override

from agent.events import Resources
from studio.runs import usage

USED = {
    "cpu_seconds": 83.2,
    "peak_memory": 340 << 20,
    "disk": 12 << 20,
    "bytes_in": 0,
    "bytes_out": 30 << 10,
}


def plain(texts: list[str]) -> list[str]:
    return [text.replace("\xa0", " ") for text in texts]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.0 s"),
        (3.21, "3.2 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (83.2, "1 min 23 s"),
        (3599.7, "1 h 0 min"),
        (7384, "2 h 3 min"),
    ],
)
def test_durations_are_said_as_people_say_them(seconds: float, text: str) -> None:
    assert usage.duration(seconds) == text


def test_what_a_sandbox_used_is_told_in_units_for_people() -> None:
    assert plain(usage.used(USED)) == [
        "1 min 23 s of CPU time",
        "340.0 MB of memory at most",
        "12.0 MB on disk",
        "0 bytes in, 30.0 KB out",
    ]
    with override("zh-hans"):
        told = plain(usage.used(USED))
    assert told == [
        "CPU 用时 1 分 23 秒",
        "内存最多 340.0 MB",
        "磁盘 12.0 MB",
        "传入 0 字节，传出 30.0 KB",
    ]


def test_every_field_of_the_agents_account_can_be_told() -> None:
    assert set(USED) == set(Resources.__dataclass_fields__)


def test_a_run_without_a_sandbox_says_nothing_of_one() -> None:
    assert usage.used(dict.fromkeys(USED, 0)) == []
    assert usage.used({}) == []


def test_what_is_zero_is_left_out() -> None:
    assert usage.spent(0, 0, None) == []
    assert usage.spent(1, 0, timedelta(seconds=5)) == ["1 turn", "5.0 s"]
    assert usage.spent(2, 12345, timedelta(minutes=1)) == ["2 turns", "12,345 tokens", "1 min"]


def test_cached_tokens_and_money_are_told_where_there_are_any() -> None:
    told = usage.spent(1, 12345, None, cached=10000, cost=1.5)
    assert told == ["1 turn", "12,345 tokens (10,000 cached)", "$1.50"]


@pytest.mark.parametrize(
    ("amount", "currency", "english", "chinese"),
    [
        (1234.5, "USD", "$1,234.50", "US$1,234.50"),
        (0.0123, "USD", "$0.0123", "US$0.0123"),
        (0.02, "CNY", "CN¥0.02", "¥0.02"),
        (120, "JPY", "¥120", "JP¥120"),
    ],
)
def test_money_is_written_as_in_the_readers_language(
    amount: float, currency: str, english: str, chinese: str, settings
) -> None:
    settings.CURRENCY = currency
    assert usage.money(amount) == english
    with override("zh-hans"):
        assert usage.money(amount) == chinese


def test_what_a_run_may_spend_is_told_as_far_as_it_is_bounded(settings) -> None:
    assert usage.allowed() == "100 turns and 30 min"
    settings.RUN_TOKENS, settings.RUN_COST = 50_000, 2
    assert usage.allowed() == "100 turns, 30 min, 50,000 tokens, and $2.00"
    with override("zh-hans"):
        assert usage.allowed() == "100 轮、30 分钟、50000 个 token和US$2.00"
