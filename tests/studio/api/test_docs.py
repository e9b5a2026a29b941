"""What docs/api.md says is so, and its examples do what they say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from agent.events import Reason, RunEnded
from studio.api import problems, sending
from studio.api.models import Delivery, Webhook
from studio.inspections.models import Inspection, State
from studio.runs import journal
from studio.runs.models import Run, Status
from tests.studio.api.conftest import Program
from tests.studio.conftest import save

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs" / "api.md"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_examples_work_one_after_the_other(
    alices: Program, served: str, tmp_path: Path
) -> None:
    examples = re.findall(r"```bash\n(.*?)```", DOCS.read_text(), re.DOTALL)
    (tmp_path / "data.csv").write_text("1,2,3\n")
    port = served.rpartition(":")[2]
    environment = {**os.environ, "STUDIO": f"http://localhost:{port}", "STUDIO_TOKEN": alices.token}
    script = "set -eu\n" + "\n".join(examples)
    command = ["bash", "-c", script]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        while not (run := Run.objects.filter(status=Status.QUEUED).first()):
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        save(run, "poster.svg", b"<svg/>")
        run.refresh_from_db()
        ended = RunEnded(reason=Reason.SUBMITTED, message="Done.")
        Inspection.objects.update(state=State.DONE)
        journal.append(run.pk, ended, claim=run.claim)
        _, complaints = process.communicate(timeout=60)
    assert process.returncode == 0, complaints
    assert (tmp_path / "poster.svg").read_bytes() == b"<svg/>"
    first, second = Run.objects.order_by("number")
    assert [file.name for file in first.project.inputs.all()] == ["data.csv"]
    assert (second.prompt, second.reason) == ("The same in blue", "stopped")
    assert Webhook.objects.get().url == "https://hooks.example.org/studio"


def test_every_code_is_described_and_every_described_one_is_told() -> None:
    rooms = [*(ROOT / "studio/api").rglob("*.py"), ROOT / "studio/web.py"]
    source = "".join(path.read_text() for path in rooms)
    told = re.findall(r'(?:problem\(\d+, |Refused\()"(\w+)"', source)
    # Those of requests, of bodies that are too large for anything, and of a full disk.
    told += [*problems.CODES.values(), "unprocessable", "too_large", "disk_full"]
    described = re.findall(r"^\| \d+ \| `(\w+)` \|", DOCS.read_text(), re.MULTILINE)
    assert sorted(described) == sorted(set(told))


@pytest.mark.django_db
def test_the_example_of_a_delivery_has_what_deliveries_have(run: Run) -> None:
    (example,) = re.findall(r"```json\n(.*?)```", DOCS.read_text(), re.DOTALL)
    payload = json.loads(example)
    run.refresh_from_db()
    sent = sending.payload(Delivery(run=run))
    assert list(payload) == list(sent)
    assert {name: type(each) for name, each in payload["data"].items()} == {
        name: type(each) for name, each in sent["data"].items()
    }
