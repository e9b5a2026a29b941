import pytest

from agent.events import Reason
from studio.runs.reasons import explanation

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
