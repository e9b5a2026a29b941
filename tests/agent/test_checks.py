"""What `check` finds comes back to the model before its files are handed over, once."""

import json
import shlex
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import Agent, DirectoryStore, Limits
from agent.capture import Saved, printable
from agent.checks import MOST_REFUSALS, Checks
from agent.events import Event, Reason, RunEnded, ToolFinished
from agent.expected import Expected
from agent.loop import Stop
from agent.sandbox import Exited, Printed
from agent.testing import MemorySandbox, ScriptedModel, bash, submit
from agent.trajectories import Recorded

PATH = "/workspace/output/a.png"
BLANK = ("fail", "nothing to see: one flat colour")
QUIET = ("warn", "very quiet")


def said(path: str, *findings: tuple[str, str]) -> str:
    told = [{"level": level, "code": "x", "text": text, "values": {}} for level, text in findings]
    return json.dumps({"path": path, "bytes": 1, "findings": told}) + "\n"


def play(
    tmp_path, turns, checks, prompt="A picture", **options
) -> tuple[list[ToolFinished], RunEnded]:
    sandbox = options.pop("sandbox", None) or MemorySandbox()
    sandbox.checks.update(checks)
    agent = Agent(ScriptedModel(turns), sandbox, DirectoryStore(tmp_path), **options)
    events = [event for event in agent.run(prompt) if isinstance(event, Event)]
    submits = [e for e in events if isinstance(e, ToolFinished) and e.exit_code is None]
    assert isinstance(events[-1], RunEnded)
    return submits, events[-1]


def test_a_model_is_told_once_of_what_failed_and_may_submit_all_the_same(tmp_path) -> None:
    turns = [bash("echo x > output/a.png"), submit("Done."), submit("Meant to be so.")]
    (first, second), end = play(tmp_path, turns, {PATH: said(PATH, QUIET, BLANK)})
    assert first.failed
    assert first.output.splitlines() == [
        "Not submitted yet: `check` finds what is broken for whoever opens it, or not as asked.",
        "- a.png: nothing to see: one flat colour",
        "And what is worth a look:",
        "- a.png: very quiet",
        "Mend it and submit again; if it is meant to be so, just submit again.",
    ]
    assert not second.failed
    assert (end.reason, end.summary) == (Reason.SUBMITTED, "Meant to be so.")


@pytest.mark.parametrize(
    "checks",
    [
        {},
        {PATH: said(PATH)},
        {PATH: said(PATH, QUIET)},
        {PATH: said("/workspace/output/other.png", BLANK)},
        {PATH: "Segmentation fault\n"},
    ],
    ids=["no check", "nothing found", "only a warning", "of another file", "no sense"],
)
def test_nothing_stands_in_the_way_of(tmp_path, checks) -> None:
    submits, end = play(tmp_path, [bash("echo x > output/a.png"), submit("Done.")], checks)
    assert [event.failed for event in submits] == [False]
    assert end.reason is Reason.SUBMITTED


def test_in_the_last_turn_nothing_is_checked(tmp_path) -> None:
    turns = [bash("echo x > output/a.png"), submit("Done.")]
    checks = {PATH: said(PATH, BLANK)}
    _, end = play(tmp_path, turns, checks, limits=Limits(turns=2))
    assert end.reason is Reason.SUBMITTED


def test_a_stop_ends_a_check(tmp_path) -> None:
    stop = Stop()

    class Slow(MemorySandbox):
        def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
            if "/usr/local/bin/check" not in command:
                yield from super().run(command, timeout)
                return
            stop.set()
            for _ in range(1000):
                yield None
            raise AssertionError("it went on")

    turns = [bash("echo x > output/a.png"), submit("Done.")]
    _, end = play(tmp_path, turns, {}, sandbox=Slow(), stop=stop)
    assert end.reason is Reason.STOPPED


ANYTHING = Expected()


class Files:
    """A `Capture` of what a test puts there."""

    def __init__(self) -> None:
        self.changed: tuple[Saved, ...] = ()


class Shell(MemorySandbox):
    """Answers any command with what it is given to say; keeps the commands."""

    def __init__(self, *items: Printed | Exited | None) -> None:
        super().__init__()
        self.items, self.commands = items, []

    def run(self, command: str, timeout: float) -> Iterator[Printed | Exited | None]:
        self.commands.append(command)
        yield from self.items


