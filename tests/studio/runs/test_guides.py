"""What the models of this installation are told."""

import pytest

from agent.testing import MemorySandbox, ScriptedModel, submit
from studio.runs import worker

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_run_has_the_guide_of_its_request_and_the_operators_prompts(
    run, settings, tmp_path, monkeypatch
):
    (tmp_path / "summer.md").write_text("---\nwords: summer party\n---\nBring a hat.")
    settings.PROMPTS = str(tmp_path)
    model = ScriptedModel([submit("Done.")])
    monkeypatch.setattr(worker, "model", lambda run: model)
    monkeypatch.setattr(worker, "sandbox", lambda run: MemorySandbox())

    worker.execute(run.pk)
    told = model.asked[0][0].text
    assert "# Guide: posters" in told
    assert "Bring a hat." in told
    assert run.events.get(kind="run.started").data["system"] == told
