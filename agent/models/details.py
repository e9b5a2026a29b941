"""What a provider wants back unchanged: `reasoning_details`, and the `extra_content` of calls."""

from __future__ import annotations

import json
from typing import Any

from agent.models.typed import whole

# These come in pieces; of all other fields the last value holds.
PIECED = ("text", "summary", "data")
KEPT = str | int | None


class Details:
    """Puts the pieces of each block together, in the order in which the blocks began."""

    def __init__(self) -> None:
        self._blocks: dict[tuple[object, object], dict[str, Any]] = {}

    def take(self, value: object) -> tuple[int, str]:
        """Take in the field of one chunk, whatever it is; its size and the readable text in it."""
        size, readable = 0, ""
        for piece in value if isinstance(value, list) else []:
            if not isinstance(piece, dict):
                continue
            kept = {name: one for name, one in piece.items() if isinstance(one, KEPT)}
            size += sum(len(name) + len(str(one)) for name, one in kept.items()) + 1
            block = self._blocks.setdefault((kept.get("index"), kept.get("type")), {})
            for name, one in kept.items():
                if name not in PIECED:
                    block[name] = block.get(name) if one is None else one
                elif isinstance(one, str):
                    block.setdefault(name, []).append(one)
                    readable += "" if name == "data" else one
        return size, readable

    def whole(self) -> list[dict[str, Any]]:
        """All blocks, as they are sent back."""
        return [
            {
                whole(name): whole("".join(one) if isinstance(one, list) else one)
                if isinstance(one, list | str)
                else one
                for name, one in block.items()
            }
            for block in self._blocks.values()
        ]


def unchanged(value: object) -> dict[str, Any] | None:
    """An object that an endpoint sent, if it can be kept and sent back."""
    if not isinstance(value, dict) or not value:
        return None
    try:
        kept = json.loads(whole(json.dumps(value, ensure_ascii=False, allow_nan=False)))
    except (ValueError, RecursionError):
        return None
    return kept if isinstance(kept, dict) else None
