"""What a project may reach: the owner's choice, within what the operator allows."""

from __future__ import annotations

import pytest
from django.test import Client

from studio.projects import networks
from studio.projects.models import Project
from studio.runs import stopping
from studio.runs.models import Run

pytestmark = pytest.mark.django_db

ALL = ["none", "packages", "open"]


@pytest.fixture
def allowed(settings):
    """Let the operator allow these networks."""

    def allow(*names: str) -> None:
        settings.NETWORKS = list(names)

    return allow


def shown(page: str) -> list[str]:
    """The networks of the page's select, the chosen one in brackets."""
    return [
        f"[{name}]" if f'<option value="{name}" selected>' in page else name
        for name in ALL
        if f'<option value="{name}"' in page
    ]


def test_without_a_choice_there_is_no_control(run: Run, allowed, alices_browser: Client) -> None:
    for address in ("/", run.project.get_absolute_url()):
        assert 'name="network"' not in alices_browser.get(address).content.decode()
    allowed("packages")
    assert 'name="network"' not in alices_browser.get("/").content.decode()
    alices_browser.post("/projects/new/", {"prompt": "A map"})
    assert Project.objects.get(title="A map").network == "packages"


def test_the_first_allowed_network_is_what_new_projects_have(
    allowed, alices_browser: Client
) -> None:
    allowed("packages", "open", "none")
    assert shown(alices_browser.get("/").content.decode()) == ["none", "[packages]", "open"]
    alices_browser.post("/projects/new/", {"prompt": "A map"})
    assert Project.objects.get().network == "packages"


def test_the_owner_chooses_with_the_first_request_and_again_with_each(
    allowed, alices_browser: Client
) -> None:
    allowed(*ALL)
    alices_browser.post("/projects/new/", {"prompt": "A map", "network": "open"})
    project = Project.objects.get()
    assert project.network == "open"
    address = project.get_absolute_url()
    assert shown(alices_browser.get(address).content.decode()) == ["none", "packages", "[open]"]
    stopping.stop(project.runs.get())
    alices_browser.post(f"{address}runs/", {"prompt": "In blue", "network": "none"})
    project.refresh_from_db()
    assert project.network == "none"
    stopping.stop(project.runs.last())
    alices_browser.post(f"{address}runs/", {"prompt": "In red"})
    project.refresh_from_db()
    assert project.network == "none"


def test_a_request_that_has_to_wait_changes_nothing(
    run: Run, allowed, alices_browser: Client
) -> None:
    allowed(*ALL)
    path = f"{run.project.get_absolute_url()}runs/"
    answer = alices_browser.post(path, {"prompt": "In blue", "network": "open"})
    assert answer.status_code == 409
    run.project.refresh_from_db()
    assert run.project.network == "none"


@pytest.mark.parametrize("network", ["open", "host", "bridge", "", "none\0"])
def test_a_network_that_is_not_on_offer_is_refused(
    network: str, run: Run, allowed, alices_browser: Client
) -> None:
    allowed("none", "packages")
    for path in ("/projects/new/", f"{run.project.get_absolute_url()}runs/"):
        answer = alices_browser.post(path, {"prompt": "A map", "network": network})
        assert answer.status_code == 422
        assert "This network is not available here." in answer.content.decode()
    assert Project.objects.get().network == "none"


@pytest.mark.parametrize(
    ("allowed_now", "wanted", "gets"),
    [
        (["none", "packages"], "packages", "packages"),
        (["none", "packages"], "open", "none"),
        (["packages"], "open", "packages"),
        (["none"], "open", "none"),
        (["none"], "packages", "none"),
        (["open"], "none", "none"),
        (["open", "packages"], "none", "none"),
    ],
)
def test_a_network_taken_away_is_replaced_by_the_strictest_and_never_by_more(
    allowed, allowed_now: list[str], wanted: str, gets: str
) -> None:
    allowed(*allowed_now)
    assert networks.effective(wanted) == gets


def test_the_page_says_that_the_chosen_network_was_taken_away(
    project: Project, allowed, alices_browser: Client
) -> None:
    Project.objects.update(network="open")
    notice = "“Open internet” is not allowed here any more."
    allowed(*ALL)
    assert notice not in alices_browser.get(project.get_absolute_url()).content.decode()
    allowed("none", "packages")
    page = alices_browser.get(project.get_absolute_url()).content.decode()
    assert notice in page
    assert shown(page) == ["[none]", "packages"]


def test_a_project_without_network_is_asked_before_it_gets_one(
    project: Project, allowed, alices_browser: Client
) -> None:
    allowed("packages")
    address = project.get_absolute_url()
    assert shown(alices_browser.get(address).content.decode()) == ["[none]", "packages"]
    stopping.stop(project.runs.get())
    alices_browser.post(f"{address}runs/", {"prompt": "In blue", "network": "packages"})
    project.refresh_from_db()
    assert project.network == "packages"
    assert 'name="network"' not in alices_browser.get(address).content.decode()
