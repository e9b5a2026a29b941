import re

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from agent.events import PAUSES, Reason
from studio.runs.reasons import explanation, question

TOLD_BY_THE_AGENT = {Reason.MODEL_UNAVAILABLE, Reason.SANDBOX_UNAVAILABLE, Reason.STORAGE_FULL}


@pytest.mark.parametrize("reason", sorted(set(Reason) - TOLD_BY_THE_AGENT - {Reason.SUBMITTED}))
def test_an_end_without_a_result_is_explained(reason: Reason) -> None:
    assert explanation(reason.value, "internal").endswith(".")
    assert "internal" not in explanation(reason.value, "internal")


@pytest.mark.parametrize("reason", sorted(TOLD_BY_THE_AGENT))
def test_what_an_operator_can_mend_is_told_as_it_is(reason: Reason) -> None:
    assert explanation(reason.value, "Run scripts/build-image.") == "Run scripts/build-image."


def test_a_run_that_goes_on_has_nothing_to_explain() -> None:
    assert explanation("", "") == ""


@pytest.mark.parametrize("reason", sorted(PAUSES))
def test_a_pause_says_why_in_both_languages(reason: Reason) -> None:
    said = question(reason)
    with override("zh-hans"):
        assert question(reason) not in ("", said)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_has_a_title_for_every_end(language: str) -> None:
    with override(language):
        titles = {reason: render_to_string("runs/_reason.html", {"reason": reason}).strip()
                  for reason in Reason}  # fmt: skip
        words = render_to_string("runs/_log_templates.html")
    assert len(set(titles.values()) - {""}) == len(Reason)
    assert set(re.findall(r'data-word="reason-(\w+)"', words)) == {*Reason, "answer"}
