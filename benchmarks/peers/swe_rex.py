"""swe-rex: its server on this machine and its client, a command in the session's shell.

Its server runs beside the client and not in a container, because our image doesn't have it and a
sealed container has no port to reach it by. What is left out is in its favour.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from swerex.runtime.abstract import BashAction, CreateBashSessionRequest
from swerex.runtime.remote import RemoteRuntime
from swerex.utils.free_port import find_free_port

from benchmarks.measure import milliseconds
from benchmarks.peers import Sampler, serve

SERVER = str(Path(sys.executable).with_name("swerex-remote"))
ANSWER_SECONDS = 60.0


@contextlib.contextmanager
def opened() -> Iterator[Sampler]:
    """Samples of a command in a session that stays."""
    token, port = secrets.token_hex(16), find_free_port()
    command = [SERVER, "--host", "127.0.0.1", "--port", str(port), "--auth-token", token]
    with subprocess.Popen(command) as server, asyncio.Runner() as runner:
        try:
            runtime = RemoteRuntime(auth_token=token, port=port, timeout=ANSWER_SECONDS)
            runner.run(runtime.wait_until_alive(timeout=ANSWER_SECONDS))
            runner.run(runtime.create_session(CreateBashSessionRequest()))

            def samples(times: int, command: str) -> Sequence[float]:
                action = BashAction(command=command)
                return [
                    milliseconds(lambda: runner.run(runtime.run_in_session(action)))
                    for _ in range(times)
                ]

            yield samples
        finally:
            server.terminate()


if __name__ == "__main__":
    serve(opened)
