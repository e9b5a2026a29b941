"""A run that goes on: what the page shows of it, whatever happens to the page or its socket."""

import json
import re

import pytest
from playwright.sync_api import expect

from agent.models import Reply
from agent.testing import bash, call, submit
from tests.browser.looks import DESK

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]

LONG = (
    "echo '<h1>First</h1>' > output/first.html\n"
    "for i in $(seq 3000); do echo line $i; sleep 0.05; done"
)
STOP_MS = 5000


@pytest.fixture
def begin_long_run(studio, script, open_page, ask):
    """Opens a page that watches a command which prints for minutes; it is stopped at the end."""
    pages = []

    def begin(look=DESK):
        script.say(Reply(text="I **begin** now.", calls=(call("execute_bash", command=LONG),)))
        page = open_page(studio, look=look)
        pages.append(page)
        ask(page, "Count for a long time")
        expect(page.locator(".step-output")).to_contain_text("line 20", timeout=60_000)
        return page

    yield begin
    for page in pages:
        stop = page.locator("[data-stop]")
        if stop.is_visible():
            stop.click()
            expect(page.locator("[data-run]")).to_have_attribute(
                "data-state", "ended", timeout=60_000
            )


@pytest.fixture
def long_run(begin_long_run):
    return begin_long_run()


def printed(page):
    """The numbers of the lines that the page shows, in its order."""
    text = page.locator(".step-output").text_content()
    return [int(number) for number in re.findall(r"line (\d+)\n", text)]


def assert_whole(numbers):
    assert numbers == list(range(1, len(numbers) + 1))


def test_card_output_and_words_appear_while_the_command_still_runs(long_run):
    card = long_run.locator(".card[data-path='first.html']")
    expect(card).to_be_visible()
    expect(card.locator(".poster-picture")).to_be_attached()
    expect(long_run.locator(".spoke strong")).to_have_text("begin")
    expect(long_run.locator(".step")).to_have_attribute("data-step-state", "running")
    expect(long_run.locator("[data-status-facts]")).to_contain_text("turn 1")
    assert long_run.locator("[data-run]").get_attribute("data-state") == "running"


def test_reload_in_the_middle_loses_and_doubles_nothing(long_run):
    before = printed(long_run)
    long_run.reload()
    later = f"line {before[-1] + 40}\n"
    expect(long_run.locator(".step-output")).to_contain_text(later, timeout=30_000)
    assert_whole(printed(long_run))
    expect(long_run.locator(".spoke")).to_have_count(1)
    expect(long_run.locator(".step")).to_have_count(1)
    expect(long_run.locator(".card")).to_have_count(1)


def test_a_cut_socket_loses_and_doubles_nothing(studio, long_run):
    sockets = []

    def pass_on(socket):
        sockets.append(socket)
        socket.connect_to_server()

    long_run.route_web_socket(re.compile(r"/ws/runs/"), pass_on)
    long_run.reload()
    expect(long_run.locator(".step-output")).to_contain_text("line 20")
    sockets[0].close(code=1011)
    at = printed(long_run)[-1]
    expect(long_run.locator(".step-output")).to_contain_text(f"line {at + 60}\n", timeout=30_000)
    assert len(sockets) > 1
    assert_whole(printed(long_run))
    expect(long_run.locator(".card")).to_have_count(1)


def test_without_any_socket_the_page_asks_by_itself(long_run):
    long_run.route_web_socket(re.compile(r"/ws/runs/"), lambda socket: socket.close(code=1011))
    long_run.reload()
    expect(long_run.get_by_text("Reconnecting")).to_be_visible(timeout=30_000)
    expect(long_run.locator(".step-output")).to_contain_text("line 20", timeout=60_000)
    at = printed(long_run)[-1]
    expect(long_run.locator(".step-output")).to_contain_text(f"line {at + 60}\n", timeout=60_000)
    assert_whole(printed(long_run))


def test_what_comes_late_does_not_wake_a_run_that_has_ended(long_run):
    states, late = [], [{"kind": "typing", "text": "Well,"}, {"kind": "rendering", "note": "9 %"}]

    def pass_on(socket):
        server = socket.connect_to_server()

        def hold_up(text):
            message = json.loads(text)
            # The first events may come without a state, if there were newer ones meanwhile.
            states.extend([message["run"]] if "run" in message else [])
            ended = [event for event in message.get("events", []) if event["kind"] == "run.ended"]
            if ended:
                socket.send(json.dumps(message | {"run": states[0]}))
                for hint in late:
                    said = {"after": ended[0]["seq"] - 1, "fraction": 0.09, **hint}
                    socket.send(json.dumps({"hint": said}))
                message["events"] = []
            socket.send(json.dumps(message))

        server.on_message(hold_up)

    long_run.route_web_socket(re.compile(r"/ws/runs/"), pass_on)
    long_run.reload()
    long_run.get_by_role("button", name="Stop").click()
    run = long_run.locator("[data-run]")
    expect(run).to_have_attribute("data-reason", "stopped", timeout=STOP_MS)
    expect(run).to_have_attribute("data-state", "ended")
    assert states[0]["status"] == "running"
    expect(long_run.get_by_role("textbox")).to_be_visible()
    expect(long_run.locator("[data-typing]")).to_be_hidden()
    expect(long_run.get_by_role("progressbar", name="Progress")).to_be_hidden()


