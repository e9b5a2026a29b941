"""3D models: complete, with faces whose corners are there."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from pathlib import Path
from urllib.parse import unquote

from checks.report import Report, Unreadable

MOST_BYTES = 256 << 20
HEADER, CHUNK, TRIANGLES = 12, 8, 4
SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


def check(path: Path, report: Report) -> None:
    if report.bytes > MOST_BYTES:
        raise Unreadable("it is more than can be looked through", "too_large")
    report.kind = "3D model"
    suffix = path.suffix.lower()
    if suffix == ".obj":
        obj(path, report)
    elif suffix == ".stl":
        stl(path, report)
    else:
        scene(path, report)
    if report.facts["faces"] == 0:
        report.fail("no_faces", "there is no face in it")


def obj(path: Path, report: Report) -> None:
    points = faces = 0
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            kind, *words = line.split()[:256] or [""]
            try:
                if kind == "v":
                    points += 1
                    [float(word) for word in words]
                    if len(words) < 3:
                        raise ValueError("a point has three numbers")
                elif kind == "f":
                    faces += 1
                    corners = [int(word.partition("/")[0]) for word in words]
                    if len(corners) < 3 or not all(0 < abs(corner) <= points for corner in corners):
                        raise ValueError("a corner is not there")
            except ValueError as error:
                raise Unreadable(f"line {number}: {error}", "not_parsed") from None
    if not points:
        raise Unreadable("there is no point in it", "not_parsed")
    report.facts |= {"points": points, "faces": faces}


def stl(path: Path, report: Report) -> None:
    with path.open("rb") as file:
        head = file.read(84)
    number = int.from_bytes(head[80:84], "little") if len(head) == 84 else 0
    wanted = 84 + 50 * number
    if len(head) == 84 and (report.bytes == wanted or not head.lstrip().startswith(b"solid")):
        if report.bytes < wanted:
            raise Unreadable(
                f"it is cut off: {wanted - report.bytes:,} of its bytes are missing", "truncated"
            )
        report.facts["faces"] = number
        return
    if not head.lstrip().startswith(b"solid"):
        raise Unreadable("not an STL file", "not_parsed")
    text = path.read_text("utf-8", "replace")
    if "endsolid" not in text:
        raise Unreadable("it is cut off: its end is missing", "truncated")
    corners = text.count("vertex ")
    report.facts["faces"] = text.count("endfacet")
    if corners != 3 * report.facts["faces"]:
        raise Unreadable("a face has another number of corners than three", "not_parsed")


def scene(path: Path, report: Report) -> None:
    """glTF, as JSON or in one binary file."""
    data, inside = path.read_bytes(), None
    if data[:4] == b"glTF":
        data, inside = unpacked(data)
    elif path.suffix.lower() == ".glb":
        raise Unreadable("not a binary glTF file", "not_parsed")
    try:
        tree = json.loads(data)
        if not str(tree["asset"]["version"]).startswith("2"):
            raise Unreadable(f"glTF {tree['asset']['version']} is not shown: write 2.0")
        buffers = [
            bytes_of(buffer, path.parent, inside if number == 0 else None)
            for number, buffer in enumerate(tree.get("buffers", []))
        ]
        accessors = [reach(accessor, tree, buffers) for accessor in tree.get("accessors", [])]
        parts = [part for mesh in tree.get("meshes", []) for part in mesh["primitives"]]
        faces = points = 0
        for part in parts:
            corners = accessors[part["attributes"]["POSITION"]]
            points += corners
            drawn = accessors[part["indices"]] if "indices" in part else corners
            faces += drawn // 3 if part.get("mode", TRIANGLES) == TRIANGLES else drawn
    except (ValueError, RecursionError, KeyError, IndexError, TypeError, AttributeError) as error:
        why = f"{type(error).__name__} {error}"
        raise Unreadable(f"not a glTF scene: {why}", "not_parsed") from None
    report.facts |= {"points": points, "faces": faces}


def unpacked(data: bytes) -> tuple[bytes, bytes]:
    """The JSON and the numbers of a binary file."""
    if len(data) < HEADER + CHUNK or struct.unpack("<I", data[8:12])[0] > len(data):
        raise Unreadable("it is cut off", "truncated")
    length = struct.unpack("<I", data[HEADER : HEADER + 4])[0]
    start = HEADER + CHUNK
    return data[start : start + length], data[start + length + CHUNK :]


def bytes_of(buffer: dict, folder: Path, inside: bytes | None) -> int:
    """How many bytes there are of a buffer; those that it says, at least."""
    uri = buffer.get("uri")
    if "extensions" in buffer:
        # It need not be there for those who know how it was packed.
        there = buffer["byteLength"]
    elif uri is None:
        there = len(inside or b"")
    elif uri.startswith("data:"):
        try:
            there = len(base64.b64decode(uri.partition(",")[2]))
        except binascii.Error as error:
            raise ValueError(str(error)) from None
    else:
        file = folder / unquote(uri)
        if not file.is_file():
            raise Unreadable(f"its file {uri} is not there", "missing_file", target=uri)
        there = file.stat().st_size
    if there < buffer["byteLength"]:
        raise Unreadable(
            f"{buffer['byteLength'] - there:,} bytes of its numbers are missing", "truncated"
        )
    return there


def reach(accessor: dict, tree: dict, buffers: list[int]) -> int:
    """How many values there are; they must lie inside of what holds them."""
    count = int(accessor["count"])
    if "bufferView" in accessor:
        view = tree["bufferViews"][accessor["bufferView"]]
        size = SIZES[accessor["componentType"]] * WIDTHS[accessor["type"]]
        step = view.get("byteStride", size)
        end = accessor.get("byteOffset", 0) + (count - 1) * step + size
        if end > view["byteLength"] or (
            view.get("byteOffset", 0) + view["byteLength"] > buffers[view["buffer"]]
        ):
            raise ValueError("values lie outside of the buffer")
    return count
