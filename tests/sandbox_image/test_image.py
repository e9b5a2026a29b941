"""Every tool of the image makes a file under a sandbox's restrictions, and it opens again."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from docker.models.images import Image

from sandbox_image import PROTOCOL
from sandbox_image.build import certificates
from sandbox_image.contents import contents_hash
from tests.sandbox_image.conftest import Box

pytestmark = pytest.mark.engine

MOST_BYTES = 1_100_000_000

# Each script makes a file and then reads it with a program other than the one that wrote it.
SCRIPTS = sorted(Path(__file__).with_name("tools").glob("*.sh"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_tool_makes_a_file_that_opens_again(box: Box, script: Path) -> None:
    folder = script.stem
    box.ok(f"mkdir {folder}\ncd {folder}\n{script.read_text('utf-8')}")


def test_image_is_no_larger_than_the_papers(image: Image) -> None:
    assert image.attrs["Size"] <= MOST_BYTES


def test_labels_say_what_it_is(image: Image) -> None:
    assert image.labels["sandbox-studio.contents"] == contents_hash()
    assert image.labels["sandbox-studio.protocol"] == str(PROTOCOL)


def test_it_starts_the_guest_as_an_ordinary_user(image: Image) -> None:
    config = image.attrs["Config"]
    assert config["Entrypoint"] == ["/usr/bin/python3", "-I", "-S", "/opt/guest"]
    assert config["User"] == "1000:1000"
    assert config["WorkingDir"] == "/workspace"


def test_guest_and_tools_belong_to_root(box: Box) -> None:
    assert box.ok("find /opt ! -uid 0 -o -perm /022 ! -type l") == ""
    assert box.run("touch /opt/guest/x").status != 0


def test_nothing_of_the_building_machine_stays(
    box: Box, read_from_image: Callable[[str], bytes]
) -> None:
    trusted = read_from_image("/etc/ssl/certs/ca-certificates.crt").decode()
    mozillas = box.ok("cat /usr/share/ca-certificates/mozilla/*.crt")

    def certificates_in(text: str) -> set[str]:
        return set(re.findall(r"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----", text))

    assert certificates_in(trusted) == certificates_in(mozillas)
    own = certificates_in(Path(certificates()).read_text("utf-8", "replace"))
    own -= certificates_in(mozillas)
    inside = box.ok(
        "grep -rlsE 'BEGIN CERTIFICATE' /etc /usr/local /opt /usr/share || true"
    ).split()
    for path in inside:
        assert not certificates_in(box.ok(f"cat '{path}'")) & own
    assert box.ok("ls /build 2>/dev/null || true") == ""
    assert box.ok("ls /etc/apt 2>/dev/null || true") == ""


def test_no_program_makes_anyone_another(box: Box) -> None:
    assert box.ok("find / -xdev -type f -perm /6000 2>/dev/null || true") == ""


def test_a_first_plot_needs_no_search_for_fonts(box: Box) -> None:
    box.ok("rm -rf /tmp/.matplotlib")
    log = box.ok(
        "python3 -c \"import logging; logging.basicConfig(level='DEBUG');"
        'import matplotlib.font_manager" 2>&1'
    )
    assert "Using fontManager instance from /tmp/.matplotlib/fontlist" in log
    assert "generated new fontManager" not in log


def test_fontconfig_reads_its_caches_instead_of_the_fonts(box: Box) -> None:
    log = box.ok("FC_DEBUG=16 fc-list 2>&1")
    times = re.findall(r"cache checksum (\S+) dir checksum (\S+)", log)
    assert len(times) > 5
    assert all(cached == actual for cached, actual in times)
    assert box.ok("ls -A /tmp/.cache 2>/dev/null || true") == ""


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("sans-serif", "Noto Sans"),
        ("serif", "Noto Serif"),
        ("monospace", "DejaVu Sans Mono"),
        ("KaiTi", "LXGW WenKai"),
        ("Microsoft YaHei", "Noto Sans CJK SC"),
        ("SimSun", "Noto Serif CJK SC"),
        ("M PLUS Rounded 1c", "M PLUS Rounded 1c"),
        ("Fredoka:weight=180", "Fredoka"),
        ("ZCOOL KuaiLe", "ZCOOL KuaiLe"),
        ("Playfair Display", "Playfair Display"),
        ("EB Garamond", "EB Garamond"),
        ("Lato", "Lato"),
        ("Caveat", "Caveat"),
        ("Quicksand", "Quicksand"),
        ("Lobster Two", "Lobster Two"),
        ("Bebas Neue", "Bebas Neue"),
        ("emoji", "Noto Color Emoji"),
    ],
)
def test_font(box: Box, asked: str, given: str) -> None:
    assert given in box.ok(f"fc-match -f '%{{family}}' '{asked}'").split(",")


@pytest.mark.parametrize(
    ("pattern", "second"),
    [
        ("sans-serif", "Noto Sans CJK SC"),
        ("sans-serif:lang=ja", "Noto Sans CJK JP"),
        ("serif:lang=zh-tw", "Noto Serif CJK TC"),
    ],
)
def test_a_latin_face_comes_before_the_chinese_one(box: Box, pattern: str, second: str) -> None:
    order = box.ok(f"fc-match -s -f '%{{family}}\n' '{pattern}' | head -2").splitlines()
    assert order == [second.partition(" CJK")[0], second]


@pytest.mark.parametrize(
    "path",
    [
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
        "/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc",
        "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
        "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
        "/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf",
    ],
)
def test_fonts_are_where_recorded_runs_looked(box: Box, path: str) -> None:
    box.ok(f"python3 -c \"from PIL import ImageFont; ImageFont.truetype('{path}', 20)\"")


def test_offline_libraries_work_in_a_page(box: Box) -> None:
    scripts = re.findall(r"^- (\S+\.js) ", box.ok("offline-libs"), re.MULTILINE)
    assert len(scripts) >= 10
    page = "".join(f'<script src="file://{path}"></script>' for path in scripts)
    box.write("libraries.html", f"<!doctype html><html lang=en><body><div id=map></div>{page}")
    names = ["L", "d3", "topojson", "Chart", "echarts", "THREE", "Tone", "Reveal", "katex", "ABCJS"]
    probe = ", ".join(f"typeof {name}" for name in names)
    output = box.ok(f"shoot libraries.html libraries.png --js '[{probe}].join()'")
    assert "undefined" not in output
    assert output.splitlines()[0].count(",") == len(names) - 1
    assert box.ok("offline-libs") == box.ok("cat /usr/share/javascript/INDEX.md")


def test_webgl_draws(box: Box) -> None:
    box.write(
        "gl.html",
        """<!doctype html><html lang=en><canvas width=200 height=200></canvas>
