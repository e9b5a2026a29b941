"""What axe finds on a page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
FINDINGS = """async () => {
  await new Promise(requestAnimationFrame);
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  const rules = { "target-size": { enabled: true } };
  const { violations } = await axe.run(document, { iframes: false, rules });
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" | ")}`);
}"""


def serious(page: Page) -> list[str]:
    """What keeps people from using the page as it is now, with what is open on it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    return page.evaluate(FINDINGS)
