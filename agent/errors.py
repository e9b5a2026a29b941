"""What can go wrong, by who must act.

AgentError
├── ToolError            the model can: it becomes the tool's result
│   ├── WrongCall        the call itself is wrong: nothing was done
│   └── FileChanged      the file is gone, or was written to while it was being read
├── ModelUnavailable     nobody can: the run ends
│   └── ContextOverflow  the loop can, once: it makes the conversation shorter
├── SandboxUnavailable   nobody can: the run ends
└── LimitReached         the budget is spent: the run pauses or ends, everything made is kept

Anything else is a bug.
"""


class AgentError(Exception):
    """The base of every error that this package raises on purpose."""


class ToolError(AgentError):
    """A tool could not do what was asked; the message tells the model what to do next."""


class WrongCall(ToolError):
    """A call of no tool, or with arguments that do not fit: nothing was done."""


class FileChanged(ToolError):
    """A file was written to while it was being read, or is gone: another notice tells of it."""


class ModelUnavailable(AgentError):
    """The model did not answer; the message says why and what the operator can do."""


class ContextOverflow(ModelUnavailable):
    """The request is longer than the model's window."""


class SandboxUnavailable(AgentError):
    """There is no sandbox (any more); the message says why and what the operator can do."""


class LimitReached(AgentError):
    """A limit of the run is reached; `reason` is that of the pause or the end it leads to."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