<script src="file:///usr/share/javascript/three/three.global.js"></script><script>
const canvas = document.querySelector("canvas");
const renderer = new THREE.WebGLRenderer({canvas, preserveDrawingBuffer: true});
renderer.setClearColor(0xff0000); renderer.clear();
</script>""",
    )
    box.ok("shoot gl.html gl.png --width 200 --height 200")
    colour = "from PIL import Image; print(Image.open('gl.png').convert('RGB').getpixel((99, 99)))"
    assert box.ok(f'python3 -c "{colour}"').strip() == "(255, 0, 0)"


def test_map_data_knows_countries_and_cities_in_two_languages(box: Box) -> None:
    world = json.loads(box.ok("cat /usr/share/basemap/ne_110m_countries.geojson"))
    names = {
        feature["properties"]["iso_a3"]: feature["properties"]["name_zh"]
        for feature in world["features"]
        if "iso_a3" in feature["properties"]
    }
    assert (names["JPN"], names["FRA"]) == ("日本", "法国")
    places = box.ok("head -200 /usr/share/basemap/places.csv")
    for city in (
        "Tokyo,东京",
        "Beijing,北京",
        "London,伦敦",
        "New York City,纽约",
        "Jakarta,雅加达",
    ):
        assert f"\n{city}," in places
    layers = box.ok("ls /usr/share/basemap").split()
    for layer in ("land", "coastline", "lakes", "rivers", "countries", "borders"):
        assert f"ne_50m_{layer}.geojson" in layers
    assert "ne_10m_countries.geojson" in layers


def test_imagemagick_reads_no_scripts_or_addresses(box: Box) -> None:
    for source in ("https://example.com/a.png", "msl:a.msl", "text:@/etc/passwd"):
        result = box.run(f"magick '{source}' out.png")
        assert result.status != 0
        assert re.search("not allowed|denied|policy", result.output, re.IGNORECASE)


def test_pip_installs_for_the_user_and_in_environments(box: Box) -> None:
    box.ok(
        """mkdir -p wheel/hello && cd wheel
python3 - <<'PYTHON'
import zipfile
with zipfile.ZipFile("hello-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("hello.py", "print('hello')")
    facts = "Metadata-Version: 2.1\\nName: hello\\nVersion: 1.0\\n"
    form = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    for name, text in (("METADATA", facts), ("WHEEL", form), ("RECORD", "")):
        wheel.writestr(f"hello-1.0.dist-info/{name}", text)
PYTHON
pip install -q --no-index hello-1.0-py3-none-any.whl
python3 -m pip --version
cd /tmp && python3 -c 'import hello'
python3 -m venv /tmp/env
/tmp/env/bin/pip install -q --no-index /workspace/wheel/hello-1.0-py3-none-any.whl
/tmp/env/bin/python -c 'import hello'
rm -rf /tmp/env /workspace/.local"""
    )
