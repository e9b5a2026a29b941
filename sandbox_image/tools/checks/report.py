"""The outcome of one check, and running the programs that measure."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field

SECONDS = 60
MOST_FINDINGS = 40
MOST_CHARACTERS = 300

Value = str | int | float


class Unreadable(Exception):
    """The file can't be decoded as what its name says; `code` and `values` as of a finding."""

    def __init__(self, reason: str, code: str = "unreadable", **values: Value) -> None:
        super().__init__(reason)
        self.reason, self.code, self.values = reason, code, values


@dataclass(frozen=True)
class Finding:
    """What is wrong with a file.

    `level` is "fail" (broken for whoever opens it) or "warn" (a person should look). `code` is a
    word that stays the same, `text` says it in English, `values` are what is filled into it.
    """

    level: str
    code: str
    text: str
    values: dict[str, Value] = field(default_factory=dict)


@dataclass
class Report:
    """What is known of one file.

    `width` and `height` are in pixels (of an SVG and of a PDF's first page: in CSS pixels);
    `readable` is false when it can't be decoded at all.
    """

    path: str
    bytes: int
    kind: str = ""
    facts: dict[str, object] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    width: int | None = None
    height: int | None = None
    seconds: float | None = None
    readable: bool = True

    def fail(self, code: str, text: str, /, **values: Value) -> None:
        self._add(Finding("fail", code, shorten(text), values))

    def warn(self, code: str, text: str, /, **values: Value) -> None:
        self._add(Finding("warn", code, shorten(text), values))

    def broken(self, error: Unreadable) -> None:
        """Nothing can be said but why it can't be read."""
        self.readable = False
        reason = shorten(error.reason)
        self.fail(error.code, f"cannot be read: {reason}", reason=reason, **error.values)

    def _add(self, finding: Finding) -> None:
        if len(self.findings) < MOST_FINDINGS and finding not in self.findings:
            self.findings.append(finding)

    def text(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        lines = [
            f"{self.path}: {self.kind or 'file'}, {self.bytes:,} bytes" + f", {facts}" * bool(facts)
        ]
        lines += [f"  {finding.level.upper()} {finding.text}" for finding in self.findings]
        return "\n".join([*lines, *["  ok"] * (not self.findings)])


def shorten(text: str, most: int = MOST_CHARACTERS) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def run(*command: str, seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
    """Runs a measuring program; raises Unreadable when it takes too long."""
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(f"{command[0]} took longer than {seconds:.0f} s", "too_slow") from None
