"""A studio as people start it, and a real browser signed in to it."""

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from agent.testing import ScriptedEndpoint
from tests.browser.looks import OPPOSITE, Look
from tests.browser.witness import Witness

ROOT = Path(__file__).parents[2]
SECONDS = 60
# On a busy machine a page has more than five seconds to come to what is expected.
expect.set_options(timeout=SECONDS * 1000)
# A test acts sooner than a person could: before a page's scripts listen, before what came settles.
LISTENS = """addEventListener("DOMContentLoaded", () => {
  document.documentElement.setAttribute("data-listens", "");
});"""
# What a page is told in its console of itself but not by itself.
NOT_ITS_FAULT = (
    "Service Worker registration blocked by Playwright",
    # On a busy machine the first text is drawn seconds after its font came.
    "was preloaded using link preload but not used within a few seconds",
)
DEAF = ":root:not([data-listens]), .htmx-added, .htmx-settling"
SIGN_IN_LINK = re.compile(r"http://\S+/enter/\S+")
MODEL_SETTINGS = (
    "DATABASE_URL",
    "REDIS_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "STUDIO_ENDPOINTS",
    "STUDIO_MODEL",
)


class Script:
    """The answers of an endpoint, said by a test while the endpoint waits for them."""

    def __init__(self):
        self.said = queue.SimpleQueue()
        self.waiting = 0
        self.lock = threading.Lock()

    def say(self, *replies):
        for reply in replies:
            self.said.put(reply)

    def __iter__(self):
        return self

    def __next__(self):
        with self.lock:
            self.waiting += 1
        reply = self.said.get()
        with self.lock:
            self.waiting -= 1
        return reply

    def end(self):
        """What a test has said and nobody asked for is not for the next one; nor is what that says
        for whoever asks still: such a run ends.
        """
        while True:
            while not self.said.empty():
                self.said.get()
            if not self.waiting:
                return
            self.say((401, {"error": {"message": "The test is over."}}))
            time.sleep(0.02)


class Studio:
    """A running studio: its address and its one-time link."""

    def __init__(self, process, var):
        self.process, self.var, self.output = process, var, ""
        for line in process.stdout:
            self.output += line
            if found := SIGN_IN_LINK.search(line):
                self.link = found.group()
                self.url = self.link.partition("/enter/")[0]
                break
        else:
            raise AssertionError(f"It ended before it printed its link:\n{self.output}")
        # Whoever prints into a full pipe stands still.
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        for line in self.process.stdout:
            self.output += line

    def new_link(self):
        """Another one-time link, as `manage.py signin_link` prints it."""
        command = [sys.executable, "manage.py", "signin_link", "--base-url", self.url]
        environment = {**os.environ, "STUDIO_VAR": str(self.var)}
        return subprocess.check_output(command, cwd=ROOT, env=environment, text=True).strip()


