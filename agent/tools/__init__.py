"""The tools: each is a function, its docstring the model's manual, its signature the schema."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from agent.errors import WrongCall

ARGUMENT_CHARS = 500


@dataclass(frozen=True, slots=True)
class Result:
    """What the model is told. `failed` marks an answer that says what to do differently."""

    text: str
    failed: bool = False
    exit_code: int | None = None
    images: tuple[bytes, ...] = ()
    final: bool = False


Outcome = Generator[str | Result | None, None, None]


class Tool:
    """A function as a model sees it.

    The function yields what it prints (None is a heart beat) and last its `Result`; it may raise
    `ToolError`.
    """

    def __init__(self, function: Callable[..., Outcome]) -> None:
        self.name = function.__name__
        self._function = function
        fields: dict[str, Any] = {
            name: (
                parameter.annotation,
                ... if parameter.default is inspect.Parameter.empty else parameter.default,
            )
            for name, parameter in inspect.signature(function, eval_str=True).parameters.items()
        }
        self._arguments: type[BaseModel] = create_model(
            self.name, __config__=ConfigDict(extra="forbid"), **fields
        )
        self.schema: Mapping[str, Any] = {
            "type": "function",
            "function": {
                "name": self.name,
                "description": inspect.getdoc(function) or "",
                "parameters": _plain(self._arguments.model_json_schema()),
            },
        }

    def call(self, arguments: Mapping[str, Any]) -> Outcome:
        """Run the function.

        Raises:
            WrongCall: the arguments do not fit.
            ToolError: what the function raises.
        """
        try:
            checked = self._arguments.model_validate(dict(arguments))
        except ValidationError as error:
            raise WrongCall(f"{self.name}: {_explained(error)}") from error
        given = {name: getattr(checked, name) for name in checked.model_fields_set}
        return self._function(**given)


def _plain(schema: Any) -> Any:
    """A JSON schema without the titles that only cost tokens."""
    if isinstance(schema, dict):
        return {k: _plain(v) for k, v in schema.items() if k != "title" or not isinstance(v, str)}
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    return schema


def _explained(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(map(str, item['loc']))}: {item['msg']}"
        for item in error.errors(include_input=False, include_url=False)
    ]
    return "; ".join(problems)[:ARGUMENT_CHARS]


def shortened(text: str, chars: int, lines: int = sys.maxsize) -> str:
    """`text` with its middle cut out when it has more characters or lines than that.

    A single line may take a quarter of the characters.
    """
    whole = [_shortened_line(line, chars // 8) for line in text.splitlines(keepends=True)]
    if len(whole) > lines:
        half = lines // 2
        note = f"[… {len(whole) - 2 * half} lines left out …]\n"
        whole = [*whole[:half], note, *whole[-half:]]
    text = "".join(whole)
    if len(text) > chars:
        half = chars // 2
        text = f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
    return text


def _shortened_line(line: str, half: int) -> str:
    if len(line) <= 2 * half:
        return line
    return f"{line[:half]} [… {len(line) - 2 * half} characters left out …] {line[-half:]}"