def test_stop_is_answered_at_once_and_ends_the_run_with_its_files_kept(begin_long_run, look, say):
    page = begin_long_run(look)
    page.get_by_role("button", name=say("Stop"), exact=True).click()
    expect(page.get_by_text(say("Stopping…"))).to_be_visible()
    run = page.locator("[data-run]")
    expect(run).to_have_attribute("data-reason", "stopped", timeout=STOP_MS)
    expect(run.locator(".ended-title")).to_have_text(say("Stopped"))
    expect(run.get_by_role("button", name=say("Try again"))).to_be_visible()
    expect(page.locator(".card")).to_have_count(1)
    expect(page.get_by_role("textbox")).to_be_visible()


def test_errors_show_their_cause_and_a_way_on(studio, script, open_page, ask, until_ended):
    script.say((401, {"error": {"message": "Incorrect API key provided"}}))
    page = open_page(studio)
    ask(page, "Anything")
    until_ended(page, "model_unavailable")
    run = page.locator("[data-run]")
    expect(run.locator(".ended-title")).to_have_text("The language model did not answer")
    expect(run.locator(".ended-message")).to_contain_text("OPENAI_API_KEY")

    script.say(bash("false"), bash("echo done > output/a.txt"), submit("It is *done*."))
    run.get_by_role("button", name="Try again").click()
    expect(page.locator("[data-run]")).to_have_count(2)
    until_ended(page)
    last = page.locator("[data-run]").last
    expect(last.locator(".step").first).to_have_attribute("data-step-state", "nonzero")
    expect(last.locator(".step").first).to_contain_text("exit 1")
    expect(last.locator(".ended-title")).to_have_text("Done")


def test_long_output_keeps_its_end_and_says_so(studio, script, open_page, ask, until_ended):
    script.say(bash("seq 5000; echo ok > output/a.txt"), submit("Counted."))
    page = open_page(studio)
    ask(page, "Count")
    until_ended(page)
    page.locator(".step summary").first.click()
    expect(page.get_by_text("Earlier output is hidden").first).to_be_visible()
    lines = page.locator(".step-output").first.text_content().split()
    assert lines[-1] == "5000"
    assert len(lines) <= 2200


def test_what_a_run_took_is_shown_when_it_ends_and_later(
    studio, script, open_page, ask, until_ended
):
    script.say(bash("head -c 3145728 /dev/zero > output/zeros.bin"), submit("Three megabytes."))
    page = open_page(studio)
    ask(page, "Zeros")
    until_ended(page)
    facts = page.locator(".ended .ended-facts li")
    expect(facts).to_have_count(7)
    said = facts.all_text_contents()
    assert said[:2] == ["scripted", "2 turns"]
    assert said[5] == "3.0\xa0MB on disk"
    page.reload()
    expect(facts).to_have_text(said)
    elsewhere = open_page(studio, page.url.removeprefix(studio.url), locale="zh-CN")
    expect(elsewhere.locator(".ended .ended-facts")).to_contain_text("CPU 用时")


def test_cards_come_and_go_with_their_files_whatever_the_connection_does(
    studio, script, open_page, ask, until_ended
):
    script.say(bash("echo words > output/a.txt"))
    page = open_page(studio)
    late = []
    answers = iter([lambda route: route.abort(), lambda route: route.fulfill(status=502)])
    page.route(
        "**/card/a.txt",
        lambda route: next(answers, lambda route: late.append((route, route.fetch())))(route),
    )
    ask(page, "A file, whatever the connection does")
    made = page.locator(".made[data-path='a.txt']")
    expect(made).to_be_visible(timeout=60_000)
    while not late:
        page.wait_for_timeout(50)
    script.say(bash("rm output/a.txt; echo words > output/b.txt"), submit("Another file."))
    expect(made).to_have_count(0, timeout=60_000)
    for route, response in late:
        route.fulfill(response=response)
    expect(page.locator(".card[data-path='b.txt']")).to_be_visible(timeout=60_000)
    expect(page.locator(".card[data-path='a.txt']")).to_have_count(0)
    until_ended(page)
    failed, refused = open_page.complaints
    assert ("ERR_FAILED" in failed, "502" in refused) == (True, True)
    open_page.complaints.clear()
