"""Taking away how something was made."""

import pytest

from agent.testing import bash, submit
from agent.trajectories import read, replies_of

pytestmark = [pytest.mark.browser, pytest.mark.engine, pytest.mark.slow]


def test_the_trajectory_is_downloaded_in_each_form(
    studio, script, open_page, ask, until_ended, tmp_path
):
    said = [bash("echo words > output/a.txt"), submit("One file.")]
    script.say(*said)
    page = open_page(studio)
    ask(page, "A text file")
    until_ended(page)
    for form, name in (
        ("messages", "messages.json"),
        ("steps", "trajectory.json"),
        ("events", "run.jsonl"),
    ):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=form, exact=True).click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
        events = read(tmp_path / name)
        assert events[0][1].prompt == "A text file"
        assert [reply.calls[0].name for reply in replies_of(events)] == ["execute_bash", "submit"]
