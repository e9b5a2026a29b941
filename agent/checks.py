"""What `check` finds in the files of the output folder before they are handed over."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.capture import Capture, Saved, printable
from agent.expected import Expected
from agent.sandbox import OUTPUT, Exited, Printed, Sandbox

CHECK = "/usr/local/bin/check"
SECONDS, SECONDS_TO_SPARE = 60.0, 10.0
MOST_FILES, MOST_BYTES, MOST_FINDINGS, FINDING_CHARS = 40, 512 << 10, 30, 300
# What a check says that ran to its end: fine, findings, a file that cannot be read.
ENDED = (0, 1, 2)
# A model that changes its files for ever is told no more.
MOST_REFUSALS = 3
REFUSED = "Not submitted yet: `check` finds what is broken for whoever opens it, or not as asked."
WARNED = "And what is worth a look:"
AGAIN = "Mend it and submit again; if it is meant to be so, just submit again."


class Said(BaseModel):
    """A finding as `check --json` prints it; `level` is "fail" or "warn"."""

    model_config = ConfigDict(frozen=True)

    level: Literal["fail", "warn"]
    text: str = Field(max_length=4 * FINDING_CHARS)


class Report(BaseModel):
    """A line of `check --json`."""

    path: str
    findings: list[Said] = Field(max_length=1000)


@dataclass(frozen=True, slots=True)
class Finding:
    path: str
    level: str
    text: str

    def __str__(self) -> str:
        return f"- {self.path}: {self.text}"


class Checks:
    """Tells a model once of each thing that is wrong with what it is about to hand over.

    Whatever the check prints is a stranger's word: the sandbox may have any program in its place.
    """

    def __init__(
        self, sandbox: Sandbox, capture: Capture, asked: Expected, left: Callable[[], float]
    ) -> None:
        """`left` are the seconds that there are for it."""
        self._sandbox, self._capture, self._left = sandbox, capture, left
        self._asked = asked
        self._checked: set[Saved] = set()
        self._told: set[Finding] = set()
        self._refusals = 0

    def refusal(self) -> Generator[None, None, str]:
        """Why the files cannot be handed over yet, empty if they can; yields heart beats."""
        allowed = min(SECONDS, self._left() - SECONDS_TO_SPARE)
        if allowed <= 0 or self._refusals >= MOST_REFUSALS:
            return ""
        files = [saved for saved in self._capture.changed if saved not in self._checked]
        if not files:
            return ""
        self._checked.update(files)
        found = yield from self._find([file.path for file in files[:MOST_FILES]], allowed)
        new = [finding for finding in dict.fromkeys(found) if finding not in self._told]
        self._told.update(new)
        failed = [str(finding) for finding in new if finding.level == "fail"]
        warned = [str(finding) for finding in new if finding.level == "warn"]
        if not failed:
            return ""
        self._refusals += 1
        told = [REFUSED, *failed[:MOST_FINDINGS]]
        if warned and (room := MOST_FINDINGS - len(failed)) > 0:
            told += [WARNED, *warned[:room]]
        if (more := len(new) - MOST_FINDINGS) > 0:
            told.append(f"- and {more} more")
        return "\n".join([*told, AGAIN])

    def _find(self, paths: list[str], allowed: float) -> Generator[None, None, list[Finding]]:
        """What is wrong with these files; nothing where they could not be checked in time."""
        labels = {f"{OUTPUT}/{path}": path for path in paths if printable(path) == path}
        asked = json.dumps(self._asked.data())
        words = [CHECK, "--json", "--asked", asked, "--", *labels]
        printed, end = b"", Exited(1)
        # The whole path, and `command`, so that no alias or function of the shell takes its place.
        for item in self._sandbox.run(f"command {shlex.join(words)}", allowed):
            match item:
                case Printed(data) if not item.background:
                    printed += data[: MOST_BYTES - len(printed)]
                    yield None
                case Exited():
                    end = item
                case _:
                    yield None
        if end.code not in ENDED:
            return []
        return list(_read(printed.decode("utf-8", "replace"), labels))


def _read(printed: str, labels: dict[str, str]) -> Iterator[Finding]:
    for line in printed.splitlines():
        try:
            report = Report.model_validate_json(line)
        except ValidationError:
            continue
        if label := labels.get(report.path):
            for said in report.findings:
                yield Finding(label, said.level, printable(said.text)[:FINDING_CHARS])
