"""`standalone` makes of a page one file that opens alone, with the network off."""

import json

import pytest

from tests.sandbox_image.conftest import Box

pytestmark = [pytest.mark.engine, pytest.mark.slow]

CDN = "https://cdn.jsdelivr.net/npm"
FILES = {
    "index.html": f"""<!DOCTYPE html>
<html lang="en"><head><title>Alone</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'self'">
<link rel="preconnect" href="https://fonts.gstatic.com">
<link rel="stylesheet"
  href="https://fonts.googleapis.com/css2?family=Playfair+Display:wght@700&family=Noto+Sans+SC&display=swap">
<link rel=stylesheet href="css/main.css?v=2">
<link rel=stylesheet href="{CDN}/katex@0.16.9/dist/katex.min.css" integrity="sha384-x">
<link rel=icon href="img/red.png">
<script src="https://cdnjs.cloudflare.com/ajax/libs/d3/7.8.5/d3.min.js" integrity="x"></script>
<script defer src="js/late.js"></script>
<script type="importmap">{{"imports": {{
  "three": "https://unpkg.com/three@0.160.0/build/three.module.js",
  "three/addons/": "https://unpkg.com/three@0.160.0/examples/jsm/"}}}}</script>
</head><body>
<h1>Hello 你好</h1><p id=one>one<p>two &amp; three &copy;
<img id=red src="img/red.png" srcset="img/red.png 1x, img/blue.png 2x" alt="a > b">
<video id=film src="film.mp4" poster="img/red.png"></video>
<div id=lazy data-src="img/blue.png" style="background-image: url(img/red.png)"></div>
<svg id=drawing width=40 height=40 viewBox="0 0 10 10"><use href="img/icons.svg#dot"/></svg>
<a id=file href="data/table.csv">table</a>
<iframe src="frame.html"></iframe>
<script type=module src="js/app.js"></script>
<script type=module>
import * as THREE from "three";
import {{ OrbitControls }} from "three/addons/controls/OrbitControls.js";
const width = (address) => new Promise((done) => {{
  const image = new Image();
  image.onload = () => done(image.naturalWidth);
  image.onerror = () => done("none");
  image.src = address;
}});
const number = 2;
window.seen = {{
  three: [new THREE.Vector3(1, 2, 2).length(), typeof OrbitControls],
  d3: typeof d3.select,
  image: await width(`frames/${{number}}.png`),
  json: await fetch("data/data.json").then((answer) => answer.json()),
}};
</script>
<script>
const request = new XMLHttpRequest();
request.open("GET", "data/table.csv");
request.onload = () => {{ window.table = request.responseText; }};
request.send();
</script>
</body></html>""",
    "css/main.css": '@import "more.css" screen; h1 { color: rgb(1, 2, 3) }'
    " @font-face { font-family: Own; src: url(../no.woff2), url('../own.ttf') format('truetype') }",
    "css/more.css": "p { color: rgb(4, 5, 6); background: url('../img/blue.png') }",
    "js/late.js": 'window.late = document.querySelector("h1").textContent;',
    "js/app.js": 'import { b } from "./sub/b.js"; import d from "../data/data.json" '
    'with { type: "json" }; export const a = 1; window.app = [a + b, d.x]; '
    'window.lazily = (await import("./lazy.js")).default;',
    # It imports the module that imports it.
    "js/sub/b.js": 'import { a } from "../app.js"; export const b = 41; export const c = () => a;',
    "js/lazy.js": 'export default "lazy </script> one";',
    "data/data.json": '{"x": 42}',
    "data/table.csv": "a,b\n1,2\n",
    "img/icons.svg": '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="dot" viewBox="0 0 9 9">'
    '<rect width="9" height="9" fill="lime"/></symbol></svg>',
    "frame.html": '<!doctype html><img src="img/red.png">',
    "bad.html": '<!doctype html><img src="../secret.png"><img src="link.png"><img src="gone.png">'
    '<script src="https://example.com/lib.js"></script>'
    f'<script src="{CDN}/jquery@3/dist/jquery.min.js"></script>'
    f'<script src="{CDN}/katex@0.16/dist/contrib/auto-render.min.js"></script>'
    '<a href="index.html">other</a> <a href="https://example.com">away</a>',
}
MAKE = """cd alone/site; mkdir -p frames
magick -size 20x10 xc:red img/red.png; magick -size 40x20 xc:blue img/blue.png
for n in 1 2; do magick -size ${n}0x10 xc:green frames/$n.png; done
cp /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf own.ttf
magick -size 5x5 xc:red ../secret.png; ln -sf ../secret.png link.png
ffmpeg -v error -y -f lavfi -i testsrc=d=1:s=64x48 -pix_fmt yuv420p film.mp4
mkdir -p ../elsewhere"""
ASKED = """(async () => {
  const of = (name) => document.querySelector(name);
  await Promise.all([...document.fonts].map((font) => font.load()));
  const style = (name) => getComputedStyle(of(name));
  return JSON.stringify({
    ...window.seen, app: window.app, lazily: window.lazily, late: window.late, table: window.table,
    fonts: [...document.fonts].filter((f) => f.status === "loaded").map((f) => f.family),
    heading: style("h1").color, text: style("#one").color, empty: of("#one + p").textContent,
    red: of("#red").naturalWidth, film: of("#film").readyState, lazy: of("#lazy").dataset.src,
    file: [of("#file").download, of("#file").href.slice(0, 13)],
    frame: of("iframe").contentDocument.images[0].naturalWidth,
    dot: of("#drawing use").getBBox().width,
  });
})()"""


