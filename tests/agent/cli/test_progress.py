"""What the command line shows of a run."""

import io

import pytest
from rich.console import Console

from agent.cli.progress import Progress
from agent.events import (
    ModelSpoke,
    Reason,
    Resources,
    RunEnded,
    RunPaused,
    ToolFinished,
    ToolPrinted,
    ToolStarted,
    Usage,
)
from agent.hints import Rendering, Waiting

EVIL = "\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m\x9b5n\x08\x00 汉字\u3000fine"
SHOWN = "red5n 汉字\u3000fine"


@pytest.mark.parametrize(
    "event",
    [
        ModelSpoke(turn=1, text=EVIL),
        ToolStarted(call="1", tool="execute_bash", arguments={"command": EVIL}),
        ToolPrinted(call="1", text=EVIL),
        ToolFinished(call="1", output=EVIL, failed=True),
        RunEnded(reason=Reason.SUBMITTED, message="", summary=EVIL),
    ],
    ids=lambda event: event.kind,
)
def test_what_a_stranger_says_cannot_speak_to_the_terminal(event):
    shown = io.StringIO()
    Progress(Console(file=shown, force_terminal=False, width=200)).show(event)
    assert SHOWN in shown.getvalue()
    assert not set(shown.getvalue()) & set(map(chr, [*range(10), *range(11, 32), *range(127, 160)]))


def test_the_end_says_what_the_sandbox_used():
    shown = io.StringIO()
    used = Resources(cpu_seconds=3.21, peak_memory=210_000_000)
    end = RunEnded(reason=Reason.SUBMITTED, message="", turns=4, seconds=9.0, resources=used)
    Progress(Console(file=shown, width=200)).show(end)
    assert "9 s, 4 turns, CPU 3.2 s, memory up to 210 MB" in shown.getvalue()


def test_a_pause_says_why_and_what_it_took_so_far():
    shown = io.StringIO()
    usage = Usage(1200, 300, 1000, 0.0123)
    paused = RunPaused(reason=Reason.TURN_LIMIT, message="All 2 turns are used up.", usage=usage)
    Progress(Console(file=shown, width=200)).show(paused)
    assert "Paused: All 2 turns are used up." in shown.getvalue()
    assert "1,500 tokens (1,000 cached), cost 0.0123" in shown.getvalue()


def test_each_wait_for_the_model_is_told_once():
    shown = io.StringIO()
    progress = Progress(Console(file=shown, width=200))
    for seconds in (2.0, 1.5, 0.5, 8.0, 7.5):
        progress.show(Waiting("busy", seconds))
    assert shown.getvalue().splitlines() == [
        "Waiting for the model: busy, again in 2 s",
        "Waiting for the model: busy, again in 8 s",
    ]


WAIT = [Waiting("busy", 8.0), Waiting("busy", 7.6), Waiting("busy", 0.4)]


def shown_waiting(*, terminal):
    shown = io.StringIO()
    progress = Progress(Console(file=shown, force_terminal=terminal, width=200))
    for item in [*WAIT, ModelSpoke(turn=1, text="Here I am."), WAIT[0]]:
        progress.show(item)
    return shown.getvalue()


def test_a_wait_for_the_model_is_counted_down_in_one_line_of_a_terminal():
    *lines, last = shown_waiting(terminal=True).split("\n")
    before, between, *_ = lines
    assert [part for part in ("8 s", "1 s") if part in before] == ["8 s", "1 s"]
    assert before.count("\r\x1b[2K") == 4
    assert before.endswith("\r\x1b[2K")
    assert "Here I am." in between
    assert "Waiting for the model: busy, again in 8 s" in last


def test_a_wait_for_the_model_is_told_once_where_a_line_stays():
    said = "Waiting for the model: busy, again in 8 s"
    assert shown_waiting(terminal=False).splitlines() == [said, "", "Here I am.", said]


def test_progress_is_told_in_one_line_of_a_terminal_and_nowhere_else():
    said = {}
    for terminal in (True, False):
        shown = io.StringIO()
        progress = Progress(Console(file=shown, force_terminal=terminal, width=200))
        for item in (
            Rendering(0.25, "frame 1/4\x1b[2J"),
            Rendering(0.5, "frame 2/4"),
            Rendering(None, "0:12"),
            ModelSpoke(turn=1, text="Made."),
        ):
            progress.show(item)
        said[terminal] = shown.getvalue()
    line, *_ = said[True].split("\n")
    assert [part for part in ("25% frame 1/4", "50% frame 2/4", "0:12") if part in line]
    assert line.count("\r\x1b[2K") == 4
    assert "\x1b[2J" not in line
    assert said[False].split() == ["Made."]
