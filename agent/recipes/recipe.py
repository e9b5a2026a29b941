"""What a recipe is: a kind of thing that can be made without a language model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.recipes.request import Lang, Request


def no_bonus(request: Request) -> float:
    """The `also` of a recipe that is found by its words alone."""
    return 0.0


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A parametrised script that really makes files, and how a request becomes its parameters.

    The package `agent/recipes/<name>/` holds the scripts: every `make*.py` is copied beside
    `recipe.json` (the parameters) into `/workspace`, what they import of `kit` into
    `/workspace/kit`, then `python3 make.py recipe.json` runs there. The script prints progress
    lines, writes into `/workspace/output`, and ends with status 2 and a last line `error: …` on
    stderr, in the language of `parameters["lang"]`, when the request or an input cannot be used.

    `parameters(request)` gives JSON values: at least `lang` ("en" or "zh"), `title`, `seed`
    (int) and `files`, which maps a role to a name in the output folder, such as
    `{"wav": "dusk.wav"}`. A role that is only sometimes made belongs there only then.

    `describe(parameters, lang)` is one sentence about what was understood, `summary(parameters,
    lang)` what was made and what a follow-up can change; `lang` is the user's language here, not
    the work's. File names need not be repeated in them: the model lists them itself.
    """

    name: str
    noun: Mapping[Lang, str]
    """With its article: "a piece of music", "一首乐曲"."""
    example: Mapping[Lang, str]
    """A request that shows what it can do."""
    words: Mapping[str, float]
    """Regular expressions (case is ignored) and how surely each means this recipe, 0 to 1."""
    parameters: Callable[[Request], dict[str, Any]]
    describe: Callable[[Mapping[str, Any], Lang], str]
    summary: Callable[[Mapping[str, Any], Lang], str]
    also: Callable[[Request], float] = no_bonus
    """A certainty that does not come from words, such as a CSV among the inputs."""

    def fits(self, request: Request) -> float:
        """How surely the newest request asks for this, 0 to about 1.1.

        Of two equally sure words the main one wins: in English the first ("a poster for a music
        festival"), in Chinese the last of its clause ("音乐节海报").
        """
        best = self.also(request)
        for word, certainty in self.words.items():
            for match in re.finditer(word, request.text, re.IGNORECASE):
                best = max(best, certainty + 0.1 * prominence(request.text, match.start()))
        return best


def prominence(text: str, position: int) -> float:
    """How much a word at `position` is the main word of a request, 0 to 1."""
    clauses = list(re.finditer(r"[^，。；！？,.;!?\n:：]+", text))
    index = sum(clause.end() <= position for clause in clauses)
    clause = clauses[min(index, len(clauses) - 1)]
    place = (position - clause.start()) / max(1, len(clause.group()))
    if not re.search(r"[\u4e00-\u9fff]", clause.group()):
        place = 1 - place
    return (1 + max(0.0, min(1.0, place))) / (2 + index)
