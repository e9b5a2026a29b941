"""Counting tokens without asking anybody."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models import Message
from agent.testing import call
from agent.tokens import PICTURE, counted, most

ENGLISH = "The quick brown fox jumps over the lazy dog, and then it has a rest.\n" * 20
CHINESE = "请为小雨的生日做一段倒计时视频，配上音乐和烟花。" * 20
OFFLINE = """
import socket, sys
def refuse(*args, **kwargs):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.getaddrinfo = refuse
from agent.models import Message
import agent.loop
assert "tiktoken" not in sys.modules
from agent.tokens import counted, most
most(Message("user", "hello"))
assert "tiktoken" not in sys.modules
print(counted(Message("user", "hello world")) - counted(Message("user", "")))
"""


def test_the_vocabulary_is_there_without_a_network_and_read_only_when_it_is_needed(tmp_path):
    said = subprocess.run(
        [sys.executable, "-c", OFFLINE],
        capture_output=True,
        text=True,
        check=True,
        env={"TMPDIR": str(tmp_path), "PATH": "", "PYTHONPATH": ":".join(sys.path)},
    )
    assert said.stdout == "2\n"


@pytest.mark.parametrize(("text", "per_token"), [(ENGLISH, (3.5, 5.0)), (CHINESE, (0.7, 1.4))])
def test_english_and_chinese_are_counted_as_models_count_them(text, per_token):
    least, most_ = per_token
    assert least < len(text) / counted(Message("user", text)) < most_


def test_calls_reasoning_extras_and_pictures_count():
    plain = counted(Message("assistant", ""))
    said = Message("assistant", "", calls=(call("execute_bash", command=ENGLISH),))
    assert counted(said) > plain + 200
    assert counted(Message("assistant", "", reasoning=ENGLISH)) > plain + 200
    assert counted(Message("assistant", "", extra={"signature": ENGLISH})) > plain + 200
    shown = Message("tool", "", call="1", images=(b"\x89PNG", b"\xff\xd8"))
    assert counted(shown) - counted(Message("tool", "", call="1")) == 2 * PICTURE


def test_of_a_huge_text_only_the_beginning_is_looked_at():
    once = counted(Message("tool", ENGLISH * 150))
    assert counted(Message("tool", ENGLISH * 15_000)) == pytest.approx(once * 100, rel=0.01)


@given(
    text=st.text(alphabet=st.characters(exclude_categories=())),
    arguments=st.text(),
    pictures=st.integers(0, 3),
)
def test_the_quick_bound_is_never_less_than_the_count(text, arguments, pictures):
    message = Message(
        "assistant",
        text,
        calls=(call("execute_bash", "1", command=arguments),),
        images=(b"x",) * pictures,
    )
    assert most(message) >= counted(message)
