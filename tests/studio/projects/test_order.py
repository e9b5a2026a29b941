"""Who holds several rows takes them in one order, or two would wait for each other for ever: the
user, the run, the project, its files.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import Model, QuerySet
from django.db.models.functions import Now

from agent.events import Reason, RunEnded
from studio.accounts.models import User
from studio.artifacts.models import Artifact
from studio.projects import duplicating, trash
from studio.projects.models import Project
from studio.projects.requests import begin_run
from studio.runs import claims, journal, stopping
from studio.runs.models import Run, Status
from tests.studio.conftest import follow_up, save

pytestmark = pytest.mark.django_db

ORDER = [User, Run, Project, Artifact]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], list[type[Model]]]:
    """Of which of these an action takes rows, in the order of the first ones."""
    found: dict[type[Model], None] = {}

    def noted(name: str) -> None:
        take = getattr(QuerySet, name)

        def note(self, *args, **kwargs):
            found.setdefault(self.model)
            return take(self, *args, **kwargs)

        monkeypatch.setattr(QuerySet, name, note)

    noted("update")
    noted("select_for_update")

    def watch(act: Callable[[], object]) -> list[type[Model]]:
        found.clear()
        act()
        return [model for model in found if model in ORDER]

    return watch


def test_ending_deleting_and_beginning_take_the_run_before_its_project(run: Run, taken) -> None:
    token = claims.claim(run.pk)
    assert token is not None
    ended = RunEnded(reason=Reason.STOPPED, message="")
    assert taken(lambda: journal.append(run.pk, ended, claim=token)) == [Run, Project]
    second = follow_up(run)
    assert taken(lambda: stopping.stop(second)) == [Run, Project]
    assert taken(lambda: trash.discard(second.project)) == [Run, Project]


def test_what_takes_room_takes_the_user_first(run: Run, taken) -> None:
    save(run, "a.txt", b"1")
    Run.objects.update(ended=Now())
    second = follow_up(run)
    save(second, "a.txt", b"2")
    Run.objects.update(status=Status.ENDED)
    run.refresh_from_db()
    going_back = taken(lambda: begin_run(run.project, "Go on from there", (), run))
    assert going_back == [User, Project, Artifact]
    Run.objects.update(status=Status.ENDED)
    copying = taken(lambda: duplicating.duplicate(run.project, run.project.owner))
    assert copying[:2] == [User, Project]