def refusal(checks: Checks) -> str:
    steps = checks.refusal()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def made(sandbox: Shell, *files: str, asked: Expected = ANYTHING, left: float = 900) -> Checks:
    capture = Files()
    capture.changed = tuple(Saved(name, "0") for name in files)
    return Checks(sandbox, capture, asked, lambda: left)


def test_it_asks_for_what_the_request_asks_for_and_takes_any_name_literally() -> None:
    sandbox = Shell(Exited(0))
    refusal(made(sandbox, "it's; rm -rf.mp4", asked=Expected(seconds=30)))
    assert [shlex.split(command) for command in sandbox.commands] == [
        [
            *("command", "/usr/local/bin/check", "--json", "--asked", '{"seconds": 30}', "--"),
            "/workspace/output/it's; rm -rf.mp4",
        ]
    ]


def test_files_that_have_not_changed_are_not_checked_again() -> None:
    sandbox = Shell(Printed(said(PATH, BLANK).encode()), Exited(1))
    checks = made(sandbox, "a.png")
    assert refusal(checks)
    assert not refusal(checks)
    assert len(sandbox.commands) == 1


def test_what_was_told_is_not_told_again_of_a_changed_file_and_new_things_a_few_times() -> None:
    files = Files()
    sandbox = Shell(Printed(said(PATH, BLANK).encode()), Exited(1))
    checks = Checks(sandbox, files, Expected(), lambda: 900)
    told = []
    for number in range(MOST_REFUSALS + 3):
        files.changed = (Saved("a.png", str(number)),)
        if number:
            again = said(PATH, BLANK, ("fail", f"wrong in a new way: {number}"))
            sandbox.items = (Printed(again.encode()), Exited(1))
        told.append(refusal(checks))
    assert "flat colour" in told[0]
    assert "flat colour" not in told[1]
    assert "a new way: 1" in told[1]
    assert [bool(text) for text in told] == [True] * MOST_REFUSALS + [False] * 3


def test_a_check_that_did_not_end_is_not_believed() -> None:
    lines = Printed(said(PATH, BLANK).encode())
    assert not refusal(made(Shell(lines, Exited(124, timed_out=True)), "a.png"))
    assert not refusal(made(Shell(lines, Exited(127)), "a.png"))


def test_what_other_commands_print_meanwhile_is_left_out() -> None:
    lines = Printed(said(PATH, BLANK).encode(), background=True)
    assert not refusal(made(Shell(lines, Exited(0)), "a.png"))


def test_it_takes_no_more_time_than_the_run_has() -> None:
    sandbox = Shell(Exited(0))
    assert not refusal(made(sandbox, "a.png", left=5))
    assert not sandbox.commands


@given(
    st.lists(
        st.binary(max_size=300)
        | st.text(max_size=50).map(lambda text: said(PATH, ("fail", text * 99)).encode())
        | st.just(said(PATH, BLANK, QUIET).encode() * 200),
        max_size=8,
    )
)
def test_whatever_it_prints_the_answer_is_short_and_printable(pieces: list[bytes]) -> None:
    text = refusal(made(Shell(*map(Printed, pieces), Exited(1)), "a.png"))
    assert len(text) < 15_000
    assert all(printable(line) == line for line in text.split("\n"))


def test_an_endless_output_is_not_kept() -> None:
    flood = [Printed(b"x" * (1 << 20))] * 50
    checks = made(Shell(*flood, Exited(1)), "a.png")
    assert not refusal(checks)


def test_a_recorded_run_that_is_now_refused_submits_again(tmp_path) -> None:
    sandbox = MemorySandbox()
    sandbox.checks[PATH] = said(PATH, BLANK)
    turns = [bash("echo x > output/a.png"), submit("Done.")]
    store = DirectoryStore(tmp_path)
    recorded = Recorded(
        [
            ("", event)
            for event in Agent(ScriptedModel(turns), MemorySandbox(), store).run("A picture")
        ]
    )
    *_, end = Agent(recorded, sandbox, store).run("A picture")
    assert isinstance(end, RunEnded)
    assert (end.reason, end.summary) == (Reason.SUBMITTED, "Done.")
