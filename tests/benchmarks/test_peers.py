"""How a peer's program answers."""

import json
import subprocess
import sys

PROGRAM = """
import contextlib
from benchmarks.peers import serve

@contextlib.contextmanager
def opened():
    print("starting")
    def samples(times, command=""):
        print("a word of the peer's")
        return [len(command) + 0.5] * times
    yield samples
    print("cleaned up")

serve(opened)
"""


def test_a_peer_answers_each_line_with_a_round_whatever_else_it_prints():
    asked = [{"times": 2, "command": "true"}, {"times": 1}]
    end = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input="".join(json.dumps(round) + "\n" for round in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    assert [json.loads(line) for line in end.stdout.splitlines()] == [[4.5, 4.5], [0.5]]
    assert end.stderr.splitlines()[-1] == "cleaned up"
