"""`str_replace_editor`: exact edits of text files."""

from __future__ import annotations

import difflib
from collections.abc import Generator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from agent.errors import ToolError
from agent.limits import Limits
from agent.sandbox import Sandbox
from agent.sandbox.confinement import WORKSPACE
from agent.tools import Outcome, Result, Tool, shortened
from agent.tools.pictures import look

HEAD_BYTES, TEXT_BYTES = 8 << 10, 20 << 20
PICTURE_BYTES = 4 << 20
UNDO_STEPS = 20
AROUND = 3
COMPARED, LONG, SHOWN = 5_000, 500, 12
LISTED = 1000
PICTURES = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPEG"}


def editor_tool(sandbox: Sandbox, limits: Limits, *, sees: bool = False) -> Tool:
    """The tool; its undo history lives as long as it does."""
    editor = _Editor(sandbox, limits, sees=sees)

    def str_replace_editor(
        command: Annotated[
            Literal["view", "create", "str_replace", "insert", "undo_edit"],
            Field(description="What to do."),
        ],
        path: Annotated[str, Field(description="A file or folder below /workspace.")],
        file_text: Annotated[
            str | None, Field(description="For create: the whole content.")
        ] = None,
        old_str: Annotated[
            str | None, Field(description="For str_replace: text that occurs exactly once.")
        ] = None,
        new_str: Annotated[
            str | None, Field(description="For str_replace and insert: the new text.")
        ] = None,
        insert_line: Annotated[
            int | None, Field(ge=0, description="For insert: the line after which, 0 for the top.")
        ] = None,
        view_range: Annotated[
            list[int] | None,
            Field(min_length=2, max_length=2, description="For view: first and last line, -1: end"),
        ] = None,
    ) -> Outcome:
        """View, create and edit files below /workspace.

        view shows a text file with line numbers, a folder two levels deep, and what `look` shows
        of a picture, a video, a sound, a PDF or MIDI. create writes a whole file, making its
        folders. str_replace replaces the one place where old_str occurs; give enough lines around
        it to make it unique. insert puts new_str after insert_line. undo_edit takes back the last
        edit of the file. Bytes are kept exactly: tabs, line ends and the end of the file are as
        you give them.
        """
        match command:
            case "view":
                yield from editor.view(path, view_range)
            case "create":
                yield editor.create(path, _needed(file_text, "file_text"))
            case "str_replace":
                yield editor.replace(path, _needed(old_str, "old_str"), new_str or "")
            case "insert":
                if insert_line is None:
                    raise ToolError("insert needs insert_line.")
                yield editor.insert(path, insert_line, _needed(new_str, "new_str"))
            case "undo_edit":
                yield editor.undo(path)

    return Tool(str_replace_editor)


def _needed(value: str | None, name: str) -> str:
    if value is None:
        raise ToolError(f"This command needs {name}.")
    return value