@contextmanager
def running_studio(**environment):
    inherited = {name: value for name, value in os.environ.items() if name not in MODEL_SETTINGS}
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
    # Not pytest's folder: the path of the broker's socket may have no more than 107 bytes.
    with tempfile.TemporaryDirectory(prefix="studio-") as var:
        process = subprocess.Popen(
            [sys.executable, "-m", "studio.serve", "--port", str(port)],
            cwd=ROOT,
            env={**inherited, "STUDIO_VAR": var, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            yield Studio(process, Path(var))
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(SECONDS)
            finally:
                process.kill()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """A test that failed tells what its pages did."""
    report = yield
    if report.failed and (open_page := item.funcargs.get("open_page")):
        report.sections.append(("What the browser did", str(open_page.witness)))
    return report


@pytest.fixture(scope="session")
def model() -> Script:
    return Script()


@pytest.fixture
def script(model) -> Iterator[Script]:
    """What the model of `studio` says in this test."""
    yield model
    model.end()


@pytest.fixture(scope="session")
def studio(engine, model) -> Iterator[Studio]:
    """A studio whose model says what a test puts into `script`."""
    with (
        ScriptedEndpoint(model) as endpoint,
        running_studio(
            OPENAI_BASE_URL=endpoint.base_url, OPENAI_API_KEY="key", STUDIO_MODEL="scripted"
        ) as running,
    ):
        yield running


@pytest.fixture(scope="session")
def recipes_studio(engine) -> Iterator[Studio]:
    """A studio without a language model."""
    with running_studio() as running:
        yield running


@pytest.fixture(scope="session")
def browser(chromium_path):
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-background-networking"]
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def sessions():
    """The cookies of whoever has signed in, by studio: a link works once."""
    return {}


@pytest.fixture(params=OPPOSITE, ids=str)
def look(request) -> Look:
    """How the studio is seen: a walk that asks for this goes through two opposite looks."""
    return request.param


@pytest.fixture
def say(look):
    """Says a label in the language of the look."""
    return look.say


@pytest.fixture
def open_page(browser, sessions):
    """Opens a signed-in page; at the end no page may have complained in its console.

    Nothing moves on it unless that is asked for: drawn without a graphics card it takes a core.
    A test that makes it complain takes the complaint out of `open_page.complaints`.
    """
    contexts, complaints, witness = [], [], Witness()

    def open_(studio, path="/", look=None, **options):
        seen = look.options if look else {}
        # A driven browser lets a worker wait when it begins, and with it what the page asks for.
        alone = {"service_workers": "block", "reduced_motion": "reduce"}
        options = {**alone, **seen, **options}
        context = browser.new_context(storage_state=sessions.get(studio.url), **options)
        contexts.append(context)
        context.add_init_script(LISTENS)
        page = context.new_page()
        witness.watch(page)
        page.add_locator_handler(page.locator(DEAF).first, lambda: None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                complaints.append(f"{message.text} ({message.location})")
                if message.type in ("error", "warning")
                and not any(told in message.text for told in NOT_ITS_FAULT)
                else None
            ),
        )
        page.goto(studio.url + path if studio.url in sessions else studio.link)
        if studio.url not in sessions:
            sessions[studio.url] = context.storage_state()
            page.goto(studio.url + path)
        return page

    open_.complaints, open_.witness = complaints, witness
    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def lone_page(browser):
    """A page without a studio, `http://alone.test/`, that can import what is in `static`."""
    context = browser.new_context()
    context.set_default_timeout(4 * SECONDS * 1000)
    page = context.new_page()
    page.route("http://alone.test/", lambda route: route.fulfill(body="", content_type="text/html"))
    page.route(
        "http://alone.test/js/*",
        lambda route: route.fulfill(path=ROOT / "static/js" / route.request.url.split("/")[-1]),
    )
    page.goto("http://alone.test/")
    yield page
    context.close()


@pytest.fixture
def ask():
    """Types a request on the page that is shown, sends it, and waits for the project's page."""

    def ask_(page, prompt, files=()):
        requests = page.locator("[data-run]")
        before = requests.count()
        page.get_by_role("textbox").fill(prompt)
        if files:
            page.locator("input[type=file]").set_input_files(files)
        page.keyboard.press("Control+Enter")
        # The one before may have asked for the same.
        expect(requests).to_have_count(before + 1)
        expect(requests.last.locator(".request-text")).to_have_text(prompt)

    return ask_


@pytest.fixture
def show_more():
    """Scrolls on where more files follow, which may be coming already, until they are there."""

    def show_more_(page, shown, times):
        for _ in range(times):
            before = shown.count()
            if not page.locator(".more, .more-cards").count():
                return
            page.evaluate("document.querySelector('.more, .more-cards')?.scrollIntoView()")
            expect(shown.nth(before)).to_be_attached()

    return show_more_


@pytest.fixture
def show_files():
    """Where a phone shows the conversation, goes on to the files, as a person does."""

    def show_files_(page):
        files = page.locator("[data-show-pane=files]")
        if files.is_visible():
            files.click()

    return show_files_


@pytest.fixture
def until_ended():
    def wait(page, reason="submitted"):
        run = page.locator("[data-run]").last
        expect(run).to_have_attribute("data-state", "ended", timeout=4 * SECONDS * 1000)
        expect(run).to_have_attribute("data-reason", reason)

    return wait
