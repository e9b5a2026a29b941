"""Libraries that pages load from the usual networks, as far as the image has them."""

from __future__ import annotations

import json
import re
from functools import cache
from urllib.parse import urlsplit

from browser import BrowserError, Page

from alone.places import SHELF, Files, Missing, Place

# The package and the file in it, by host: the version is what the image has.
PACKAGE = r"/(?:npm/|v\d+/)?(?P<name>(?:@[\w.-]+/)?[\w.-]+?)(?:@[\w.^~-]+)?(?:/(?P<file>.*))?"
LISTED = r"/(?:ajax/libs/)?(?P<name>[\w.-]+)/\d[\w.-]*/(?P<file>.*)"
HOSTS = {
    **dict.fromkeys(
        (
            "cdn.jsdelivr.net", "fastly.jsdelivr.net", "unpkg.com", "esm.sh", "cdn.skypack.dev",
            "jspm.dev", "npm.elemecdn.com", "cdn.jsdmirror.com", "ga.jspm.io",
        ),
        re.compile(PACKAGE),
    ),
    **dict.fromkeys(
        (
            "cdnjs.cloudflare.com", "cdn.bootcdn.net", "cdn.bootcss.com", "cdn.staticfile.org",
            "cdn.staticfile.net", "lib.baomitu.com", "cdnjs.loli.net", "lf26-cdn-tos.bytecdntp.com",
        ),
        re.compile(LISTED),
    ),
    "d3js.org": re.compile(r"/(?P<name>d3)\.(?P<file>v\d+(?:\.min)?\.js)"),
}  # fmt: skip
NAMES = {
    "chartjs": "chart.js", "threejs": "three", "tonejs": "tone", "reveal": "reveal.js",
    "revealjs": "reveal.js", "topojson": "topojson-client", "leafletjs": "leaflet",
}  # fmt: skip
# What a library's script calls itself.
GLOBALS = {
    "d3": "d3", "three": "THREE", "chart.js": "Chart", "echarts": "echarts", "leaflet": "L",
    "topojson-client": "topojson", "tone": "Tone", "katex": "katex", "abcjs": "ABCJS",
    "reveal.js": "Reveal",
}  # fmt: skip
# Parts of a package that its one file here includes.
INCLUDED = re.compile(
    r"(?:examples/jsm|addons|examples/js)/(?:controls/OrbitControls|loaders/(?:GLTF|OBJ|STL)Loader)"
    r"(?:\.js)?"
)
EXTRAS = re.compile(r"contrib/|plugins?/|addons/|examples/|locale/|theme/.*\.js$")
DECORATION = re.compile(r"([.-](min|umd|module|esm|global|common|src|basic|iife|v\d+|all|auto))+$")
SECONDS = 20


def located(address: str) -> Place | None:
    """The image's file for an address, None when it is the page's own; raises Missing."""
    if address.startswith("//"):
        address = f"https:{address}"
    address = address.removeprefix("file://")
    if address.startswith(f"{SHELF}/"):
        library, _, name = urlsplit(address).path.removeprefix(f"{SHELF}/").partition("/")
        return Place(SHELF / library, name)
    if not address.startswith(("https:", "http:")):
        return None
    library, name = package(address)
    if name.endswith(".css"):
        return sheet(library, name)
    if INCLUDED.fullmatch(name):
        return script(library)
    if EXTRAS.search(name) or not is_main(library, name):
        raise Missing(f"the image has {library}, but not this part of it")
    return script(library)


def package(address: str) -> tuple[str, str]:
    """The library of the image and the file's name in the package; raises Missing."""
    parts = urlsplit(address)
    host = HOSTS.get(parts.hostname or "")
    found = host.fullmatch(parts.path) if host else None
    if found is None:
        raise Missing("it needs the network")
    key = found["name"].lower()
    library = NAMES.get(re.sub(r"[.-]?js$", "js", key), NAMES.get(key, key))
    if library not in GLOBALS:
        raise Missing("it needs the network, and the image has no such library")
    return library, found["file"] or ""


def is_main(library: str, name: str) -> bool:
    """Whether a file is the package itself, whatever its form."""
    if name in ("", "+esm"):
        return True
    stem = DECORATION.sub("", name.rpartition("/")[2].removesuffix(".js").removesuffix(".mjs"))
    plain = stem.lower().removesuffix(".js").removesuffix("js")
    known = {library, library.removesuffix(".js"), library.removesuffix("-client"), ""}
    return (
        plain in known
        or (library == "three" and plain == "three")
        or bool(re.fullmatch(r"v\d+(\.min)?\.js", name))
    )


def script(library: str) -> Place:
    names = sorted(path.name for path in (SHELF / library).glob("*.js"))
    if not names:
        raise Missing(f"the image has no {library}")
    return Place(SHELF / library, names[0])


def sheet(library: str, name: str) -> Place:
    base = re.sub(r"\.min(?=\.css$)", "", name.rpartition("/")[2])
    for found in (base, base.replace(".css", ".min.css")):
        if (SHELF / library / found).is_file():
            return Place(SHELF / library, found)
    raise Missing(f"the image has {library}, but not this style sheet")


def module(library: str, files: Files) -> str:
    """The library as a module, with the names that it has as a global; raises Missing."""
    place, name = script(library), GLOBALS[library]
    names = [export for export in exports(place, name) if export != "default"]
    return (
        f"(function () {{{files.text(place)}\n"
        f';if (typeof {name} !== "undefined") globalThis.{name} = {name};}}).call(globalThis);\n'
        f"export default globalThis.{name};\n"
        f"export const {{{', '.join(names)}}} = globalThis.{name};\n"
    )


@cache
def exports(place: Place, name: str) -> tuple[str, ...]:
    """What a library's global has that can be imported by name, asked of a browser."""
    source = json.dumps((place.root / place.name).read_text("utf-8"))
    # `eval` of another name runs in the global scope.
    asked = f"(0, eval)({source}); Object.keys({name}).filter(n => /^[A-Za-z_$][\\w$]*$/.test(n))"
    try:
        with Page(200, 200, SECONDS) as page:
            found = page.evaluate(asked)
    except BrowserError as error:
        raise Missing(f"it can't be made a module: {error}") from None
    reserved = {"default", "delete", "in", "new", "function", "class", "null", "true", "false"}
    return tuple(sorted(set(found) - reserved)) if isinstance(found, list) else ()
