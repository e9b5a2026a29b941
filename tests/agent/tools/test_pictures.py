"""Pictures drawn in the sandbox reach a model that sees, and words a model that does not."""

import pytest

from agent import Limits
from agent.testing import MemorySandbox
from agent.tools import Result
from agent.tools.bash import bash_tool
from agent.tools.editor import editor_tool

PNG = b"\x89PNG\r\n\x1a\n..."
JPEG = b"\xff\xd8\xff..."
SEEN = "/workspace/.seen"


class Counting(MemorySandbox):
    """Counts what is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[str] = []

    def read(self, path, limit):
        self.reads.append(path)
        return super().read(path, limit)


@pytest.fixture
def sandbox():
    sandbox = Counting()
    sandbox.files[f"{SEEN}/a-1.png"] = PNG
    sandbox.files[f"{SEEN}/b-2.jpg"] = JPEG
    return sandbox


def run(sandbox, command, *, sees=True) -> Result:
    tool = bash_tool(sandbox, Limits(), lambda: 100.0, sees=sees)
    *_, result = tool.call({"command": command})
    return result


def view(sandbox, path, *, sees=True) -> Result:
    *_, result = editor_tool(sandbox, Limits(), sees=sees).call({"command": "view", "path": path})
    return result


def test_pictures_that_a_command_names_follow_in_order(sandbox):
    result = run(
        sandbox,
        f"echo red; echo '[picture: {SEEN}/b-2.jpg]'; echo and; echo '[picture: {SEEN}/a-1.png]'",
    )
    assert result.images == (JPEG, PNG)
    assert result.text == "red\n[picture 1 follows]\nand\n[picture 2 follows]"


def test_a_model_that_does_not_see_gets_the_words_alone(sandbox):
    result = run(sandbox, f"echo red; echo '[picture: {SEEN}/a-1.png]'", sees=False)
    assert (result.text, result.images) == ("red", ())
    assert sandbox.reads == []


def test_other_commands_cost_no_reading(sandbox):
    run(sandbox, "echo plain; cat .seen/a-1.png")
    assert sandbox.reads == []


def test_no_more_than_four_pictures_come_at_once(sandbox):
    result = run(sandbox, ";".join([f"echo '[picture: {SEEN}/a-1.png]'"] * 6))
    assert result.images == (PNG,) * 4
    assert result.text.count("more than 4") == 2


@pytest.mark.parametrize(
    "line",
    [
        "[picture: /workspace/output/a.png]",
        "[picture: /workspace/.seen/../output/a.png]",
        "[picture: /workspace/.seen/.hidden]",
        "[picture: /workspace/.seen/a b.png]",
        "[picture: /etc/passwd]",
        "so [picture: /workspace/.seen/a-1.png]",
    ],
)
def test_a_line_that_names_anything_else_is_only_text(sandbox, line):
    result = run(sandbox, f"echo '{line}'")
    assert (result.text, result.images) == (line, ())
    assert sandbox.reads == []


@pytest.mark.parametrize("data", [b"", b"<svg>", b"GIF89a", PNG + bytes(1 << 20)])
def test_what_is_no_picture_or_too_large_is_not_shown(sandbox, data):
    sandbox.files[f"{SEEN}/x.png"] = data
    result = run(sandbox, f"echo '[picture: {SEEN}/x.png]'; echo '[picture: {SEEN}/gone.png]'")
    assert result.images == ()
    assert result.text.count("not there") == 2


def test_view_looks_inside_the_sandbox(sandbox):
    sandbox.files["/workspace/film.mp4"] = b"\0\0\0 ftypisom..."
    sandbox.looks["/workspace/film.mp4"] = f"video, 3 s\n[picture: {SEEN}/a-1.png]\n"
    seen = view(sandbox, "film.mp4")
    assert (seen.text, seen.images) == ("video, 3 s\n[picture 1 follows]", (PNG,))
    told = view(sandbox, "/workspace/film.mp4", sees=False)
    assert (told.text, told.images) == ("video, 3 s", ())


def test_text_is_looked_for_only_on_behalf_of_the_blind(sandbox, monkeypatch):
    sandbox.files["/workspace/a.png"] = PNG
    commands = []

    def run(command, timeout):
        commands.append(command)
        return MemorySandbox.run(sandbox, command, timeout)

    monkeypatch.setattr(sandbox, "run", run)
    view(sandbox, "a.png", sees=True)
    view(sandbox, "a.png", sees=False)
    assert commands == [
        "command /usr/local/bin/look --brief /workspace/a.png",
        "command /usr/local/bin/look /workspace/a.png",
    ]


def test_an_image_without_look_hands_small_pictures_over(sandbox):
    sandbox.files["/workspace/a.png"] = PNG
    assert view(sandbox, "a.png").images == (PNG,)
    told = view(sandbox, "a.png", sees=False)
    assert told.images == ()
    assert "`check`" in told.text
