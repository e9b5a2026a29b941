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
    ToolFinished,
    ToolPrinted,
    ToolStarted,
)

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
