"""A page tells the studio where its reader is, and where it may not, it works all the same."""

import pytest

from tests.browser.conftest import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IN_A_SANDBOX = """async () => {
  const frame = Object.assign(document.createElement("iframe"), { sandbox: "allow-scripts" });
  frame.src = "/embedded";
  document.body.append(frame);
  return new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data)));
}"""
PAGE = """<!doctype html><main id="main"></main><p id="offline"></p><p id="unanswered"></p>
<script type="module">
  import("http://alone.test/js/page.js").then(() => "works", String)
    .then((said) => parent.postMessage(said, "*"));
</script>"""


def test_a_page_says_its_zone(lone_page):
    lone_page.set_content('<main id="main"></main><p id="offline"></p><p id="unanswered"></p>')
    lone_page.evaluate("import('/js/page.js')")
    (cookie,) = lone_page.context.cookies()
    here = lone_page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert (cookie["name"], cookie["value"]) == ("zone", here)


def test_a_page_in_a_sandbox_of_others_asks_for_no_cookie(lone_page):
    def give(route):
        path = ROOT / "static/js" / route.request.url.split("/")[-1]
        text = {"content-type": "text/javascript", "access-control-allow-origin": "*"}
        route.fulfill(path=path, headers=text)

    lone_page.route("http://alone.test/js/*", give)
    lone_page.route(
        "http://alone.test/embedded",
        lambda route: route.fulfill(body=PAGE, content_type="text/html"),
    )
    assert lone_page.evaluate(IN_A_SANDBOX) == "works"
    assert lone_page.context.cookies() == []
