"""An endpoint that does anything wrong: a run goes on, or ends and says why; never more."""

import json
import threading
import time
import tracemalloc
from pathlib import Path

import pytest

from agent import Agent, Limits, OpenAIModel
from agent.events import Event, ModelSpoke, Reason, ToolFinished
from agent.hints import Hint, Waiting
from agent.models import Reply
from agent.models.retrying import Patience
from agent.testing import MemorySandbox, ScriptedEndpoint, bash, faults, submit

# Each waits for an endpoint that does something wrong.
pytestmark = pytest.mark.slow

KEY = "sk-canary-4242"
QUICK = Patience(connect=5, idle=0.4, total=20, tries=3, again=30, first=0.01)
MADE = bash("echo whole > output/a.txt")
DONE = submit("Done.")
HALF = faults.event(faults.BEGUN)
GOOD_END = faults.event({}, "stop") + b"data: [DONE]\n\n"


def run(store, answers, patience=QUICK, limits=None, stop_after=None):
    """The items of a run with an endpoint that answers like this, and what it was asked."""
    with ScriptedEndpoint(answers) as endpoint:
        model = OpenAIModel("m", api_key=KEY, base_url=endpoint.base_url, patience=patience)
        items = list(Agent(model, MemorySandbox(), store, limits).run("A file."))
    return items, endpoint.requests


def end(items):
    return items[-1].reason, items[-1].message


PASSING = {
    "reset at once": faults.breaks_off(reset=True),
    "closed at once": faults.breaks_off(),
    "half a call, reset": faults.breaks_off(HALF, reset=True),
    "half a call, closed": faults.breaks_off(HALF),
    "half a call, a clean end": faults.answered(HALF),
    "half a call, and silence": faults.hangs(5, HALF),
    "half a line": faults.answered(HALF[:-40]),
    "silence": faults.hangs(5),
    "nothing": faults.answered(b""),
    "no event": faults.answered(b": keep-alive\n\n: keep-alive\n\n"),
    "no JSON": faults.answered(b"data: hello\n\n"),
    "no object": faults.answered(b"data: 5\n\n"),
    "nested deeply": faults.answered(b"data: " + b"[" * 100_000 + b"\n\n"),
    "nested deeply, whole": faults.answered(b'{"a":' * 100_000, kind="application/json"),
    "half a JSON body": faults.answered(b'{"choices": [{"mess', kind="application/json"),
    "fewer bytes than promised": faults.answered(HALF, content_length="5000"),
    "a garbled chunk": faults.answered(b"zz\r\nhello\r\n", transfer_encoding="chunked"),
    "half a chunk": faults.answered(b"ff\r\n" + HALF, transfer_encoding="chunked"),
    "garbled gzip": faults.answered(b"\x1f\x8bnonsense", content_encoding="gzip"),
    "no HTTP": faults.raw(b"\x00\x01\x02 hello\r\n\r\n"),
    "half a status line": faults.raw(b"HTTP/1.1 20"),
    "408": faults.refused(408),
    "429": faults.refused(429),
    "500": faults.refused(500),
    "502 as a page": faults.answered(b"<html><title>502 Bad Gateway", 502, "text/html"),
    "503, soon": faults.refused(503, retry_after="0"),
    "529, in milliseconds": faults.refused(529, retry_after_ms="10"),
    "429, with a date that is past": faults.refused(
        429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"
    ),
    "429, with a wrong date": faults.refused(429, retry_after="soon"),
    "429, with a number that is none": faults.refused(429, retry_after="nan"),
    "an error in 100 MB": faults.answered(
        (b"x" * (1 << 20) for _ in range(100)), 500, "text/plain"
    ),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_run_goes_on_when_the_endpoint_recovers_and_uses_nothing_of_what_broke(store, fault):
    items, requests = run(store, [fault, MADE, fault, DONE])

    assert end(items) == (Reason.SUBMITTED, "")
    spoke = [item for item in items if isinstance(item, ModelSpoke)]
    assert [[wish.arguments for wish in one.calls] for one in spoke] == [
        [wish.arguments for wish in one.calls] for one in (MADE, DONE)
    ]
    assert [len(one["messages"]) for one in requests] == [2, 2, 4, 4]


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_a_run_ends_with_the_cause_when_it_does_not(store, fault):
    items, requests = run(store, [fault] * 9)

    reason, message = end(items)
    assert reason is Reason.MODEL_UNAVAILABLE
    assert message.startswith("http://127.0.0.1:")
    assert "again" in message or "Check" in message or "answer" in message
    assert len(requests) == QUICK.tries
    assert not [item for item in items if isinstance(item, ToolFinished)]


LASTING = {
    "401": (faults.refused(401, f"Wrong key {KEY}"), "refused the key. Check it (OPENAI_API_KEY)"),
    "403": (faults.refused(403), "refused the key"),
    "402": (faults.refused(402), "Check the account's credit"),
    "404": (faults.refused(404), "knows no model 'm'"),
    "404 as a page": (faults.answered(b"<!DOCTYPE html>", 404), "does the address end in /v1?"),
    "no quota": (faults.refused(429, "insufficient_quota"), "the quota is used up"),
    "too long a wait": (faults.refused(429, "come back", retry_after="3600"), "come back"),
    "told not to": (faults.refused(500, "never", x_should_retry="false"), "never"),
    "a web page": (faults.answered(b"\n<!DOCTYPE html><title>Log in"), "answered with a web page"),
    "a loop": (faults.redirected("/v1/chat/completions"), "leads nowhere"),
    "metadata": (faults.redirected("http://169.254.169.254/"), "link-local"),
    "another scheme": (faults.redirected("ftp://127.0.0.1/"), "leads nowhere"),
}


@pytest.mark.parametrize(("fault", "said"), LASTING.values(), ids=LASTING)
def test_what_does_not_pass_ends_the_run_at_once_with_the_reason(store, fault, said):
    items, requests = run(store, [fault] * 30)

    reason, message = end(items)
    assert reason is Reason.MODEL_UNAVAILABLE
    assert said in message
    assert KEY not in message
    assert not [item for item in items if isinstance(item, Waiting)]
    assert len(requests) == (21 if "leads" in said and "ftp" not in message else 1)


def test_an_endpoint_that_trickles_is_left_after_the_total_time(store):
    began = time.monotonic()
    items, requests = run(store, [faults.trickles(30, 0.05)], Patience(total=0.5))

    assert "was not complete after" in end(items)[1]
    assert len(requests) == 1
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (faults.talks_on(100 << 20, piece=b"x" * (1 << 20)), "longer than 16 MB"),
        (faults.talks_on(100 << 20, piece=faults.event({"content": "x" * 65_000})), "16 MB"),
        (faults.talks_on(100 << 20, piece=(b": " + b"x" * 1000 + b"\n") * 50), "longer than 64 MB"),
        (faults.gzip_bomb(100 << 20), "longer than 16 MB"),
    ],
    ids=["one line", "many events", "comments", "gzip"],
)
def test_an_answer_of_100_megabytes_is_cut_and_takes_little_memory(store, fault, said):
    tracemalloc.start()
    with ScriptedEndpoint([fault]) as endpoint:
        patience = Patience(total=60, tries=1)
        model = OpenAIModel("m", api_key=KEY, base_url=endpoint.base_url, patience=patience)
        for item in Agent(model, MemorySandbox(), store).run("A file."):
            last = item  # No more of them: a hint holds all that was typed so far.
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert said in last.message
    assert most < 150 << 20


