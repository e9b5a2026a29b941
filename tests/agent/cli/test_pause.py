"""A run at a terminal that pauses and asks."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent import Agent, Limits
from agent.cli import pause
from agent.events import Event, Reason, RunEnded, RunPaused
from agent.models import Reply
from agent.testing import MemorySandbox, ScriptedEndpoint, ScriptedModel, bash, submit

PAUSED = RunPaused(reason=Reason.TOKEN_LIMIT, message="The 50 tokens are used up.")


def test_a_run_goes_on_with_as_much_again_until_somebody_says_no(store):
    model = ScriptedModel([bash(f"echo {number} > output/{number}.txt") for number in range(9)])
    given, questions = [], []

    def begin(limits: Limits) -> Agent:
        given.append(limits.turns)
        return Agent(model, MemorySandbox(), store, limits)

    def goes_on(paused: RunPaused) -> bool:
        questions.append(paused.turns)
        return len(questions) < 3

    items = pause.through_pauses(begin, "Files.", [], Limits(turns=2), goes_on)
    kinds = [item.kind for item in items if isinstance(item, Event)]

    assert (given, questions) == ([2, 4, 6], [2, 4, 6])
    assert kinds.count("run.started") == 1
    assert kinds.count("run.resumed") == 2
    assert kinds.count("artifact.saved") == 6
    assert kinds[-1] == "run.paused"


def test_a_run_that_ends_asks_nothing(store):
    def begin(limits: Limits) -> Agent:
        return Agent(ScriptedModel([submit("ok")]), MemorySandbox(), store, limits)

    *_, end = pause.through_pauses(begin, "x", [], Limits(), pytest.fail)
    assert isinstance(end, RunEnded)


def test_without_a_terminal_it_says_how_to_give_more(capsys):
    assert not pause.told(PAUSED)
    said = capsys.readouterr().err
    assert said == "Paused: The 50 tokens are used up. Give it more with --max-tokens.\n"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("y", True), ("YES ", True), ("", False), ("no", False), (EOFError, False)],
)
def test_only_a_yes_is_a_yes(typed, answer, monkeypatch):
    def say(question: str) -> str:
        if isinstance(typed, str):
            return typed
        raise typed

    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", say)
    assert pause.asked(PAUSED) is answer


def test_ctrl_c_at_the_question_is_a_no_and_stops_nothing_later(monkeypatch):
    def interrupted(question: str) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return "y"

    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", interrupted)

    def stop(number: int, frame: object) -> None:
        pytest.fail("It was taken for a wish to stop the run.")

    before = signal.signal(signal.SIGINT, stop)
    try:
        assert not pause.asked(PAUSED)
        assert signal.getsignal(signal.SIGINT) is stop
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.engine
@pytest.mark.slow
def test_a_person_is_asked_and_the_run_goes_on_where_it_was(tmp_path):
    script = [
        Reply("One.", calls=bash("echo one > output/one.txt; echo two > notes.txt").calls),
        bash("cp notes.txt output/two.txt"),
        submit("Both."),
    ]
    outside, inside = pty.openpty()
    with ScriptedEndpoint(script) as endpoint:
        process = subprocess.Popen(
            [sys.executable, "-m", "agent", "run", "x", "--max-turns", "1", "--model", "m",
             "--base-url", endpoint.base_url],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(Path.cwd())},
            stdin=inside, stdout=inside, stderr=inside,
        )  # fmt: skip
        os.close(inside)
        said, answered = "", 0
        while process.poll() is None:
            try:
                said += os.read(outside, 4096).decode(errors="replace")
            except OSError:
                break
            if said.count("[y/N]") > answered:
                answered += 1
                os.write(outside, b"y\n")
        process.wait()
    os.close(outside)

    assert (process.returncode, answered) == (0, 2), said
    assert "Paused: All 2 turns are used up." in said
    assert (tmp_path / "output/two.txt").read_text() == "two\n"
    assert (tmp_path / "output/one.txt").read_text() == "one\n"
