"""A language model with a sealed computer: give it a request, get files.

```python
from agent import Agent, DockerSandbox, RecipeModel

for event in Agent(RecipeModel(), DockerSandbox()).run("A poster for our concert"):
    print(event)
```
"""

from agent.errors import (
    AgentError,
    LimitReached,
    ModelUnavailable,
    SandboxUnavailable,
    ToolError,
)
from agent.inputs import Exchange, Input
from agent.limits import Limits
from agent.loop import Agent, Stop
from agent.models.choose import model_from_environment
from agent.models.openai import OpenAIModel
from agent.recipes import RecipeModel
from agent.sandbox.docker import DockerSandbox
from agent.store import DirectoryStore

__all__ = [
    "Agent",
    "AgentError",
    "DirectoryStore",
    "DockerSandbox",
    "Exchange",
    "Input",
    "LimitReached",
    "Limits",
    "ModelUnavailable",
    "OpenAIModel",
    "RecipeModel",
    "SandboxUnavailable",
    "Stop",
    "ToolError",
    "model_from_environment",
]
