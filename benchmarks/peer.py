"""A peer's program in the peers' own virtualenv: a line of JSON asks for a round of samples."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from sandbox_image import image_tag

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "var" / "peers"
LOGS = ROOT / "var" / "log"
# Peers that look for news at every start, or greet, are spared the time that it takes.
ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "MSWEA_SILENT_STARTUP": "1",
    "MSWEA_GLOBAL_CONFIG_DIR": str(PEERS / "config"),
    "OPENAI_API_KEY": "none",
}


class Peer:
    """A module of `benchmarks.peers`, running in a `with`."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._log = LOGS / f"peer-{module}.log"

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [PEERS / "bin" / "python", "-m", f"benchmarks.peers.{self._module}", image_tag()],
                cwd=ROOT,
                env=os.environ | ENVIRONMENT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        return self

    def __exit__(self, *exc: object) -> None:
        # The end of its input is a peer's sign to clean up and leave.
        self._process.communicate()

    def samples(self, **asked: Any) -> Sequence[float]:
        """Milliseconds that the peer measured.

        Raises:
            RuntimeError: it failed.
        """
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self._module} failed; {self._log} says why")
        return [float(sample) for sample in json.loads(answer)]
