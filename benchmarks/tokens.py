"""What prompts hold: after a flood of output, and when a long document is a file."""

from __future__ import annotations

import random
from collections.abc import Iterator

from agent.inputs import Input
from benchmarks import loops
from benchmarks.measure import Comparison, Measure, at_least, at_most
from benchmarks.peer import Peer
from benchmarks.server import SUBMIT, Endpoint, bash

# One line of a million characters.
FLOOD = bash("seq -s, 999999 | head -c 1000000")
DAYS, WORDS, COMET = 1000, 90, 618
VOCABULARY = (
    "a the of and in on with from harbour market winter evening ship bread river council bridge "
    "letter merchant garden tower quiet early broken golden arrived carried repaired counted "
    "visited sold found returned before after between against nobody everybody captain baker"
)
QUESTION = "On which day of the chronicle was a comet seen, and what happened the day before?"
SEARCH = (
    bash("wc input/chronicle.txt; head -n 2 input/chronicle.txt"),
    bash("grep -n comet input/chronicle.txt"),
    bash(f"sed -n '{COMET - 1},{COMET}p' input/chronicle.txt"),
)


def measures() -> Iterator[Measure]:
    """B19: the tokens of all that the model is asked, as a provider would count them."""
    with Endpoint() as endpoint, Peer("tokens") as counter:
        *_, ours = loops.run(endpoint, [FLOOD]).bodies
        with Peer("llm_in_sandbox") as peer:
            endpoint.script([FLOOD, SUBMIT])
            peer.samples(url=endpoint.url)
            *_, theirs = endpoint.record().bodies
        counted = [(counter.samples(bodies=[ours]), counter.samples(bodies=[theirs]))]
        yield Comparison(
            "B19",
            "the prompt after 1 MB in a line",
            "llm-in-sandbox",
            "tokens",
            counted,
            at_most(1 / 100),
        )
        document = chronicle()
        file = Input("chronicle.txt", lambda: [document.encode()])
        searched = loops.run(endpoint, SEARCH, QUESTION, inputs=[file]).bodies
        assert "comet" in searched[-1].partition(QUESTION)[2], "the comet was not found"
        told = loops.run(endpoint, [], f"{document}\n\n{QUESTION}").bodies
        counted = [([sum(counter.samples(bodies=searched))], counter.samples(bodies=told))]
        yield Comparison(
            "B19", "a long document, searched", "in the prompt", "tokens", counted, at_least(8)
        )


def chronicle() -> str:
    """About 100,000 tokens, a line a day; the same whenever it is asked for."""
    chance = random.Random(COMET)
    days = [" ".join(chance.choices(VOCABULARY.split(), k=WORDS)) for _ in range(DAYS)]
    days[COMET - 1] += " and a comet was seen"
    return "".join(f"Day {number}: {text}.\n" for number, text in enumerate(days, 1))
