"""The paper's reference package: closing a sandbox, and runs against an endpoint."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence

from llm_in_sandbox import Agent, AgentArgs, DockerRuntime
from llm_in_sandbox.cli import get_default_config_path, load_prompt_config

from benchmarks.measure import milliseconds
from benchmarks.peers import Sampler, serve

STEPS, TOKENS = 1000, 10_000_000


@contextlib.contextmanager
def opened() -> Iterator[Sampler]:
    """Samples of `DockerRuntime.close`, or whole runs in one sandbox; the endpoint times these."""
    config = load_prompt_config(get_default_config_path())
    runtimes: list[DockerRuntime] = []

    def start() -> DockerRuntime:
        # Its own image has no entrypoint, and root for its user.
        return DockerRuntime(sys.argv[1], logger=False, entrypoint=[], user="0")

    def run(url: str) -> None:
        if not runtimes:
            runtimes.append(start())
        folders = {name: config[name] for name in ("input_dir", "output_dir", "working_dir")}
        arguments = AgentArgs(
            system_prompt=config["system_prompt"].format(**folders),
            instance_prompt=config["instance_prompt"].format(
                **folders, problem_statement="{problem_statement}"
            ),
            llm_name="openai/scripted",
            llm_base_url=url,
        )
        steps = (
            Agent(arguments)
            .run(runtimes[0], "Do nothing.", max_steps=STEPS, max_token_limit=TOKENS)
            .steps
        )
        assert steps[-1].action["function"] == "submit", steps[-1]

    def samples(times: int = 0, url: str = "") -> Sequence[float]:
        if url:
            run(url)
        return [milliseconds(start().close) for _ in range(times)]

    try:
        yield samples
    finally:
        for runtime in runtimes:
            runtime.container.remove(force=True)
            runtime.container = None


if __name__ == "__main__":
    serve(opened)
