"""Running commands in a sandbox, for tests."""

from agent.sandbox import Printed, Sandbox


def output(sandbox: Sandbox, command: str, timeout: float = 60.0) -> str:
    """All that a command printed, as text."""
    items = list(sandbox.run(command, timeout))
    printed = b"".join(item.data for item in items if isinstance(item, Printed))
    return printed.decode("utf-8", "replace")
