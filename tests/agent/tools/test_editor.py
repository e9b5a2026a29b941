"""The editor keeps bytes exactly, and its errors teach."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent import Limits, ToolError
from agent.testing import MemorySandbox
from agent.tools import Result
from agent.tools.editor import editor_tool

PATH = "/workspace/a.txt"


@pytest.fixture
def sandbox():
    return MemorySandbox()


@pytest.fixture
def edit(sandbox):
    tool = editor_tool(sandbox, Limits(), sees=True)

    def edit(command, path=PATH, **arguments) -> Result:
        *_, result = tool.call({"command": command, "path": path, **arguments})
        return result

    return edit


def test_create_view_and_ranges(edit):
    assert edit("create", file_text="one\ntwo\nthree\n").text == f"File created: {PATH}"
    assert edit("view").text == "     1\tone\n     2\ttwo\n     3\tthree"
    assert edit("view", view_range=[2, -1]).text == "     2\ttwo\n     3\tthree"
    with pytest.raises(ToolError, match="the file has 3 lines"):
        edit("view", view_range=[5, 9])


def test_tabs_line_ends_and_the_missing_last_newline_are_kept(edit, sandbox):
    sandbox.files[PATH] = b"\tif x:\r\n\t\tgo()\r\nend"
    edit("str_replace", old_str="go()", new_str="stay()")
    assert sandbox.files[PATH] == b"\tif x:\r\n\t\tstay()\r\nend"


@given(before=st.text(), old=st.text(min_size=1), after=st.text(), new=st.text())
def test_a_replacement_touches_nothing_else(before, old, after, new):
    sandbox = MemorySandbox()
    text = (before + old + after).encode()
    sandbox.files[PATH] = text
    tool = editor_tool(sandbox, Limits())
    wish = {"command": "str_replace", "path": PATH, "old_str": old, "new_str": new}
    if text.count(old.encode()) == 1:
        list(tool.call(wish))
        assert sandbox.files[PATH] == text.replace(old.encode(), new.encode())
    else:
        with pytest.raises(ToolError, match="occurs"):
            list(tool.call(wish))
        assert sandbox.files[PATH] == text


def test_an_ambiguous_or_missing_text_is_answered_with_where(edit, sandbox):
    sandbox.files[PATH] = b"alpha = 1\nbeta = 2\nalpha = 1\n"
    with pytest.raises(ToolError, match=r"occurs 2 times in .* \(lines 1, 3\)"):
        edit("str_replace", old_str="alpha = 1", new_str="x")


@pytest.mark.parametrize(
    "wrong",
    [
        "    return total",
        "\tfor item in items:\n\t\ttotal += item.price\n",
        "for item in itmes:\n    total += item.prise",
    ],
)
def test_a_missing_text_is_answered_with_the_lines_that_come_near(edit, sandbox, wrong):
    text = "def add(items):\n  for item in items:\n    total += item.price\n  return total\n"
    sandbox.files[PATH] = text.encode()
    with pytest.raises(ToolError, match="These lines come near:") as told:
        edit("str_replace", old_str=wrong, new_str="x")
    near = str(told.value).splitlines()[1:]
    assert near == (
        ["     4\t  return total"]
        if "return" in wrong
        else ["     2\t  for item in items:", "     3\t    total += item.price"]
    )


def test_a_text_that_nothing_resembles_says_to_look_first(edit, sandbox):
    sandbox.files[PATH] = b"one\ntwo\n"
    with pytest.raises(ToolError, match="View the file first"):
        edit("str_replace", old_str="something else entirely", new_str="x")


@pytest.mark.parametrize(
    ("line", "expected"),
    [(0, b"new\none\ntwo"), (1, b"one\nnew\ntwo"), (2, b"one\ntwo\nnew")],
)
def test_insert_puts_a_line_after_the_one_named(edit, sandbox, line, expected):
    sandbox.files[PATH] = b"one\ntwo"
    edit("insert", insert_line=line, new_str="new")
    assert sandbox.files[PATH] == expected


def test_undo_takes_back_one_edit_at_a_time(edit, sandbox):
    sandbox.files[PATH] = b"one"
    edit("create", file_text="two")
    edit("str_replace", old_str="two", new_str="three")
    edit("undo_edit")
    assert sandbox.files[PATH] == b"two"
    edit("undo_edit")
    assert sandbox.files[PATH] == b"one"
    with pytest.raises(ToolError, match="no edit"):
        edit("undo_edit")


def test_undo_of_a_new_file_removes_it(edit, sandbox):
    edit("create", file_text="one")
    assert "is gone" in edit("undo_edit").text
    assert PATH not in sandbox.files


def test_lines_are_those_of_sed_and_of_insert(edit, sandbox):
    sandbox.files[PATH] = "a\x0cb\u2028c\nd\n".encode()
    assert edit("view").text == "     1\ta\x0cb\u2028c\n     2\td"


def test_a_folder_is_listed_a_picture_handed_over_a_binary_named(edit, sandbox):
    sandbox.files["/workspace/d/x.txt"] = b"12345"
    sandbox.files["/workspace/p.png"] = b"\x89PNG\r\n\x1a\n..."
    sandbox.files["/workspace/b.bin"] = b"\x00\x01"
    assert "/workspace/d/\n/workspace/d/x.txt  (5 bytes)" in edit("view", "/workspace").text
    assert edit("view", "/workspace/p.png").images == (b"\x89PNG\r\n\x1a\n...",)
    with pytest.raises(ToolError, match="binary"):
        edit("view", "/workspace/b.bin")


def test_text_that_is_not_utf_8_is_shown_escaped_and_never_mangled(edit, sandbox):
    sandbox.files[PATH] = b"caf\xe9 au lait"
    assert "caf\\xe9" in edit("view").text
    assert "not UTF-8" in edit("view").text
    with pytest.raises(ToolError, match="not UTF-8 text"):
        edit("str_replace", old_str="lait", new_str="x")
    assert sandbox.files[PATH] == b"caf\xe9 au lait"


@pytest.mark.parametrize("path", ["/etc/passwd", "../../etc/passwd", "/workspace/../etc/passwd"])
def test_paths_outside_the_workspace_are_refused(edit, path):
    with pytest.raises(ToolError, match="outside /workspace"):
        edit("view", path)
