"""Doubles that are scripted: a model, a sandbox in memory, an endpoint on this machine."""

from agent.testing.endpoint import ScriptedEndpoint
from agent.testing.model import ScriptedModel, bash, call, submit
from agent.testing.sandbox import MemorySandbox

__all__ = ["MemorySandbox", "ScriptedEndpoint", "ScriptedModel", "bash", "call", "submit"]
