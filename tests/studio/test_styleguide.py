from __future__ import annotations

import re

import pytest
from django.test import Client

from agent.events import Reason
from studio.runs.models import Status
from studio.settings import BASE_DIR

STYLES = BASE_DIR / "static" / "css"
# Of Django's own pages, and of the themes that terminals and code have.
OTHERS = {"tokens", "admin", "status", "ansi"}


def test_the_guide_shows_every_value_there_is(alices_browser: Client) -> None:
    shown = alices_browser.get("/styleguide/").content.decode()
    tokens = (STYLES / "tokens.css").read_text()
    names = re.findall(r"--(?:text|radius|shadow)[\w-]*(?=:)|--s\d(?=:)", tokens)
    names += re.findall(r"(--[\w-]+): (?:light-dark\()?oklch", tokens)
    assert len(names) > 50
    assert [name for name in names if f"<code>{name}</code>" not in shown] == []


def test_the_guide_shows_each_state_of_a_card(alices_browser: Client) -> None:
    shown = alices_browser.get("/styleguide/").content.decode()
    assert set(re.findall(r'data-verdict="(\w+)"', shown)) == {
        *("open", "passed", "warned", "failed", "unknown")
    }


def test_the_guide_shows_each_state_of_a_run_and_each_end(alices_browser: Client) -> None:
    shown = alices_browser.get("/styleguide/").content.decode()
    assert set(re.findall(r'class="run" data-state="(\w+)"', shown)) == set(Status)
    end = r'data-reason="(\w+)"><div class="ended"><p class="ended-title">([^<]+)</p>'
    titles = dict(re.findall(end, shown))
    assert list(titles) == list(Reason)
    assert len(set(titles.values())) == len(titles)


@pytest.mark.parametrize(
    "path", [path for path in STYLES.glob("*.css") if path.stem not in OTHERS], ids=lambda p: p.stem
)
def test_corners_and_times_come_from_the_tokens(path) -> None:
    rules = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    strays = re.findall(r"border-radius: [^;}]*\b[3-9]px[^;}]*", rules)
    strays += re.findall(r"[ {;]transition: [^;}]*\d0?\.\d+s[^;}]*", rules)
    strays += re.findall(r"[ {;]font-size: \d[\d.]*rem", rules)
    assert strays == []
