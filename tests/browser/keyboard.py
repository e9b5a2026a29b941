"""A person without a pointer: goes from stop to stop, and sees at each of them where that is."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

# What stands around a control may show its ring: a label, the box around a field, what lies in a
# link. A shadow is a ring where it has neither place nor blur.
STOP = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const around = [at, at.parentElement, at.parentElement?.parentElement, at.closest("form > div")];
  const seen = [...around, at.nextElementSibling, at.querySelector(".mat")].some((each) => {
    if (!each?.checkVisibility()) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
    const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
    const { width, height, top, right, bottom, left } = each.getBoundingClientRect();
    return (outlined || /(^|[ ,])0px 0px 0px [1-9]/.test(boxShadow)) && width > 4 && height > 4
      && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  });
  return { what: `${at.tagName}#${at.id}.${at.className}`, framed: at.tagName === "IFRAME", seen };
}"""
MOST = 250


class Keyboard:
    """Presses keys on a page, and asserts that each stop is seen."""

    def __init__(self, page: Page):
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Writes instead of what stands there."""
        self.press("ControlOrMeta+A")
        self.page.keyboard.type(text)

    def at(self) -> dict | None:
        """Where the focus is; None where it is nowhere, as at the beginning of a page."""
        return self.page.evaluate(STOP)

    def is_somewhere(self) -> None:
        """Whatever has come or gone, the focus is not lost."""
        expect(self.page.locator(":focus")).to_be_attached()

    def tab(self, key: str = "Tab") -> dict | None:
        self.press(key)
        stop = self.at()
        # Within a frame its own page shows where one is.
        assert not stop or stop["framed"] or stop["seen"], f"No ring is seen on {stop['what']}"
        return stop

    def to(self, target: Locator, key: str = "Tab") -> None:
        """Goes on until the target has the focus: what keeps it would be a trap."""
        for _ in range(MOST):
            if target.evaluate("element => element.matches(':focus')"):
                return
            self.tab(key)
        raise AssertionError(f"The keyboard does not come to {target}: it is at {self.at()}")

    def enter(self, target: Locator, key: str = "Tab") -> None:
        self.to(target, key)
        self.press("Enter")

    def all_stops(self) -> int:
        """Goes once around the page, and says how many stops there are."""
        stops, first = 0, None
        for _ in range(MOST):
            stop = self.tab()
            if stop is None:
                if first:
                    return stops
                continue
            # A page that is framed has stops of its own.
            if first and stop["what"] == first and not stop["framed"]:
                return stops
            first = first or stop["what"]
            stops += 1
        raise AssertionError(f"The keyboard does not come around: it is at {self.at()}")
