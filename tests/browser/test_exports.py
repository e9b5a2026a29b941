"""Taking away how something was made."""

import pytest

from agent.testing import bash, submit
from agent.trajectories import read, replies_of
from tests.browser.looks import in_every_look

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


SAID = [bash("echo words > output/a.txt"), submit("One file.")]


@pytest.fixture(scope="module")
def made():
    return []


@pytest.fixture
def project(studio, script, open_page, ask, until_ended, made):
    """The path of a project with one run, made once."""
    if not made:
        script.say(*SAID)
        page = open_page(studio)
        ask(page, "A text file")
        until_ended(page)
        made.append(page.url.removeprefix(studio.url))
    return made[0]


@in_every_look
def test_the_trajectory_is_downloaded_in_each_form(studio, open_page, project, look, tmp_path):
    page = open_page(studio, project, look)
    for form, name in (
        ("messages", "messages.json"),
        ("steps", "trajectory.json"),
        ("events", "run.jsonl"),
    ):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=look.say(form), exact=True).click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
        events = read(tmp_path / name)
        assert events[0][1].prompt == "A text file"
        assert [reply.calls[0].name for reply in replies_of(events)] == ["execute_bash", "submit"]
