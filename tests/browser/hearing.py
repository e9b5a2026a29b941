"""What a page is to somebody who hears it instead of seeing it."""

from __future__ import annotations

import re

from playwright.sync_api import Page

CONTROLS = (
    "button|link|textbox|searchbox|checkbox|switch|radio|combobox|slider|spinbutton|progressbar|"
    "dialog|log"
)
NAMELESS = re.compile(rf"^ *- (?:{CONTROLS})(?! \")(?=[ :]|$).*$", re.MULTILINE)
# Regions that speak by themselves, and what belongs to a field. What is hidden counts: it comes.
SILENT = """() => {
  const named = ({ tagName, id, className }) => `${tagName}#${id}.${className}`;
  const told = (selector, roles) => [...document.querySelectorAll(selector)]
    .filter((each) => !roles.some((role) => each.closest(`[role=${role}]`))).map(named);
  const fields = [...document.querySelectorAll("[aria-describedby], [aria-labelledby]")];
  const ids = fields.flatMap((each) => ["aria-describedby", "aria-labelledby"]
    .flatMap((name) => (each.getAttribute(name) ?? "").split(" ").filter(Boolean)));
  return [
    ...told(".toast", ["status", "alert"]),
    ...told(".form-error, .field-error, .errorlist", ["alert"]),
    ...ids.filter((id) => !document.getElementById(id)).map((id) => `nothing is called ${id}`),
  ];
}"""


def unheard(page: Page, language: str) -> list[str]:
    """What somebody who hears the page would miss."""
    heard = page.locator("body").aria_snapshot()
    missing = [f"no name: {line.strip()}" for line in NAMELESS.findall(heard)]
    # Within somebody else's page, and where the studio is out of reach, there is no bar.
    bare = page.locator("body:is(.page-embed, .page-alone)").count()
    landmarks = ["main"] if bare else ["banner", "navigation", "main"]
    there = set(re.findall(r"^ *- '?(\w+)", heard, re.MULTILINE))
    missing += [f"no {landmark}" for landmark in landmarks if landmark not in there]
    titles = len(re.findall(r"^ *- '?heading .*\[level=1\]", heard, re.MULTILINE))
    if titles != 1:
        missing.append(f"{titles} titles of the page")
    said = page.locator("html").get_attribute("lang")
    if said != language:
        missing.append(f"the language is said to be {said}")
    return missing + page.evaluate(SILENT)
