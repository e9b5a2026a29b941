"""The rules that keep every part in its room."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = [
    path
    for folder in ("agent", "studio", "sandbox_image")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


@cache
def imports(path: Path) -> set[str]:
    """The top-level packages that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def importers(package: str, folder: str = "") -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if package in imports(path) and str(path.relative_to(ROOT)).startswith(folder)
    }


def test_only_one_module_knows_the_engine():
    assert importers("docker") == {"agent/sandbox/docker.py"}


@pytest.mark.parametrize("package", ["django", "studio", "celery", "channels"])
def test_agent_and_image_know_nothing_of_the_studio(package):
    assert importers(package, "agent/") | importers(package, "sandbox_image/") == set()


def test_all_of_agent_imports_where_django_cannot_be_imported():
    program = """
import importlib, pkgutil, sys
sys.modules["django"] = sys.modules["studio"] = None
import agent
for module in pkgutil.walk_packages(agent.__path__, "agent."):
    leaf = module.name.rpartition(".")[2]
    if leaf != "__main__" and not leaf.startswith("make") and ".kit" not in module.name:
        importlib.import_module(module.name)
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)


def test_the_guest_needs_nothing_but_the_standard_library():
    for path in (ROOT / "sandbox_image" / "guest").glob("*.py"):
        assert imports(path) <= set(sys.stdlib_module_names) | {"sandbox_image"}, path


@pytest.mark.slow
def test_web_and_worker_decode_no_media():
    decoders = {"PIL", "cairosvg", "cairo", "moviepy", "pypdf", "mido", "soundfile", "lxml"}
    for package in decoders:
        assert importers(package, "studio/") == set()


def test_only_the_journal_creates_events():
    creators = {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if "Event.objects.create" in path.read_text(encoding="utf-8")
        or "Event.objects.bulk_create" in path.read_text(encoding="utf-8")
    }
    assert creators == {"studio/runs/journal.py"}
