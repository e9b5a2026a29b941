"""The key of the model during a whole run: nobody inside finds it, and nothing keeps it."""

from __future__ import annotations

import base64
import json
import tarfile
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from agent.models.choose import model_from_environment
from agent.testing import MemorySandbox, ScriptedEndpoint, bash, submit
from studio.endpoints.models import Endpoint, LanguageModel
from studio.media import store
from studio.runs import worker
from studio.runs.models import Run
from tests.studio.runs.test_worker import ended

pytestmark = pytest.mark.django_db(transaction=True)

CANARY = "sk-canary-0f5a2"
# The pattern finds the key without being it: what the model says is in the events.
LOOK = r"""
echo sk-canary-0f5aX > /tmp/decoy
cd /workspace/output
env > env.txt
cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2> /dev/null | tr '\0' '\n' > processes.txt
cat /proc/[0-9]*/mountinfo /proc/[0-9]*/status > kernel.txt 2> /dev/null
cd / && LC_ALL=C grep -rls 'sk-canary-0f5a[2X]' --exclude-dir=proc --exclude-dir=sys > /tmp/found
cd - && mv /tmp/found found.txt
cat *.txt
"""


def rows() -> str:
    """Everything in every table."""
    with connection.cursor() as cursor:
        whole = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            whole += [repr(row) for row in cursor.fetchall()]
    return "\n".join(whole)


def content(run: Run, path: str) -> str:
    version = run.project.artifacts.get(path=path).latest
    return b"".join(store().open(version.digest)).decode("utf-8", "replace")


def connect(monkeypatch, base_url: str) -> None:
    """Configure the endpoint as an operator does."""
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("OPENAI_BASE_URL", base_url)
    monkeypatch.setenv("STUDIO_MODEL", "m")
    monkeypatch.setattr(worker, "model", lambda run: model_from_environment())


def enter(monkeypatch, base_url: str) -> None:
    """Enter the endpoint in the administration."""
    endpoint = Endpoint(name="entered", base_url=base_url)
    endpoint.key = CANARY
    endpoint.save()
    LanguageModel.objects.create(endpoint=endpoint, name="m", sees="no", is_default=True)


def quoting(handler) -> None:
    """Refuse a request with its key in every part of the answer."""
    coded = base64.b64encode(CANARY.encode()).decode()
    told = f"wrong: {CANARY} {CANARY[:12]}\n{CANARY[12:]} {coded} " + "x" * 180 + CANARY
    body = json.dumps({"error": {"message": told, "param": CANARY}})
    handler.send_response(401, f"No {CANARY}")
    handler.send_header("WWW-Authenticate", f'Bearer realm="{CANARY}"')
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body.encode())


def test_an_error_that_quotes_a_key_of_the_administration_ends_the_run_without_it(
    run: Run, monkeypatch, caplog
) -> None:
    caplog.set_level("DEBUG")
    monkeypatch.setattr(worker, "sandbox", lambda run: MemorySandbox())
    with ScriptedEndpoint([quoting]) as endpoint:
        enter(monkeypatch, endpoint.base_url)
        worker.execute(run.pk)
    reason, message = ended(run)
    assert reason == "model_unavailable"
    assert "wrong: •••" in message
    assert endpoint.keys == [CANARY]
    for text in (message, rows(), caplog.text):
        for secret in (CANARY[:10], CANARY[3:]):
            assert secret not in text


def test_an_error_that_quotes_the_key_ends_the_run_without_it(
    run: Run, monkeypatch, caplog
) -> None:
    caplog.set_level("DEBUG")
    monkeypatch.setattr(worker, "sandbox", lambda run: MemorySandbox())
    with ScriptedEndpoint([quoting]) as endpoint:
        connect(monkeypatch, endpoint.base_url.replace("//", "//operator:pass-of-canary@"))
        worker.execute(run.pk)
    assert len(endpoint.requests) == 1
    reason, message = ended(run)
    assert reason == "model_unavailable"
    assert "wrong: •••" in message
    for text in (message, rows(), caplog.text):
        for secret in (CANARY[:10], CANARY[3:], "pass-of-canary", "operator"):
            assert secret not in text


@pytest.mark.engine
@pytest.mark.parametrize("configure", [connect, enter])
def test_the_models_key_is_nowhere_in_and_after_a_run(
    configure, run: Run, monkeypatch, caplog
) -> None:
    caplog.set_level("DEBUG")
    with ScriptedEndpoint([bash(LOOK, timeout=250), submit("I found nothing.")]) as endpoint:
        configure(monkeypatch, endpoint.base_url)
        worker.execute(run.pk)
    assert endpoint.keys == [CANARY, CANARY]
    assert ended(run)[0] == "submitted", run.message

    assert content(run, "found.txt") == "tmp/decoy\n"
    assert "PATH=" in content(run, "env.txt")
    assert "PATH=" in content(run, "processes.txt")
    assert "bash" in content(run, "processes.txt")
    told = rows()
    assert "I found nothing." in told
    assert CANARY not in told
    assert CANARY not in caplog.text
    assert CANARY not in str(endpoint.requests)
    kept = [path for path in Path(settings.MEDIA).rglob("*") if path.is_file()]
    assert len(kept) >= 5
    for path in kept:
        assert CANARY.encode() not in path.read_bytes()
    with tarfile.open(store().path(run.workspace)) as archive:
        inside = {entry.name: archive.extractfile(entry) for entry in archive if entry.isreg()}
        assert any(name.endswith("env.txt") for name in inside)
        for file in inside.values():
            assert CANARY.encode() not in file.read()
