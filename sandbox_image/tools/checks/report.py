"""The outcome of one check, and running the programs that measure."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field

SECONDS = 120


class Unreadable(Exception):
    """The file can't be decoded as what its name says."""


@dataclass
class Finding:
    level: str  # "fail": broken for whoever opens it; "warn": a person should look
    text: str


@dataclass
class Report:
    path: str
    bytes: int
    kind: str = ""
    facts: dict[str, object] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def fail(self, text: str) -> None:
        self.findings.append(Finding("fail", text))

    def warn(self, text: str) -> None:
        self.findings.append(Finding("warn", text))

    def text(self) -> str:
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        lines = [
            f"{self.path}: {self.kind or 'file'}, {self.bytes:,} bytes" + f", {facts}" * bool(facts)
        ]
        lines += [f"  {finding.level.upper()} {finding.text}" for finding in self.findings]
        return "\n".join([*lines, *["  ok"] * (not self.findings)])


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
        raise Unreadable(f"{command[0]} took longer than {seconds:.0f} s") from None
