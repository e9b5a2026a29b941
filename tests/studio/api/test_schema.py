"""Whatever is asked, the API answers as its OpenAPI document says, and never breaks."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection

from agent.events import Reason, RunEnded
from studio.accounts.models import User
from studio.api import v1
from studio.api.models import Token
from studio.inspections.models import Inspection, State
from studio.projects.models import Input
from studio.projects.requests import begin_project
from studio.runs import journal
from tests.studio.conftest import save

EXAMPLES = 8
# What nobody asked for is ignored, and the token is given by the test.
CONFIG = schemathesis.Config.from_dict(
    {"generation": {"allow-extra-parameters": False, "with-security-parameters": False}}
)
DOCUMENT = v1.api.document()
# What only the studio can know to be right: a cursor that it gave, a model that it has.
OURS = {"cursor": "", "model": ""}


def things(owner: User) -> dict[str, Any]:
    """The parameters of paths that lead to something of the owner's."""
    run = begin_project(owner, "A poster", []).project.runs.get()
    save(run, "poster.html", b"<h1>Poster</h1>")
    run.refresh_from_db()
    ended = RunEnded(reason=Reason.SUBMITTED, message="Done.")
    journal.append(run.pk, ended, claim=run.claim)
    # What is still looked into would keep a stream open.
    Inspection.objects.update(state=State.DONE)
    file = Input.objects.create(project=run.project, name="a.csv", digest="0" * 64, size=1)
    return {
        "project_id": run.project_id,
        "run_id": str(run.pk),
        "artifact_id": run.project.artifacts.get().pk,
        "input_id": file.pk,
        "webhook_id": owner.webhooks.create(url="https://a.example", secret="").pk,
    }


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_every_answer_is_as_described(
    mode: GenerationMode, alice: User, served: str, settings
) -> None:
    settings.NETWORKS = ["none", "packages", "open"]
    settings.API_RATE = 1_000_000
    headers = {"Authorization": f"Bearer {Token.objects.issue(alice, 'Test')}"}
    schema = schemathesis.openapi.from_url(f"{served}/api/v1/openapi.json", config=CONFIG)
    found: list[BaseException] = []

    @schema.hook
    def map_query(context, query):
        return {**query, **{name: OURS[name] for name in OURS if name in query}} if query else query

    @schema.hook
    def map_body(context, body):
        return {**body, "model": ""} if isinstance(body, dict) and "model" in body else body

    for path, operations in DOCUMENT["paths"].items():
        for method, about in operations.items():
            there = things(alice)
            named = {
                each["name"]: there[each["name"]]
                for each in about["parameters"]
                if each["in"] == "path"
            }
            fixed = {"path_parameters": named} if mode == GenerationMode.POSITIVE else {}

            @hypothesis.seed(6)
            @hypothesis.settings(
                max_examples=EXAMPLES,
                database=None,
                deadline=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @hypothesis.given(case=schema[path][method].as_strategy(mode, **fixed))
            def asked(case: Case) -> None:
                # In a form everything is a text, so nothing is of the wrong type.
                form = case.media_type == "multipart/form-data"
                without = [negative_data_rejection] if form else None
                case.call_and_validate(base_url=served, headers=headers, excluded_checks=without)

            try:
                asked()
            except Unsatisfiable:
                continue  # There is nothing about it that could be wrong.
            except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001  all are looked at
                found.append(error)
    if found:
        raise BaseExceptionGroup(f"{len(found)} operations are not as described", found)