class _Editor:
    def __init__(self, sandbox: Sandbox, limits: Limits, *, sees: bool) -> None:
        self._sandbox = sandbox
        self._limits = limits
        self._sees = sees
        self._history: dict[str, list[bytes | None]] = {}

    def view(self, path: str, lines: list[int] | None) -> Outcome:
        try:
            head = self._sandbox.read(path, HEAD_BYTES)
        except ToolError as error:
            if "is a folder" not in str(error):
                raise
            yield Result(self._folder(path))
            return
        if b"\0" in head or head.startswith((b"%PDF-", *PICTURES)):
            yield (yield from self._media(path, head))
        else:
            yield self._lines(path, head, lines)

    def _lines(self, path: str, head: bytes, lines: list[int] | None) -> Result:
        whole = len(head) < HEAD_BYTES
        data = head if whole else self._sandbox.read(path, TEXT_BYTES)
        numbered = [line.rstrip(b"\r\n") for line in data.splitlines(keepends=True)]
        first, last = _range(lines, len(numbered))
        shown = shortened(_numbered(numbered, first, last), self._limits.output_chars)
        notes = []
        if len(data) == TEXT_BYTES:
            notes.append(f"[only the first {TEXT_BYTES >> 20} MB are looked at]")
        if (at := _broken(data)) is not None and at < TEXT_BYTES - 4:
            notes.append("[not UTF-8: shown escaped]")
        return Result("\n".join([shown, *notes] if shown else notes) or "[the file is empty]")

    def create(self, path: str, text: str) -> Result:
        before = self._before(path)
        self._write(path, _encoded(text))
        self._remember(path, before)
        return Result(f"File {'created' if before is None else 'replaced'}: {path}")

    def replace(self, path: str, old: str, new: str) -> Result:
        data = self._text(path)
        wanted = _encoded(old)
        if not wanted:
            raise ToolError("old_str is empty. Use insert to add text.")
        count = data.count(wanted)
        if count == 0:
            raise ToolError(f"old_str does not occur in {path}.{_nearest(data, old)}")
        if count > 1:
            found = ", ".join(map(str, _lines_of(data, wanted)))
            raise ToolError(
                f"old_str occurs {count} times in {path} (lines {found}). "
                "Give more lines around it."
            )
        at = data.index(wanted)
        changed = data[:at] + _encoded(new) + data[at + len(wanted) :]
        return self._edit(path, data, changed, data[:at].count(b"\n") + 1, new.count("\n") + 1)

    def insert(self, path: str, line: int, text: str) -> Result:
        data = self._text(path)
        lines = data.splitlines(keepends=True)
        if line > len(lines):
            raise ToolError(f"{path} has {len(lines)} lines; insert_line {line} is beyond them.")
        addition = _encoded(text)
        if line and not lines[line - 1].endswith(b"\n"):
            addition = b"\n" + addition
        elif line < len(lines) and not addition.endswith(b"\n"):
            addition += b"\n"
        changed = b"".join(lines[:line]) + addition + b"".join(lines[line:])
        return self._edit(path, data, changed, line + 1, text.count("\n") + 1)

    def undo(self, path: str) -> Result:
        history = self._history.get(path)
        if not history:
            raise ToolError(f"There is no edit of {path} to take back.")
        before = history.pop()
        if before is None:
            self._sandbox.remove(path)
            return Result(f"{path} is gone: it did not exist before the edit taken back.")
        self._write(path, before)
        return Result(f"The last edit of {path} was taken back.")

    def _edit(self, path: str, before: bytes, after: bytes, line: int, count: int) -> Result:
        self._write(path, after)
        self._remember(path, before)
        shown = after.splitlines()
        first, last = max(1, line - AROUND), min(len(shown), line + count - 1 + AROUND)
        snippet = _numbered(shown, first, last)
        return Result(f"Edited {path}:\n{shortened(snippet, self._limits.output_chars)}")

    def _folder(self, path: str) -> str:
        entries = self._sandbox.list(path)
        lines = [f"{e.path}/" if e.is_dir else f"{e.path}  ({e.size} bytes)" for e in entries]
        if len(entries) == LISTED:
            lines.append(f"[only the first {LISTED} are listed]")
        return shortened("\n".join(lines), self._limits.output_chars) or f"{path} is empty."

    def _media(self, path: str, head: bytes) -> Generator[None, None, Result]:
        """What is to be seen of a file that is not text."""
        shown = yield from look(self._sandbox, path, self._limits, sees=self._sees)
        if shown is not None:
            return shown
        name = next((name for magic, name in PICTURES.items() if head.startswith(magic)), "")
        if not name:
            raise ToolError(f"{path} is a binary file; look at it with `file` or `check`.")
        if not self._sees:
            return Result(f"{path}: a {name} picture; `check` gives facts about it.")
        data = self._sandbox.read(path, PICTURE_BYTES + 1)
        if len(data) > PICTURE_BYTES:
            raise ToolError(
                f"{path} has over {PICTURE_BYTES >> 20} MB; make a copy of at most 1600 px and "
                "view that."
            )
        return Result(f"{path}: a {name} picture of {len(data)} bytes.", images=(data,))

    def _text(self, path: str) -> bytes:
        data = self._sandbox.read(path, TEXT_BYTES + 1)
        if len(data) > TEXT_BYTES:
            raise ToolError(f"{path} is over {TEXT_BYTES >> 20} MB; edit it with sed or Python.")
        if (at := _broken(data)) is not None:
            raise ToolError(f"{path} is not UTF-8 text (byte {at}); edit it with Python, as bytes.")
        return data

    def _before(self, path: str) -> bytes | None:
        """What the file holds, or None when there is none."""
        try:
            return self._sandbox.read(path, TEXT_BYTES + 1)
        except ToolError:
            return None

    def _remember(self, path: str, before: bytes | None) -> None:
        if before is not None and len(before) > TEXT_BYTES:
            self._history.pop(path, None)
            return
        history = self._history.setdefault(path, [])
        history.append(before)
        del history[:-UNDO_STEPS]

    def _write(self, path: str, data: bytes) -> None:
        self._sandbox.write(path, [data])


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ToolError("The text has half of a surrogate pair, which no file can hold.") from error


def _broken(data: bytes) -> int | None:
    """Where `data` is not UTF-8, None when it is."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _numbered(lines: Sequence[bytes], first: int, last: int) -> str:
    return "\n".join(
        f"{n:6}\t{lines[n - 1].decode('utf-8', 'backslashreplace')}" for n in range(first, last + 1)
    )


def _range(lines: list[int] | None, count: int) -> tuple[int, int]:
    first, last = lines or (1, -1)
    if last == -1:
        last = count
    if (count and not 1 <= first <= count) or last < first - 1:
        raise ToolError(f"view_range {lines} does not fit: the file has {count} lines.")
    return first, min(last, count)


def _lines_of(data: bytes, wanted: bytes) -> list[int]:
    found: list[int] = []
    at = data.find(wanted)
    while at >= 0 and len(found) < 10:
        found.append(data[:at].count(b"\n") + 1)
        at = data.find(wanted, at + 1)
    return found


def _nearest(data: bytes, old: str) -> str:
    """The lines of the file that come nearest to `old`, if any does."""
    wanted = old.strip("\n").splitlines()
    telling = max(wanted, key=lambda line: len(line.strip()), default="").strip()
    lines = data.splitlines()
    texts = [line.decode().strip() for line in lines[:COMPARED]]
    close = difflib.get_close_matches(telling, texts, n=1) if len(telling) < LONG else []
    found = next((text for text in texts if telling and telling in text), "".join(close))
    if not found:
        return f" View the file first; paths begin with {WORKSPACE}."
    first = max(1, texts.index(found) + 1 - [line.strip() for line in wanted].index(telling))
    last = min(len(lines), first + min(len(wanted), SHOWN) - 1)
    return f" These lines come near:\n{_numbered(lines, first, last)}"
