"""`view` and `execute_bash` show pictures of a real sandbox."""

import io
import tarfile

import pytest

from agent import DockerSandbox, Limits
from agent.tools import Result
from agent.tools.bash import bash_tool
from agent.tools.editor import editor_tool

pytestmark = pytest.mark.engine

# A name that a shell must not take apart.
NAME = 'it\'s $HOME `a` "b"; c.png'
DRAW = """python3 - <<'PYTHON'
from PIL import Image, ImageDraw, ImageFont
image = Image.new("RGB", (1240, 400), "#204060")
font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", 64)
ImageDraw.Draw(image).text((80, 80), "Summer Festival", "white", font)
image.save("it's $HOME `a` \\"b\\"; c.png")
PYTHON"""


@pytest.fixture(scope="module")
def sandbox():
    with DockerSandbox() as sandbox:
        run(sandbox, DRAW)
        yield sandbox


def run(sandbox, command, *, sees=True) -> Result:
    tool = bash_tool(sandbox, Limits(), lambda: 100.0, sees=sees)
    *_, result = tool.call({"command": command})
    return result


def view(sandbox, path, *, sees=True) -> Result:
    *_, result = editor_tool(sandbox, Limits(), sees=sees).call({"command": "view", "path": path})
    return result


def test_a_model_that_sees_gets_the_picture(sandbox):
    result = view(sandbox, NAME)
    (image,) = result.images
    assert image.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"))
    assert "1240x400 px" in result.text
    assert not result.failed


def test_a_model_that_does_not_see_is_told_of_it(sandbox):
    result = view(sandbox, NAME, sees=False)
    assert result.images == ()
    for fact in ("1240x400 px", "dark blue #204060", "Summer Festival"):
        assert fact in result.text
    assert "[picture" not in result.text


def test_the_state_of_the_shell_does_not_get_in_the_way(sandbox):
    run(sandbox, "mkdir -p d; cd d; look() { echo mine; }; alias python3=false; PATH=/nowhere")
    assert len(view(sandbox, f"/workspace/{NAME}").images) == 1
    assert run(sandbox, "look; echo $PWD; PATH=/usr/local/bin:/usr/bin").text == (
        "mine\n/workspace/d"
    )


def test_a_film_is_shown_as_its_frames_and_a_damaged_one_is_named(sandbox):
    run(sandbox, "ffmpeg -v error -f lavfi -i testsrc=d=2 -pix_fmt yuv420p /workspace/a.mp4")
    shown = view(sandbox, "a.mp4")
    assert len(shown.images) == 1
    assert "1.83 s: " in shown.text
    run(sandbox, "head -c 2000 /workspace/a.mp4 > /workspace/cut.mp4")
    damaged = view(sandbox, "cut.mp4")
    assert damaged.failed
    assert "Invalid data" in damaged.text


def test_commands_that_look_show_what_they_saw(sandbox):
    run(sandbox, "cd; echo '<body bgcolor=teal><p>Hi' > p.html")
    result = run(sandbox, "shoot p.html p.png; command look p.html")
    assert len(result.images) == 2
    assert result.text.endswith("[picture 2 follows]")
    assert run(sandbox, "shoot p.html p.png", sees=False).images == ()


def test_what_background_jobs_printed_is_not_lost_to_a_view(sandbox):
    run(sandbox, "(sleep 0.2; echo again) & true")
    assert "again" in view(sandbox, NAME, sees=False).text


def test_what_was_looked_at_is_not_saved_with_the_workspace(sandbox):
    view(sandbox, NAME)
    saved = io.BytesIO(b"".join(sandbox.save(1 << 30)))
    with tarfile.open(fileobj=saved) as archive:
        assert not [name for name in archive.getnames() if ".seen" in name]
