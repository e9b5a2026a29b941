"""mini-swe-agent's loop, with the engine's containers and without any sandbox."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Sequence

import yaml
from minisweagent.agents.default import DefaultAgent
from minisweagent.config import builtin_config_dir
from minisweagent.environments.docker import DockerEnvironment
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel

from benchmarks.peers import Sampler, serve

# Its own image has no entrypoint, and root for its user.
RUN = ["--rm", "--entrypoint=", "--user=0", "--network=none"]


@contextlib.contextmanager
def opened() -> Iterator[Sampler]:
    """Whole runs against an endpoint, which keeps the time."""
    config = yaml.safe_load((builtin_config_dir / "mini.yaml").read_text())
    env = config["environment"]["env"]
    templates = {name: config["agent"][f"{name}_template"] for name in ("system", "instance")}
    docker = DockerEnvironment(image=sys.argv[1], run_args=RUN, env=env)
    environments = {"docker": docker, "local": LocalEnvironment(env=env)}

    def samples(url: str, sandbox: str) -> Sequence[float]:
        model = LitellmModel(
            model_name="openai/scripted",
            model_kwargs={"api_base": url, "api_key": "none", **config["model"]["model_kwargs"]},
            observation_template=config["model"]["observation_template"],
            cost_tracking="ignore_errors",
        )
        agent = DefaultAgent(
            model,
            environments[sandbox],
            system_template=templates["system"],
            instance_template=templates["instance"],
        )
        end = agent.run("Do nothing.")
        assert end["exit_status"] == "Submitted", end
        return []

    try:
        yield samples
    finally:
        # Its own way to end goes on in the background after its process has ended.
        subprocess.run(["docker", "rm", "--force", docker.container_id], check=True)
        docker.container_id = None


if __name__ == "__main__":
    serve(opened)
