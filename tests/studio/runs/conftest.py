"""A worker without a real model or container."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.models import Reply
from agent.testing import MemorySandbox, ScriptedModel
from studio.runs import worker


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch):
    """Make the worker use a scripted model and a sandbox in memory."""

    def use(replies: Sequence[Reply | Exception], sandbox: MemorySandbox | None = None):
        model = ScriptedModel(replies)
        monkeypatch.setattr(worker, "model", lambda run: model)
        monkeypatch.setattr(worker, "sandbox", lambda run: sandbox or MemorySandbox())
        return model

    return use
