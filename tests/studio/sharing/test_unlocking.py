"""Tries of a password are counted for all processes of an installation together."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import django
django.setup()
from studio.sharing.unlocking import too_many
print(sum(too_many("unlock:1", 5, 60) for _ in range(4)))
"""


@pytest.mark.slow
def test_two_processes_count_together(redis_url: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "studio.settings",
        "REDIS_URL": redis_url,
        "STUDIO_VAR": str(tmp_path),
    }
    command = [sys.executable, "-c", PROGRAM]
    processes = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    # Of eight tries five are let through, whoever counted them.
    assert sum(int(process.communicate()[0]) for process in processes) == 3
