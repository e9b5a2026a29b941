"""What the model is told of a command's output."""

import math

import pytest

from agent.limits import Limits
from agent.sandbox import Exited, Printed
from agent.testing import MemorySandbox
from agent.tools.bash import bash_tool

LOG = "/workspace/.logs/1.log"


class Printing(MemorySandbox):
    """A sandbox in which every command prints the same."""

    def __init__(self, text):
        super().__init__()
        self.text = text.encode()

    def run(self, command, timeout):
        for start in range(0, len(self.text), 8192):
            yield Printed(self.text[start : start + 8192])
        yield Exited(0, log=LOG)


def told(text, chars=16_000):
    tool = bash_tool(Printing(text), Limits(output_chars=chars), lambda: math.inf)
    *_, result = tool.call({"command": "print"})
    return result.text


@pytest.mark.parametrize("size", [20_000, 100_000, 150_000, 1_000_000])
def test_of_one_endless_line_its_beginning_and_its_end_are_shown(size):
    said = told("<" + "-" * (size - 2) + ">")
    assert said.startswith("<--")
    assert "-->" in said
    assert len(said) < 4_200
    assert f"[… {size - said.count('-') - 2} characters left out …]" in said
    assert f"more of the output is in {LOG}" in said


def test_of_many_lines_the_first_and_the_last_are_shown_whole():
    lines = [f"line {number} {'.' * 60}" for number in range(100_000)]
    said = told("\n".join(lines)).splitlines()
    assert said[:100] == lines[:100]
    assert said[-101:-1] == lines[-100:]


def test_output_that_fits_is_shown_as_it_is():
    text = "\n".join("." * 79 for _ in range(100))
    assert told(text) == text
