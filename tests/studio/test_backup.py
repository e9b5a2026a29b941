"""What docs/deploy.md says to copy is enough to go on elsewhere with everything."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from studio.endpoints.models import Endpoint
from studio.runs.models import Run
from tests.studio.conftest import save, shared

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = ROOT / "docs" / "deploy.md"
KEY = "sk-the-key-of-a-model"
# What a studio has that begins with a folder.
PROGRAM = """
import hashlib, json, django
django.setup()
from django.core.management import call_command
from django.db import connection
from studio.artifacts.models import Version
from studio.endpoints.models import Endpoint
from studio.media import store
from studio.projects.models import Project
from studio.sharing.models import Share
call_command("migrate", interactive=False, verbosity=0)
print(json.dumps({
    "database": connection.settings_dict["NAME"],
    "projects": list(Project.objects.values_list("pk", "title", "owner__username")),
    "files": {
        f"{each.artifact.path} {each.number}": [
            each.digest, hashlib.sha256(b"".join(store().open(each.digest))).hexdigest()
        ]
        for each in Version.objects.select_related("artifact")
    },
    "key": Endpoint.objects.get().key,
    "link": Share.objects.get().path,
}))
"""


def carry_out(place: int, **folders: Path) -> None:
    """One of the two blocks of commands that the document has for this."""
    chapter = DOCUMENT.read_text().partition("# Backup\n")[2]
    commands = re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL)
    named = {name: str(folder) for name, folder in folders.items()}
    subprocess.run(["bash", "-euc", commands[place]], cwd=ROOT, env=os.environ | named, check=True)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_copy_has_all_projects_files_and_secrets(run: Run, settings, tmp_path: Path) -> None:
    if connection.vendor != "sqlite":
        return  # PostgreSQL's own tools copy PostgreSQL's data.
    there, backup, var = (tmp_path / name for name in ("there", "backup", "var"))
    for folder in (there, backup, var):
        folder.mkdir()
    (there / "studio.sqlite3").symlink_to(connection.settings_dict["NAME"])
    (there / "secret-key").write_text(settings.SECRET_KEY)
    settings.MEDIA = there / "media"
    settings.MEDIA.mkdir()
    files = {name: save(run, name, name.encode()) for name in ("a.txt", "b/c.txt")}
    endpoint = Endpoint(name="one", base_url="https://models.example")
    endpoint.key = KEY
    endpoint.save()
    _, link = shared(run.project)

    carry_out(0, BACKUP=backup, STUDIO_VAR=there)
    # What is written afterwards is no part of it.
    save(run, "late.txt", b"late")
    carry_out(1, BACKUP=backup, STUDIO_VAR=var)

    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "studio.settings"}
    for name in ("DATABASE_URL", "STUDIO_SECRET_KEY"):
        environment.pop(name, None)
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**environment, "STUDIO_VAR": str(var)},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(found.stdout) == {
        "database": str(var / "studio.sqlite3"),
        "projects": [[run.project_id, run.project.title, "alice"]],
        "files": {f"{name} 1": [digest, digest] for name, digest in files.items()},
        "key": KEY,
        "link": link,
    }
