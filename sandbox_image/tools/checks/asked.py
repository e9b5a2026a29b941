"""What the request asks for against what was made: how long, how large, on which paper."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from checks.report import Report

T = TypeVar("T")

LASTING, PIXELS, PAPERS = {"video", "sound", "MIDI"}, {"video", "picture"}, {"PDF"}
# Off by more than rounding, fades and whole bars.
SHARE, SECONDS = 0.1, 1.0
SIDE_SHARE = 0.005


def read(text: str) -> Mapping[str, object]:
    """The JSON of `--asked`; ValueError if it is not an object."""
    asked = json.loads(text or "{}")
    if not isinstance(asked, dict):
        raise ValueError("not a JSON object")
    return asked


def compare(reports: Sequence[Report], asked: Mapping[str, object]) -> None:
    """Adds findings where nothing that was made is as it was asked for."""
    seconds, size, paper = asked.get("seconds"), asked.get("size"), asked.get("paper")
    if isinstance(seconds, int | float) and seconds > 0:
        each(reports, LASTING, float(seconds), long_enough, wrong_seconds)
    if isinstance(size, list) and len(size) == 2 and all(isinstance(side, int) for side in size):
        each(reports, PIXELS, (int(size[0]), int(size[1])), large_enough, wrong_size)
    if isinstance(paper, str):
        each(reports, PAPERS, paper, on_paper, wrong_paper)
    if asked.get("bleed") is True:
        each(reports, PAPERS, True, has_bleed, no_bleed)


def concerns(report: Report, asked: Mapping[str, object]) -> bool:
    """Whether something that was asked for is said of files like this one."""
    kinds = [
        kinds
        for names, kinds in (
            (("seconds",), LASTING),
            (("size",), PIXELS),
            (("paper", "bleed"), PAPERS),
        )
        if any(asked.get(name) for name in names)
    ]
    return report.readable and any(report.kind in one for one in kinds)


def each(
    reports: Sequence[Report],
    kinds: set[str],
    wanted: T,
    right: Callable[[Report, T], bool],
    say: Callable[[Report, T], None],
) -> None:
    """Of several files only one need be what was asked for."""
    meant = [report for report in reports if report.readable and report.kind in kinds]
    if not any(right(report, wanted) for report in meant):
        for report in meant:
            say(report, wanted)


def long_enough(report: Report, seconds: float) -> bool:
    # Some have no length of their own.
    off = abs((report.seconds or seconds) - seconds)
    return off <= max(SECONDS, SHARE * seconds)


def wrong_seconds(report: Report, seconds: float) -> None:
    found = report.seconds or 0
    text = f"it lasts {found:g} s; {seconds:g} s were asked for"
    report.fail("wrong_seconds", text, asked=seconds, found=found)


def large_enough(report: Report, size: tuple[int, int]) -> bool:
    found = sorted((report.width or 0, report.height or 0))
    return all(abs(a - b) <= SIDE_SHARE * b for a, b in zip(found, sorted(size), strict=True))


def wrong_size(report: Report, size: tuple[int, int]) -> None:
    found, wanted = f"{report.width}x{report.height}", f"{size[0]}x{size[1]}"
    text = f"it has {found} pixels; {wanted} were asked for"
    report.fail("wrong_size", text, asked=wanted, found=found)


def on_paper(report: Report, paper: str) -> bool:
    return paper in str(report.facts.get("paper", paper)).split()


def wrong_paper(report: Report, paper: str) -> None:
    found = str(report.facts["paper"])
    text = f"its paper is {found}; {paper} was asked for"
    report.fail("wrong_paper", text, asked=paper, found=found)


def has_bleed(report: Report, _: bool) -> bool:
    return report.facts.get("bleed", "none") != "none"


def no_bleed(report: Report, _: bool) -> None:
    text = "it has no bleed: the paper ends where the picture does; make it 3 mm larger all round"
    report.warn("no_bleed", text)
