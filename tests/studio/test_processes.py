"""What somebody may do only so often is counted for all processes of an installation together."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from studio.projects import quota
from studio.runs.models import Run, Spending

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

# Both wait for a line before each thing, so that they do it at the same time: give four files of
# 300 bytes each, of which three fit in all, and count answers of a model for a token
# each, until the day's 300 are used up.
AT_ONCE = """
import sys, django
django.setup()
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from studio.celery import app
from studio.runs import spending
from studio.runs.models import Run
app.conf.broker_url = "memory://"
settings.USER_BYTES = 1000
run = Run.objects.select_related("project__owner").get(pk=sys.argv[2])
owner, answers = run.project.owner, 0
client = Client(HTTP_HOST="localhost")
client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
print(flush=True)
input()
for number in range(4):
    file = SimpleUploadedFile("a.txt", f"{sys.argv[1]} {number}".ljust(300).encode())
    form = {"prompt": "A chart of this", "files": [file]}
    print(client.post("/projects/new/", form).status_code)
print(flush=True)
input()
settings.DAY_TOKENS = 300
while not spending.refusal(owner.pk):
    spending.count(run, {"input": 1, "output": 0, "cached": 0, "cost": 0})
    answers += 1
print(answers)
"""


def told_by_two(program: str, var: Path, *words: str, **environment: str) -> list[list[str]]:
    """What two processes print that do the same."""
    about = {"DJANGO_SETTINGS_MODULE": "studio.settings", "STUDIO_VAR": str(var), **environment}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(number), *words],
            env={**os.environ, **about},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(2)
    ]
    told: list[list[str]] = [[], []]
    for _ in range(program.count("input()")):
        for process, lines in zip(processes, told, strict=True):
            lines += iter(lambda process=process: process.stdout.readline().strip(), "")
        for process in processes:
            process.stdin.write("\n")
            process.stdin.flush()
    rest = [process.communicate()[0].split() for process in processes]
    return [lines + more for lines, more in zip(told, rest, strict=True)]


def database() -> str:
    """The address of the test's database, for another process."""
    about = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{about['NAME']}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{about['NAME']}").geturl()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_processes_keep_and_spend_no_more_of_a_user_than_is_allowed(
    run: Run, tmp_path: Path
) -> None:
    told = told_by_two(AT_ONCE, tmp_path, str(run.pk), DATABASE_URL=database())
    codes = sorted(code for *codes, _ in told for code in codes)
    assert codes == ["302"] * 3 + ["413"] * 5
    assert quota.used(run.project.owner_id) == 900
    # Who asks while the other one's answer is on its way may go over it by that one.
    answers = sum(int(last) for *_, last in told)
    assert answers in (300, 301)
    assert Spending.objects.get().tokens == answers
    run.refresh_from_db()
    assert run.tokens_in + run.tokens_out == answers


@pytest.mark.slow
def test_two_processes_count_together(redis_url: str, tmp_path: Path) -> None:
    told = told_by_two(PROGRAM, tmp_path, REDIS_URL=redis_url, STUDIO_API_RATE="5")
    # Of eight tries five are let through, whoever counted them: of passwords, and of programs.
    assert [sum(map(int, each)) for each in zip(*told, strict=True)] == [3, 3]
