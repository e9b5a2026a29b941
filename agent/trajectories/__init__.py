"""A run as a file, in three formats: written from its events, read back into events, played again.

- `lines`: JSON Lines, one event a line, as it happened; nothing is lost.
- `chat`: what was said, as messages in the form of OpenAI's chat completions.
- `steps`: thought, action, observation, as `trajectory.json` of the package llm-in-sandbox has it.
"""

from __future__ import annotations

from agent.trajectories.reading import read, read_text
from agent.trajectories.replay import Recorded, replies_of
from agent.trajectories.timed import NotATrajectory, Timed

__all__ = ["NotATrajectory", "Recorded", "Timed", "read", "read_text", "replies_of"]
