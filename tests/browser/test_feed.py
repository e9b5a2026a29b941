"""What a page makes of messages that come late, twice, by two ways at once or not at all."""

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FEED = """async () => {
  const { Feed } = await import("/js/socket.js");
  window.told = [];
  const tell = (name) => (what) => told.push([name, what]);
  const on = { events: tell("events"), run: tell("run"), hint: tell("hint"), connected: () => {} };
  window.feed = new Feed({ socketPath: "/ws/held/", eventsUrl: "/held/", on });
}"""

# Twenty times as fast: what the page waits for, and how long.
HASTE = """() => {
  const [later, limit] = [setTimeout, AbortSignal.timeout];
  window.setTimeout = (act, ms) => later(act, ms / 20);
  AbortSignal.timeout = (ms) => limit.call(AbortSignal, ms / 20);
}"""
# Sockets that say nothing, not even that they are closed.
CONNECTING, OPEN = 0, 1
MUTE = """(state) => {
  window.sockets = [];
  window.WebSocket = class extends EventTarget {
    static CONNECTING = 0;
    readyState = state;
    constructor() { super(), sockets.push(this); }
    close() { this.closed = true; }
  };
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


@pytest.fixture
def mute(held):
    """Lets all sockets of the page be in this state for ever, and its time fly."""
    page, _ = held

    def become(state, **answer):
        page.evaluate(HASTE)
        page.evaluate(MUTE, state)
        if answer:
            page.route("**/held/?after=*", lambda route: route.fulfill(json=answer))
        return page

    return become


def test_who_is_never_answered_asks_again(held, mute):
    page, requests = mute(OPEN), held[1]
    page.evaluate("feed.open()")
    while len(requests) < 2:
        page.wait_for_timeout(20)
    assert page.evaluate("sockets.length") == 1


def test_who_is_never_answered_opens_the_next_socket_all_the_same(held, mute):
    page, requests = mute(OPEN), held[1]
    page.evaluate("feed.failures = 2, feed.lost(1011)")
    page.wait_for_function("sockets.length === 1")
    assert requests


def test_a_socket_that_never_opens_is_left_for_another(mute):
    page = mute(CONNECTING, events=[], run={"status": "running"})
    page.evaluate("feed.open()")
    page.wait_for_function("sockets.length > 1")
    assert page.evaluate("sockets[0].closed")
    # What it may still say is for nobody.
    late = """() => {
      const { failures, socket } = feed;
      sockets[0].dispatchEvent(new CloseEvent("close", { code: 1006 }));
      return feed.failures === failures && feed.socket === socket;
    }"""
    assert page.evaluate(late)


def test_a_socket_that_has_missed_something_is_left_although_it_does_not_close(mute):
    page = mute(OPEN, events=[{"seq": 1, "kind": "run.started", "data": {}}])
    page.evaluate("feed.open()")
    page.wait_for_function("sockets.length > 1")
    assert [[event["seq"] for event in news] for news in told(page, "events")] == [[1]]


def test_what_can_not_be_shown_keeps_nothing_else_from_the_page(held):
    page, _ = held
    broken = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.evaluate("""
      feed.on.events = () => { throw new Error("no such element"); };
      const run = { status: "ended", inspecting: 0, last_seq: 1 };
      feed.take({ events: [{ seq: 1, kind: "run.ended", data: {} }], run });
    """)
    assert told(page, "run") == [{"status": "ended", "inspecting": 0, "last_seq": 1}]
    assert page.evaluate("feed.done")
    assert broken == ["no such element"]


CONVERSATION = """async () => {
  document.body.innerHTML = `
    <p id="offline"></p><p id="unanswered"></p>
    <template data-template="remark"><p class="remark"></p></template>
    <article data-state="running" data-seq="0">
      <div data-log></div><p data-typing></p><p data-work-facts></p>
      <div data-ended hidden>
        <p data-ended-title></p><p data-ended-message></p><p data-ended-summary></p>
      </div>
    </article>`;
  const { RunView } = await import("/js/run.js");
  const ended = (reason) => (window.reason = reason);
  window.view = new RunView(document.querySelector("article"), String, { say: () => {}, ended });
}"""
PARSER = "export const createAnsiSequenceParser = () => ({ parse: () => [] });"


def test_an_event_that_can_not_be_shown_leaves_room_for_those_behind_it(lone_page):
    page, broken = lone_page, []
    script = {"body": PARSER, "content_type": "text/javascript"}
    page.route("**/ansi-sequence-parser/*", lambda route: route.fulfill(**script))
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.evaluate(CONVERSATION)
    page.evaluate("""
      const ended = { reason: "stopped", message: "", summary: "", seconds: 1 };
      const call = { tool: "submit", arguments: {}, call: "1" };
      // There is no template for a step.
      view.apply({ seq: 1, kind: "tool.started", data: call });
      view.apply({ seq: 2, kind: "run.resumed", data: {} });
      view.apply({ seq: 3, kind: "run.ended", data: ended });
    """)
    assert len(broken) == 1
    assert page.locator(".remark").count() == 1
    assert page.locator("article").get_attribute("data-state") == "ended"
    assert page.evaluate("reason") == "stopped"


WALL = """async () => {
  document.body.innerHTML = `
    <div data-card-url="/cards/__path__">
      <div data-gallery><p data-raking></p></div><p data-empty></p>
    </div>`;
  const { Gallery } = await import("/js/gallery.js");
  window.gallery = new Gallery(document.querySelector("[data-card-url]"), () => {});
}"""


def test_a_card_that_never_comes_holds_up_no_other(lone_page):
    page, asked = lone_page, []

    def give(route):
        path = route.request.url.rpartition("/")[2]
        asked.append(path)
        if len(asked) > 1:
            card = f'<article class="card" data-path="{path}" data-digest="1">'
            route.fulfill(body=f'{card}<b class="card-name">{path}</b></article>')

    page.route("**/cards/*", give)
    page.evaluate(HASTE)
    page.evaluate(WALL)
    page.evaluate("gallery.saved('a', '1'), gallery.saved('b', '1'), gallery.refresh()")
    page.wait_for_function("document.querySelectorAll('.card').length === 2")
    assert asked == ["a", "b", "a"]
