"""The model that answers requests here, as the environment says."""

from __future__ import annotations

import os


def has_model() -> bool:
    return bool(os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"))


def model_name() -> str:
    return os.environ.get("STUDIO_MODEL", "")
