"""How cards tell what is known of a file."""

from __future__ import annotations

from django import template

from studio.artifacts.models import Artifact

register = template.Library()

SIZED = ("image", "svg", "video")
TIMED = ("video", "audio", "midi")


@register.filter
def measures(artifact: Artifact) -> str:
    """`1920×1080 · 0:30 · `, as far as an inspection has found it."""
    inspection = getattr(artifact, "inspection", None)
    if inspection is None:
        return ""
    parts = []
    if artifact.kind in SIZED and inspection.width and inspection.height:
        parts.append(f"{inspection.width}×{inspection.height}")
    if artifact.kind in TIMED and inspection.seconds is not None:
        parts.append(clock(inspection.seconds))
    return "".join(f"{part} · " for part in parts)


def clock(seconds: float) -> str:
    """`0:07`, `12:30` or `1:02:03`."""
    hours, rest = divmod(round(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