@pytest.fixture(scope="module")
def site(box: Box) -> Box:
    for name, text in FILES.items():
        box.write(f"alone/site/{name}", text)
    box.ok(MAKE)
    return box


def test_a_page_with_everything_inside_opens_alone(site: Box) -> None:
    assert site.ok("cd alone; standalone site/index.html elsewhere/page.html") == ""
    shot = "cd alone; mv site away; shoot elsewhere/page.html a.png --wait 1500 --js"
    try:
        output = site.ok(f"{shot} '{ASKED}'")
    finally:
        site.ok("cd alone; mv away site")
    assert "0 problems" in output
    seen = json.loads(output.splitlines()[0])
    fonts = set(seen.pop("fonts"))
    assert {"Own", "Playfair Display", "Noto Sans SC", "KaTeX_Main"} <= {
        f.strip('"') for f in fonts
    }
    assert seen.pop("film") >= 2
    assert seen.pop("lazy").startswith("data:image/png;base64,")
    assert seen.pop("empty").startswith("two & three ©")
    assert seen.pop("dot") > 0
    assert seen == {
        "three": [3, "function"],
        "d3": "function",
        "image": 20,
        "json": {"x": 42},
        "app": [42, 42],
        "lazily": "lazy </script> one",
        "late": "Hello 你好",
        "table": "a,b\n1,2\n",
        "heading": "rgb(1, 2, 3)",
        "text": "rgb(4, 5, 6)",
        "red": 20,
        "file": ["table.csv", "data:text/csv"],
        "frame": 20,
    }


def test_nothing_of_the_result_asks_for_anything(site: Box) -> None:
    site.ok("cd alone; standalone site/index.html elsewhere/page.html")
    assert "outside_request" not in site.run("check --json alone/elsewhere/page.html").output


def test_what_could_not_be_put_in_is_told(site: Box) -> None:
    result = site.run("cd alone/site; standalone bad.html ../elsewhere/bad.html")
    assert result.status == 1
    lines = dict(
        line.removeprefix("not put in: ").rsplit(": ", 1) for line in result.output.splitlines()
    )
    assert lines == {
        "../secret.png": "it lies outside of the page's folder",
        "link.png": "there is no such file",
        "gone.png": "there is no such file",
        "https://example.com/lib.js": "it needs the network",
        f"{CDN}/jquery@3/dist/jquery.min.js": (
            "it needs the network, and the image has no such library"
        ),
        f"{CDN}/katex@0.16/dist/contrib/auto-render.min.js": (
            "the image has katex, but not this part of it"
        ),
        "index.html": "it is another page",
    }
    assert "data:image" not in site.ok("cat alone/elsewhere/bad.html")


def test_a_page_that_needs_nothing_stays_as_it_is(site: Box) -> None:
    text = (
        "<!doctype html>\n<title>t</title>\n<P CLASS=a>x &amp y<br/>\n<!-- <img src=a> -->"
        "<style>p { color: red }</style><SCRIPT>let a = 1 < 2</SCRIPT><p hidden>z"
    )
    site.write("alone/site/plain.html", text)
    site.ok("cd alone/site; standalone plain.html ../elsewhere/plain.html")
    written = site.ok("cat alone/elsewhere/plain.html")
    assert written.replace('<meta charset="utf-8">', "") == text


def test_without_a_page_it_says_so(site: Box) -> None:
    result = site.run("standalone no.html out.html")
    assert (result.status, result.output.strip()) == (
        2, "standalone: no.html: there is no such file"
    )  # fmt: skip
