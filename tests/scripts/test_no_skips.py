import pytest

PLUGINS = ("-p", "tests.no_skips", "-p", "no:django", "-p", "no:asyncio")
SOURCES = {
    "skip": "import pytest\ndef test_it(): pytest.skip('not today')",
    "mark": "import pytest\n@pytest.mark.skip(reason='not today')\ndef test_it(): ...",
    "xfail": "import pytest\n@pytest.mark.xfail(reason='not today')\ndef test_it(): assert False",
    "xfail_call": "import pytest\ndef test_it(): pytest.xfail('not today')",
    "fixture": (
        "import pytest\n@pytest.fixture\ndef it(): pytest.skip('not today')\ndef test_it(it): ..."
    ),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_a_skipped_or_excused_test_fails_and_says_why(pytester, source):
    pytester.makepyfile(source)
    result = pytester.runpytest_inprocess(*PLUGINS)
    outcomes = result.parseoutcomes()
    assert outcomes.keys() & {"failed", "errors"}
    assert not outcomes.keys() & {"skipped", "xfailed", "passed"}
    result.stdout.fnmatch_lines(["*not today*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_module_that_skips_itself_is_an_error(pytester):
    pytester.makepyfile("import pytest\npytest.importorskip('no_such_module')\ndef test_it(): ...")
    result = pytester.runpytest_inprocess(*PLUGINS)
    assert result.parseoutcomes() == {"errors": 1}
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_other_tests_are_left_alone(pytester):
    pytester.makepyfile("def test_good(): ...\ndef test_bad(): assert False")
    result = pytester.runpytest_inprocess(*PLUGINS)
    assert result.parseoutcomes() == {"passed": 1, "failed": 1}
