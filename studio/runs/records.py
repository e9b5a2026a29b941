"""The exchanges with endpoints, word for word, where the operator wants them kept."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from agent.models import Model
from agent.models.openai import OpenAIModel

logger = logging.getLogger(__name__)


def recorded(model: Model, run_id: uuid.UUID) -> Model:
    """The model, and a file of JSON lines with what its endpoint is asked and answers.

    Secrets are masked in it. A file that can't be written costs the record, not the run.
    """
    if not settings.RECORD or not isinstance(model, OpenAIModel):
        return model
    return model.recorded(partial(_write, Path(settings.RECORD, f"{run_id}.jsonl")))


def _write(path: Path, exchange: Mapping[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(json.dumps(exchange, ensure_ascii=False) + "\n")
    except OSError as error:
        logger.error("The exchanges of a run are not recorded in %s: %s", path, error.strerror)
