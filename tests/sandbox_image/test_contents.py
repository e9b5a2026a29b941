"""The tag of the image says what is in it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox_image import PROTOCOL, image_tag, proxy_tag
from sandbox_image.contents import HERE, PARTS, PROXY_PARTS, contents_hash, guest_protocol


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the parts that enter the images."""
    for part in (*PARTS, *PROXY_PARTS):
        if (HERE / part).is_dir():
            shutil.copytree(HERE / part, tmp_path / part)
        else:
            shutil.copy(HERE / part, tmp_path / part)
    return tmp_path


def test_the_same_files_elsewhere_have_the_same_hash(copy: Path) -> None:
    assert contents_hash(copy) == contents_hash()


@pytest.mark.parametrize("part", PARTS)
def test_every_part_counts(copy: Path, part: str) -> None:
    before = contents_hash(copy)
    if (copy / part).is_dir():
        (copy / part / "new").write_text("")
    else:
        with (copy / part).open("a") as file:
            file.write("\n")
    assert contents_hash(copy) != before


def test_the_executable_bit_counts(copy: Path) -> None:
    before = contents_hash(copy)
    (copy / "prepare" / "slim").chmod(0o644)
    assert contents_hash(copy) != before


def test_a_byte_moved_from_one_file_to_the_next_counts(copy: Path) -> None:
    (copy / "config" / "a").write_text("1")
    (copy / "config" / "b").write_text("23")
    before = contents_hash(copy)
    (copy / "config" / "a").write_text("12")
    (copy / "config" / "b").write_text("3")
    assert contents_hash(copy) != before


def test_bytecode_caches_do_not_count(copy: Path) -> None:
    before = contents_hash(copy)
    (copy / "guest" / "__pycache__").mkdir(exist_ok=True)
    (copy / "guest" / "__pycache__" / "new.cpython-313.pyc").write_bytes(b"x")
    assert contents_hash(copy) == before


def test_the_tag_names_the_hash() -> None:
    assert image_tag() == image_tag("sealed") == f"sandbox-studio/sandbox:{contents_hash()}"
    assert image_tag("workshop") == f"sandbox-studio/workshop:{contents_hash()}"


def test_the_proxy_has_a_tag_of_its_own(copy: Path) -> None:
    before, proxy = contents_hash(copy), contents_hash(copy, PROXY_PARTS)
    assert proxy_tag() == f"sandbox-studio/proxy:{proxy}"
    (copy / "proxy" / "serve").write_text("")
    assert contents_hash(copy) == before
    assert contents_hash(copy, PROXY_PARTS) != proxy


def test_the_protocol_is_the_guests_own() -> None:
    from sandbox_image.guest.protocol import PROTOCOL as of_the_guest

    assert of_the_guest == PROTOCOL


@pytest.mark.parametrize("line", ["PROTOCOL = 7", "PROTOCOL: Final = 7", "PROTOCOL: int=7"])
def test_the_protocol_is_found_however_it_is_declared(copy: Path, line: str) -> None:
    (copy / "guest" / "protocol.py").write_text(f'"""x"""\n{line}\n')
    assert guest_protocol(copy) == 7


def test_a_guest_without_a_protocol_is_refused(copy: Path) -> None:
    (copy / "guest" / "protocol.py").write_text("VERSION = 7\n")
    with pytest.raises(ValueError, match="declares no PROTOCOL"):
        guest_protocol(copy)


def test_the_tag_needs_no_more_than_the_standard_library() -> None:
    code = (
        "import sys, sandbox_image; sandbox_image.image_tag();"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names))"
    )
    answer = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == "['__main__', 'sandbox_image']"
