"""What the prompts name is in the image, and the examples of the guides work there."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agent import DockerSandbox
from agent.sandbox import Exited, Printed

pytestmark = pytest.mark.engine

FILES = sorted(Path("agent/prompts").glob("*.md"))
EXAMPLE = re.compile(r"```sh\n(.*?)```", re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
WORD = re.compile(r"/(?:usr|etc)[\w./-]*|[A-Za-z][\w-]*(?= |$)")
# Words of other languages in backticks, and the tools of the agent itself.
ELSEWHERE = {
    "execute_bash", "str_replace_editor", "submit", "view",
    "gb18030", "reverb", "chart_data",
    "alt", "devicePixelRatio", "fetch", "localStorage", "prefers-reduced-motion",
    "requestAnimationFrame", "try", "viewBox", "viewport",
}  # fmt: skip
MISSING = """
import glob, importlib.util, shutil, subprocess, sys

def printed(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout

families = printed("fc-list", ":", "family").replace(",", "\\n").split("\\n")
codecs = "".join(printed("ffmpeg", "-hide_banner", f"-{kind}") for kind in ("filters", "encoders"))
for code in sys.argv[1:]:
    word = code.split()[0]
    module = {"python-docx": "docx", "python-pptx": "pptx"}.get(word, word)
    if not (
        (word.startswith("/") and glob.glob(word))
        or code in families
        or shutil.which(word)
        or f" {word} " in codecs
        or (module.isidentifier() and importlib.util.find_spec(module))
    ):
        print(code)
"""


@pytest.fixture(scope="module")
def said() -> Iterator[Callable[[str], tuple[int, str]]]:
    """What a command in the sandbox ends with and prints."""
    with DockerSandbox() as sandbox:

        def said(command: str) -> tuple[int, str]:
            items = list(sandbox.run(command, 120))
            assert isinstance(items[-1], Exited)
            printed = b"".join(item.data for item in items if isinstance(item, Printed))
            return items[-1].code, printed.decode()

        yield said


def named(text: str) -> set[str]:
    """The commands, modules, fonts and paths that a prompt tells the model to use."""
    found = {code for code in CODE.findall(EXAMPLE.sub("", text)) if WORD.match(code)}
    return {code for code in found if code.split()[0] not in ELSEWHERE}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_prompt_names_is_in_the_image(path, said):
    names = named(path.read_text(encoding="utf-8"))
    assert len(names) > 5
    assert said(shlex.join(["python3", "-c", MISSING, *names])) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_example_of_a_guide_works_and_its_files_are_sound(path, said):
    for example in EXAMPLE.findall(path.read_text(encoding="utf-8")):
        code, printed = said(f"(set -eo pipefail\n{example})")
        assert (code, "FAIL" in printed) == (0, False), printed
