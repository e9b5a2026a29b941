"""The command line: `python -m agent run "PROMPT"`, `… replay FILE`, `… doctor`."""

from __future__ import annotations

import argparse
import logging
import math
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from agent.cli import doctor, remote, replay, run
from agent.limits import Limits
from agent.sandbox.confinement import Network


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit code.

    0 submitted, 1 without a result or paused, 2 wrong usage, 3 engine, image, model or studio
    missing.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    chosen = _parser().parse_args(arguments)
    if chosen.command == "doctor":
        return doctor.doctor(model=chosen.model, base_url=chosen.base_url)
    if chosen.command == "replay":
        return replay.replay(chosen)
    return remote.run(chosen) if chosen.studio else run.run(chosen)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agent", description="Ask for a file, get it.")
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("run", help="make something")
    making.add_argument("prompt", help="what to make")
    making.add_argument("--max-turns", metavar="N", type=_positive, default=Limits().turns)
    making.add_argument("--max-tokens", metavar="N", type=_positive, help="default: no limit")
    making.add_argument(
        "--max-cost",
        metavar="AMOUNT",
        type=_positive_amount,
        help="in the currency of the model's prices (default: no limit)",
    )
    making.add_argument(
        "--record",
        metavar="FILE",
        type=Path,
        help="write there what the endpoint is asked and answers, word for word but for secrets",
    )
    making.add_argument(
        "--studio",
        metavar="URL",
        help="have it made by the studio at this address, with the token in STUDIO_TOKEN",
    )
    making.add_argument(
        "--token-file", metavar="FILE", type=Path, help="where the token is, if not in STUDIO_TOKEN"
    )
    replaying = commands.add_parser(
        "replay", help="do once more what a recorded run did, without its model"
    )
    replaying.add_argument(
        "file", metavar="FILE", type=Path, help="run.jsonl, messages.json or trajectory.json"
    )
    replaying.set_defaults(max_tokens=None, max_cost=None)
    for command in (making, replaying):
        command.add_argument(
            "--input", metavar="PATH", type=Path, action="append", default=[], help="a file to give"
        )
        command.add_argument("--output", metavar="DIR", type=Path, default=Path("output"))
        command.add_argument(
            "--timeout", metavar="SECONDS", type=_positive, default=Limits().seconds
        )
        command.add_argument(
            "--network",
            choices=get_args(Network),
            help="what the sandbox reaches: nothing, the indexes of this machine's pip, npm and "
            "apt, or everything (default: none, or what the studio has for new projects)",
        )
        command.add_argument("--json", action="store_true", help="print one event per line as JSON")
    checking = commands.add_parser("doctor", help="see whether everything is there")
    for command in (making, checking):
        command.add_argument(
            "--model",
            help="its name, or endpoint/model of STUDIO_ENDPOINTS "
            "(default: STUDIO_MODEL, or the built-in recipes)",
        )
        command.add_argument("--base-url", metavar="URL", help="default: OPENAI_BASE_URL")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise argparse.ArgumentTypeError("must be more than 0")
    return number


def _positive_amount(text: str) -> float:
    amount = float(text)
    if not 0 < amount < math.inf:
        raise argparse.ArgumentTypeError("must be an amount of more than 0")
    return amount
