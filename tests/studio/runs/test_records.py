"""What endpoints are asked and answer, kept where the operator wants it."""

import json

import pytest

from agent import OpenAIModel
from agent.testing import MemorySandbox, ScriptedEndpoint, bash, submit
from studio.endpoints import choices
from studio.runs import worker

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "sk-canary-of-records-4711"


@pytest.fixture
def executed(run, monkeypatch):
    """The run, done by a model behind an endpoint that echoes the key."""
    script = [bash(f"echo {KEY} > output/a.txt"), submit("Done.")]
    with ScriptedEndpoint(script) as endpoint:
        model = OpenAIModel("m", api_key=KEY, base_url=endpoint.base_url)
        monkeypatch.setattr(choices, "model", lambda wanted: model)
        monkeypatch.setattr(worker, "sandbox", lambda run: MemorySandbox())

        def execute():
            worker.execute(run.pk)
            run.refresh_from_db()
            return run

        yield execute


def test_exchanges_are_kept_word_for_word_without_the_key(executed, settings, tmp_path):
    settings.RECORD = str(tmp_path / "records")
    run = executed()

    told = (tmp_path / "records" / f"{run.pk}.jsonl").read_text()
    first, second = map(json.loads, told.splitlines())
    assert first["request"]["messages"][-1] == {"role": "user", "content": run.prompt}
    assert second["request"]["messages"][-1]["role"] == "tool"
    assert (first["status"], "data: [DONE]" in first["answer"]) == (200, True)
    assert KEY not in told


def test_nothing_is_kept_unless_it_is_wanted(executed, settings, tmp_path):
    settings.RECORD = ""
    assert executed().reason == "submitted"
    assert list(tmp_path.rglob("*.jsonl")) == []


def test_a_folder_that_is_none_costs_the_record_and_not_the_run(executed, settings, tmp_path):
    (tmp_path / "file").touch()
    settings.RECORD = str(tmp_path / "file")
    assert executed().reason == "submitted"
