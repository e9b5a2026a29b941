"""`python -m agent run`: one request, its events on the screen, its files in a folder."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from agent.cli import pause
from agent.cli.keeping import MISSING, USAGE, keep, problem_of_request
from agent.errors import ModelUnavailable
from agent.events import Shown
from agent.inputs import Input
from agent.limits import Limits
from agent.loop import Agent, Stop
from agent.models import Model
from agent.models.choose import model_from_environment
from agent.models.openai import OpenAIModel
from agent.prompts import BrokenPrompt, Prompts
from agent.sandbox.confinement import Confinement
from agent.sandbox.docker import DockerSandbox
from agent.store import DirectoryStore


def run(chosen: argparse.Namespace) -> int:
    """Make what the command line asks for; the exit code."""
    if problem := problem_of_request(chosen):
        print(problem, file=sys.stderr)
        return USAGE
    try:
        model = model_from_environment(name=chosen.model, base_url=chosen.base_url)
    except ModelUnavailable as error:
        print(error, file=sys.stderr)
        return MISSING
    try:
        prompts = Prompts(Path(folder)) if (folder := os.environ.get("STUDIO_PROMPTS")) else None
    except BrokenPrompt as error:
        print(f"STUDIO_PROMPTS: {error}", file=sys.stderr)
        return USAGE
    if chosen.record is None:
        return make(model, chosen, prompts)
    if not isinstance(model, OpenAIModel):
        print("Recipes ask no endpoint: there is nothing for --record.", file=sys.stderr)
        return USAGE
    try:
        file = chosen.record.open("w", encoding="utf-8", errors="replace")
    except OSError as error:
        print(f"{chosen.record} cannot be written: {error.strerror}.", file=sys.stderr)
        return USAGE
    with file:
        told = model.recorded(lambda exchange: _write(exchange, file))
        return make(told, chosen, prompts)


def _write(exchange: Mapping[str, Any], file: IO[str]) -> None:
    print(json.dumps(exchange, ensure_ascii=False), file=file, flush=True)


def make(model: Model, chosen: argparse.Namespace, prompts: Prompts | None = None) -> int:
    """Make what is asked for with that model; the exit code."""

    def happening(store: DirectoryStore, stop: Stop) -> Iterator[Shown]:
        def begin(limits: Limits) -> Agent:
            sandbox = DockerSandbox(Confinement(network=chosen.network or "none"))
            return Agent(model, sandbox, store, limits, stop, prompts)

        limits = Limits(
            turns=chosen.max_turns,
            seconds=chosen.timeout,
            tokens=chosen.max_tokens,
            cost=chosen.max_cost,
        )
        inputs = [Input.from_path(path) for path in chosen.input]
        goes_on = pause.told if chosen.json else pause.asked
        return pause.through_pauses(begin, chosen.prompt, inputs, limits, goes_on)

    return keep(chosen, happening)
