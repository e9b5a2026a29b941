"""A pytest plugin: a test that was skipped or excused has not passed, so it fails."""

from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    fail_if_skipped(report)
    return report


def fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not report.skipped:
        return
    reason = getattr(report, "wasxfail", None) or report.longrepr
    if isinstance(reason, tuple):
        path, line, reason = reason
        reason = f"{path}:{line}: {reason}"
    report.outcome = "failed"
    report.longrepr = f"Skips and expected failures are not allowed here.\n{reason}"
    # Terminal reporter and junit would go on counting it as an expected failure.
    vars(report).pop("wasxfail", None)
