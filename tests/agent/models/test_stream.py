"""The objects in the bytes of an answer, however these are cut and decorated."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import ModelUnavailable
from agent.models.stream import EVENT_BYTES, Stream, WebPage

ONE, TWO = {"n": 1, "text": "ä 天"}, {"n": 2}
BOTH = [ONE, TWO]


def lines(*objects):
    return [f"data: {json.dumps(one, ensure_ascii=False)}".encode() for one in objects]


def read(pieces):
    stream = Stream()
    found = [one for piece in pieces for one in stream.feed(piece)]
    return [*found, *stream.end()], stream.done


FORMS = {
    "as the standard has it": b"\n\n".join([*lines(*BOTH), b"data: [DONE]", b""]),
    "carriage returns": b"\r\n\r\n".join([*lines(*BOTH), b"data: [DONE]", b""]),
    "only carriage returns": b"\r\r".join([*lines(*BOTH), b"data: [DONE]", b""]),
    "no empty lines": b"\n".join([*lines(*BOTH), b"data: [DONE]"]),
    "no blanks": b"\n\n".join(line.replace(b"data: ", b"data:") for line in lines(*BOTH))
    + b"\n\ndata:[DONE]\n\n",
    "a mark of the byte order": b"\xef\xbb\xbf" + b"\n\n".join([*lines(*BOTH), b"data: [DONE]\n"]),
    "empty lines before": b"\n\r\n " + b"\n\n".join([*lines(*BOTH), b"data: [DONE]\n"]),
    "comments and names": b": hello\n\nevent: x\nid: 5\nretry: 3\n"
    + b"\n\n: still here\n\n".join([*lines(*BOTH), b"data: [DONE]", b""]),
    "several lines": b'data: {"n": 1,\ndata:  "text": "\xc3\xa4 \xe5\xa4\xa9"}\n\n'
    b'data: {"n":\ndata: 2}\n\ndata: [DONE]\n\n',
    "empty data": b"data:\n\ndata: \n\n" + b"\n\n".join([*lines(*BOTH), b"data: [DONE]\n\n"]),
    "something behind the end": b"\n\n".join([*lines(*BOTH), b"data: [DONE]", *lines(TWO), b""]),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(cuts=st.lists(st.integers(0, 200)))
def test_the_same_is_read_however_it_is_written_and_cut(form, cuts):
    at = sorted({0, len(form), *(cut for cut in cuts if cut < len(form))})
    assert read(form[a:b] for a, b in itertools.pairwise(at)) == (BOTH, True)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_same_is_read_byte_by_byte(form):
    assert read(bytes([byte]) for byte in form) == (BOTH, True)


@pytest.mark.parametrize("data", [b' {"n": 2}', b'[{"n": 2}]', b'\xef\xbb\xbf\n{"n":\n2}\n'])
def test_an_answer_that_is_not_streamed_is_one_object(data):
    assert read([data]) == ([TWO], True)
    assert read(bytes([byte]) for byte in data) == ([TWO], True)


def test_an_end_that_nobody_announced_is_told_from_one_that_was():
    assert read([b"\n\n".join(lines(*BOTH))]) == (BOTH, False)
    assert read([]) == ([], False)


def test_each_object_is_there_as_soon_as_its_bytes_are():
    stream = Stream()
    assert list(stream.feed(lines(ONE)[0] + b"\n\nda")) == [ONE]
    assert list(stream.feed(b'ta: {"n":')) == []
    assert list(stream.feed(b" 2}\n\n")) == [TWO]


@pytest.mark.parametrize(
    "data", [b"data: x\n\n", b"data: 5\n\n", b"data: " + b"[" * 100_000 + b"\n\n", b"{", b"[1, 2]"]
)
def test_what_is_no_object_is_refused(data):
    with pytest.raises(ValueError, match=r"."):
        read([data])


@pytest.mark.parametrize("data", [b"<!DOCTYPE html>", b"\n  <html>", b"\xef\xbb\xbf<p>"])
def test_a_web_page_is_told_from_other_nonsense(data):
    with pytest.raises(WebPage):
        read([data])


@pytest.mark.parametrize(
    "piece",
    [b"x" * 65_536, b"data: x\n" * 8192, b"data: " + b"x" * 4096 + b"\n", b'{"' + b"x" * 65_536],
)
def test_what_never_ends_is_cut(piece):
    with pytest.raises(ModelUnavailable, match="16 MB"):
        read(itertools.repeat(piece, 20 * EVENT_BYTES // len(piece)))
