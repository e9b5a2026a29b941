"""The page of the design system, with the values of `tokens.css` and the pages' templates."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from agent.events import Reason
from studio.runs.models import Status
from studio.runs.queueing import roughly
from studio.runs.reasons import explanation, question
from studio.runs.usage import money
from studio.web import UserRequest

PROPERTY = re.compile(r"--([\w-]+):\s*([^;]+);")
THEMES = re.compile(r"light-dark\((.+\)), (.+\))\)")
PIXELS = 16


@dataclass(frozen=True)
class Value:
    """A custom property: what it is in light and in dark, and in pixels if it is a length."""

    name: str
    light: str
    dark: str

    @property
    def pixels(self) -> float | None:
        number, unit = re.fullmatch(r"([\d.]*)(\w*).*", self.light, re.DOTALL).groups()  # type: ignore[union-attr]
        return float(number) * {"rem": PIXELS, "px": 1}[unit] if unit in ("rem", "px") else None


@cache
def values() -> tuple[Value, ...]:
    found = PROPERTY.findall((settings.BASE_DIR / "static/css/tokens.css").read_text())
    return tuple(Value(name, *themes(" ".join(value.split()))) for name, value in found)


def themes(value: str) -> tuple[str, str]:
    both = THEMES.fullmatch(value)
    return (both[1], both[2]) if both else (value, value)


def named(*beginnings: str) -> list[Value]:
    return [value for value in values() if value.name.startswith(beginnings)]


@dataclass
class Look:
    """What an inspection found, as far as a card shows it."""

    verdict: str = ""
    open: bool = False
    width: int = 800
    height: int = 600
    seconds: float | None = None
    blur: str = ""


@dataclass
class File:
    """A file as a card shows it."""

    path: str
    kind: str
    inspection: Look = field(default_factory=Look)
    poster_url: str = ""
    size: int = 184_320
    version_number: int = 1
    detail_url: str = "#cards"
    download_url: str = "#cards"
    signed_url: str = "#cards"
    strip_url: str = ""
    peaks_url: str = ""

    @property
    def name(self) -> str:
        return self.path


def files() -> list[tuple[str, File]]:
    """Each state of a card, and what it says."""
    picture = static("img/specimen.svg")
    return [
        (_("Filling in: it is being checked"), File("harbour.svg", "svg", Look(open=True))),
        (_("Checked"), File("harbour.png", "image", Look("passed"), picture)),
        (_("With a remark"), File("harbour.mp4", "video", Look("warned", seconds=15), picture)),
        (_("Failed its check"), File("harbour.html", "html", Look("failed"), picture)),
        (_("Sound"), File("harbour.mp3", "audio", Look("passed", seconds=64))),
        (_("Nothing to look at"), File("harbour.bin", "other", Look("unknown"))),
    ]


def at_work() -> list[tuple[Status, str, str]]:
    """Each state of a run that goes on: what its line says, and what it has taken so far."""
    ahead = _("Waiting, {count} before you").format(count=2)
    busy = _("Waiting for the model: busy, again in {seconds} s").format(seconds=8)
    turns, tokens = _("turn {count}").format(count=7), _("{count} tokens").format(count="8,345")
    taken = f"1:24 · {turns} · {tokens} · {money(0.31)}"
    return [
        (Status.QUEUED, _("Waiting for a free worker"), roughly(40)),
        (Status.QUEUED, ahead, roughly(240)),
        (Status.RUNNING, _("Preparing the sandbox"), "0:02"),
        (Status.RUNNING, _("Working"), taken),
        (Status.RUNNING, busy, taken),
        (Status.RUNNING, _("Stopping…"), taken),
    ]


@require_GET
def page(request: UserRequest) -> HttpResponse:
    colours = [value for value in values() if value.light.startswith("oklch")]
    context = {
        "texts": named("text-"),
        "spaces": [value for value in values() if re.fullmatch(r"s\d", value.name)],
        "colours": colours,
        "corners": named("radius"),
        "shadows": named("shadow"),
        "times": named("fast", "calm", "slow"),
        "files": files(),
        "at_work": at_work(),
        "question": question(Reason.TURN_LIMIT),
        "ends": [(reason, explanation(reason, "")) for reason in Reason],
        "cover": File("harbour.png", "image", Look("passed"), static("img/specimen.svg")),
    }
    return render(request, "styleguide/page.html", context)
