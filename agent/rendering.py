"""How far a command has come, read from what it prints: rather nothing than a guess.

Only whole lines are read, those that are written over with `\\r` among them. A line counts if it is
ffmpeg's, draws a bar, or counts frames, pages and the like. What counts first is followed to its
end, and nothing else is listened to meanwhile, so that the share falls only when it was full.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.capture import printable
from agent.hints import Rendering

LINE_CHARS, NOTE_CHARS, LABEL_CHARS = 200, 60, 30
LINES = 100  # Of a flood the last ones are read.
FULL = 0.98

LIKELY = re.compile(r"\d\s?[/%％]|\d (?:out )?of \d|:\d\d:\d\d")
ENDS = re.compile(r"[\r\n]")
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# Getting things is not making them.
OTHERS = re.compile(
    r"download|install|collect|receiv|resolv|fetch|unpack|extract|\b(?:pip|npm|cpu|memory)\b",
    re.IGNORECASE,
)
THINGS = (
    r"(?:(?:frame|step|scene|page|slide|tile|image|picture|part|chunk|sample|clip|bar|layer"
    r"|iteration|epoch|shot|segment|track)s?\b|[第帧页张步幕段])"
)
DOING = (
    r"(?:\b(?:render|encod|draw|writ|export|process|generat|progress|convert|compos|mix|mak|sav"
    r"|done\b|complet)|进度|渲染|编码|生成|导出|绘制|合成|完成)"
)
SHARE = r"(?<![\w.,/+-])(?<!\d:)(\d{1,3}(?:\.\d{1,4})?)\s?[%％]"
COUNT = r"(?<![\w./:])(\d{1,7})\s?(?:/|of|out of)\s?(\d{1,7})(?![\d/.:])"
BARS = re.compile(rf"{SHARE}\s?[|▀-▟]")
SHARES = re.compile(rf"{DOING}[^%％]{{0,40}}?{SHARE}|{SHARE}\W{{0,3}}{DOING}", re.IGNORECASE)
BARE = re.compile(SHARE)
COUNTS = re.compile(
    rf"{DOING}.*[\[(]{COUNT}[\])]|{THINGS}[\s:#=№]{{0,3}}{COUNT}|{COUNT}\s?{THINGS}|^\s*[\[(]\s?{COUNT}\s?[\])]"
    rf"|{DOING}\w*[^\d\n]{{0,20}}{COUNT}(?=\s*(?:$|[^\w\s]|{THINGS}|{DOING}))",
    re.IGNORECASE,
)
CLOCK = r"(\d+):(\d\d):(\d\d(?:\.\d+)?)"
DURATION = re.compile(rf"^\s*Duration: {CLOCK}")
TIMES = re.compile(rf"\btime={CLOCK}.*(?:speed|bitrate)=|^out_time={CLOCK}")
ART = re.compile(r"[|▀-▟━─=#>*.·\s\[\](){}-]{2,}|[:=|#\[(\s-]+$")


@dataclass(frozen=True, slots=True)
class Found:
    """What a line says; lines of the same `series` go on from each other."""

    series: tuple[object, ...]
    share: float
    note: str


class Reader:
    """Reads the output of one command, in pieces cut anywhere."""

    def __init__(self) -> None:
        self._rest = ""
        self._duration = 0.0
        self._at: Found | None = None
        self._said: Rendering | None = None

    def read(self, text: str) -> Rendering | None:
        """How far the command has come, if `text` says anything new about that."""
        *lines, rest = ENDS.split(text)
        if lines:
            lines[0] = self._rest + lines[0]
            self._rest = ""
        for line in lines[-LINES:]:
            self._take(line)
        self._rest = (self._rest + rest[: LINE_CHARS + 1])[: LINE_CHARS + 1]
        said, self._said = self._said, None
        return said

    def _take(self, line: str) -> None:
        if len(line) > LINE_CHARS or not LIKELY.search(line):
            return
        line = ESCAPES.sub("", line)
        if duration := DURATION.search(line):
            self._duration = max(self._duration, _seconds(duration.groups()))
        elif times := TIMES.search(line):
            self._time(_seconds([part for part in times.groups() if part]))
        elif not OTHERS.search(line) and (found := _found(line)):
            self._follow(found)

    def _time(self, seconds: float) -> None:
        """ffmpeg has come to this point; how much there is it says only of what it reads."""
        if self._duration > 0 and seconds <= self._duration * 1.01:
            note = f"{_clock(seconds)} / {_clock(self._duration)}"
            self._follow(Found(("ffmpeg",), min(1.0, seconds / self._duration), note))
        elif self._at is None:
            self._said = Rendering(None, _clock(seconds))

    def _follow(self, found: Found) -> None:
        at = self._at
        if at is None or at.share >= FULL:
            goes_on = at is not None and at.series == found.series and found.share >= at.share
            if found.share >= 1 and not goes_on:
                return  # What begins with its end says nothing.
        elif found.series != at.series or found.share < at.share:
            return
        if found != at:
            self._at, self._said = found, Rendering(round(found.share, 4), found.note)


def _found(line: str) -> Found | None:
    if bar := BARS.search(line):
        count = re.search(COUNT, line[bar.end() :])
        amount = f" {count[1]}/{count[2]}" if count else ""
        return _share("bar", line, bar.start(), bar[1], amount)
    if counted := COUNTS.search(line):
        at, total = (int(part) for part in counted.groups() if part)
        if total < 2 or at > total:
            return None
        label = _label(line[: counted.start()])
        return Found(("count", label, total), at / total, _note(f"{label} {counted[0]}"))
    shared = SHARES.search(line) if any(char.isalpha() for char in line) else BARE.search(line)
    if shared is None:
        return None
    share = next(part for part in shared.groups() if part)
    return _share("share", line, line.index(share, shared.start()), share, "")


def _share(kind: str, line: str, begin: int, share: str, amount: str) -> Found | None:
    if float(share) > 100:
        return None
    label = _label(line[:begin])
    return Found((kind, label), float(share) / 100, _note(label + amount))


def _label(text: str) -> str:
    """The words before a number, without drawn bars."""
    return ART.sub(" ", text).strip(" :")[-LABEL_CHARS:].strip()


def _note(text: str) -> str:
    return printable(" ".join(text.strip(" :-").split())[:NOTE_CHARS])


def _seconds(parts: Sequence[str]) -> float:
    hours, minutes, seconds = parts
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
