"""What somebody may do only so often is counted for all processes of an installation together."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Each tries four times; in one minute, whatever the time is.
PROGRAM = """
import time, django
django.setup()
from studio.accounts.models import User
from studio.api import throttling
from studio.api.problems import TooManyRequests
from studio.sharing.unlocking import too_many
time.time = lambda: 1_800_000_000.0
late = 0
for _ in range(4):
    try:
        throttling.count(User(pk=1))
    except TooManyRequests:
        late += 1
print(sum(too_many("unlock:1", 5, 600) for _ in range(4)), late)
"""


@pytest.mark.slow
def test_two_processes_count_together(redis_url: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "studio.settings",
        "REDIS_URL": redis_url,
        "STUDIO_API_RATE": "5",
        "STUDIO_VAR": str(tmp_path),
    }
    command = [sys.executable, "-c", PROGRAM]
    processes = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = [process.communicate()[0].split() for process in processes]
    # Of eight tries five are let through, whoever counted them: of passwords, and of programs.
    assert [sum(map(int, each)) for each in zip(*told, strict=True)] == [3, 3]