def test_waiting_is_counted_down_and_a_stop_ends_it(store):
    with ScriptedEndpoint([faults.refused(429, retry_after="60")] * 2) as endpoint:
        model = OpenAIModel("m", api_key=KEY, base_url=endpoint.base_url)
        agent = Agent(model, MemorySandbox(), store)
        waits = []
        for item in agent.run("x"):
            if isinstance(item, Waiting):
                waits.append(item)
                if len(waits) == 3:
                    agent.stop.set()

    assert [wait.why for wait in waits] == ["busy"] * 3
    assert 66 >= waits[0].seconds > waits[1].seconds > waits[2].seconds > 50
    assert item.reason is Reason.STOPPED
    assert len(endpoint.requests) == 1


def test_the_time_limit_of_a_run_ends_a_silent_answer(store):
    items, _ = run(store, [faults.hangs(30)], Patience(), Limits(seconds=0.6))

    assert items[-1].reason is Reason.TIME_LIMIT


def test_an_error_in_the_middle_of_a_stream_is_told(store):
    error = b'data: {"error": {"message": "Overloaded", "code": 529}}\n\n'
    fault = faults.answered(HALF + error)
    items, _ = run(store, [fault, MADE, DONE])
    assert end(items) == (Reason.SUBMITTED, "")

    items, _ = run(store, [fault] * 3)
    assert "Overloaded" in end(items)[1]


def test_an_answer_that_is_complete_is_taken_though_its_end_is_missing(store):
    whole = faults.event({"content": "Hm."}) + faults.event({}, "stop")
    for fault in (
        faults.answered(whole),
        faults.breaks_off(whole, reset=True),
        faults.answered(whole + b"data: nonsense\n\n"),
    ):
        items, requests = run(store, [fault, MADE, DONE])
        assert end(items) == (Reason.SUBMITTED, "")
        assert len(requests) == 3


def test_what_was_typed_before_an_answer_broke_off_is_typed_no_more(store):
    half = faults.breaks_off(faults.event({"content": "A half"}))
    whole = faults.answered(faults.event({"content": "All of it."}) + GOOD_END)
    items, _ = run(store, [half, whole, MADE, DONE])

    hints = [item.text for item in items if isinstance(item, Hint)]
    assert hints[:2] == ["A half", "All of it."]


def test_invalid_bytes_in_an_answer_are_replaced(store):
    piece = faults.event({"content": "a?b"}).replace(b"?", b"\xff\xfe")
    items, _ = run(store, [faults.answered(piece + GOOD_END), MADE, DONE])

    assert next(item for item in items if isinstance(item, ModelSpoke)).text == "a��b"


def test_no_thread_and_no_descriptor_is_left_behind(store):
    run(store, [MADE, DONE])
    threads, descriptors = threading.active_count(), open_files()
    for _ in range(5):
        run(store, [faults.hangs(0.1, HALF), MADE, faults.refused(500), DONE])
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and open_files() > descriptors:
        time.sleep(0.05)

    assert threading.active_count() <= threads
    assert open_files() <= descriptors


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_canary_in_an_answer_reaches_no_event_and_no_hint(store):
    said = Reply(f"The key is {KEY}.", f"Hm, {KEY}", bash(f"echo {KEY} > output/a.txt").calls)
    items, _ = run(store, [said, DONE])

    assert items[-1].reason is Reason.SUBMITTED
    assert "•••" in next(item for item in items if isinstance(item, ModelSpoke)).text
    for item in items:
        shown = json.dumps(item.data()) if isinstance(item, Event) else repr(item)
        assert "canary" not in shown
        assert "sk-c" not in shown
