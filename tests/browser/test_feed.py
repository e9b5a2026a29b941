"""What a page makes of messages that come late, twice or by two ways at once."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FEED = """async () => {
  const { Feed } = await import("/js/socket.js");
  window.told = [];
  const tell = (name) => (what) => told.push([name, what]);
  const on = { events: tell("events"), run: tell("run"), hint: tell("hint"), connected: () => {} };
  window.feed = new Feed({ socketPath: "/ws/held/", eventsUrl: "/held/", on });
}"""


@pytest.fixture
def held(lone_page):
    """A page with a `feed` and what it has `told`; and the requests that it waits for."""
    page, requests = lone_page, []
    page.route("**/held/?after=*", lambda route: requests.append(route))
    page.evaluate(FEED)
    return page, requests


def answer(page, requests, **told):
    while not requests:
        page.wait_for_timeout(20)
    requests.pop().fulfill(json={"events": [], **told})


def told(page, name):
    told = "name => told.filter(([each]) => each === name).map(([, what]) => what)"
    return page.evaluate(told, name)


def test_a_state_that_was_asked_for_before_the_socket_told_a_newer_one_is_left_out(held):
    page, requests = held
    page.evaluate("window.polled = feed.poll(); feed.take({ run: { status: 'queued' } })")
    answer(page, requests, run={"status": "paused"})
    page.evaluate("polled")
    assert told(page, "run") == [{"status": "queued"}]
    page.evaluate("window.polled = feed.poll(), 0")
    answer(page, requests, run={"status": "running"})
    page.evaluate("polled")
    assert told(page, "run")[1:] == [{"status": "running"}]


def test_what_was_shown_before_something_else_happened_is_not_shown_after_it(held):
    page, _ = held
    page.evaluate("""
      const event = (seq, kind) => feed.take({ events: [{ seq, kind, data: {} }] });
      const hint = (after, text) => feed.take({ hint: { kind: "typing", after, text } });
      event(1, "tool.started"), hint(0, "late"), hint(1, "a");
      event(2, "tool.printed"), hint(1, "b");
      event(3, "tool.finished"), hint(2, "late"), hint(3, "c");
    """)
    assert [hint["text"] for hint in told(page, "hint")] == ["a", "b", "c"]


def test_who_comes_back_while_the_page_asks_by_itself_opens_one_socket(held):
    page, requests = held
    sockets = []
    page.route_web_socket("**/ws/held/**", lambda socket: sockets.append(socket))
    page.evaluate("""
      const poll = feed.poll.bind(feed);
      feed.poll = () => (window.polled = poll());
      feed.failures = 2, feed.lost(1011);
    """)
    while not requests:
        page.wait_for_timeout(20)
    page.evaluate("feed.reopen(), 0")
    answer(page, requests)
    page.evaluate("polled")
    assert len(sockets) == 1


def test_what_has_happened_is_read_to_its_end_although_an_answer_fails(held):
    page, requests = held
    page.evaluate("window.reading = feed.read(), 0")
    answer(page, requests, events=[{"seq": 1, "kind": "run.started", "data": {}}])
    while not requests:
        page.wait_for_timeout(20)
    requests.pop().fulfill(status=502)
    over = {"status": "ended", "inspecting": 0, "last_seq": 2}
    answer(page, requests, events=[{"seq": 2, "kind": "run.ended", "data": {}}], run=over)
    page.evaluate("reading")
    assert [[event["seq"] for event in news] for news in told(page, "events")] == [[1], [2]]
