"""Calls that a model wrote as text, because its server did not take them for calls.

Only the end of a text can be calls: nothing but further calls follows them. What stands in the
middle of a text, in a code span or an open fence, or names no tool that there is, is talk about
calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agent.events import ToolCall

TRIES, CALLS = 16, 100
# Where markup of calls may begin; nothing from there on is shown as it is typed.
OPENINGS = (
    "<tool_call>",
    "<function=",
    "<function_calls>",
    "<minimax:tool_call>",
    "<invoke name=",
    "[TOOL_CALLS]",
    "[TOOL_REQUEST]",
    "<|python_tag|>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>",
    "<｜DSML｜",
)
OPENING = re.compile("|".join(map(re.escape, OPENINGS)))
FENCE = re.compile(r"^[ \t]*```[ \t]*(?:json|tool_calls?)?[ \t]*\n(?=\s*[\[{])", re.MULTILINE)
# Of an answer that went on by itself, with results that it made up.
MADE_UP = re.compile(r"<tool_response>|<\|im_start\|>|<\|im_end\|>|<\|eot_id\|>|<\|eom_id\|>")
BETWEEN = re.compile(
    r"""(?:\s|[;,\]]|\[(?=\s*\{)|```(?:json|tool_calls?)?|\[(?:TOOL_CALLS|TOOL_REQUEST|END_TOOL_REQUEST)\]
    |</?(?:tool_calls?|function_calls|minimax:tool_call|｜DSML｜function_calls|｜DSML｜tool_calls)>
    |<\|(?:tool_calls_section_begin|tool_calls_section_end|tool_call_end|python_tag)\|>
    |<｜(?:tool▁calls▁begin|tool▁calls▁end|tool▁call▁end|end▁of▁sentence)｜>)*""",
    re.VERBOSE,
)
NAME = r"[\w.:-]{1,100}"
FUNCTION = re.compile(rf"<function=\s*\"?({NAME})\"?\s*>")
PARAMETER = re.compile(r"<parameter=\s*\"?([\w.-]+)\"?\s*>")
INVOKE = re.compile(rf"<(?:｜DSML｜|minimax:)?invoke name=\"({NAME})\"\s*>")
FIELD = re.compile(r"<(?:｜DSML｜|minimax:)?parameter name=\"([\w.-]+)\"[^<>]{0,80}>")
GLM = re.compile(rf"({NAME})\s*(?=<arg_key>|</tool_call>)")
KEY = re.compile(r"<arg_key>([^<]{1,100})</arg_key>\s*<arg_value>")
# A name and then the arguments as JSON: Mistral's, Kimi's and DeepSeek's.
HEADED = (
    re.compile(rf"({NAME})(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(?=\{{)"),
    re.compile(rf"<\|tool_call_begin\|>\s*({NAME})\s*<\|tool_call_argument_begin\|>\s*"),
    re.compile(
        rf"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?({NAME})(?:<｜tool▁sep｜>)?"
        r"\s*(?:```(?:json)?\s*)?"
    ),
)
NAMED = re.compile(rf"\{{\s*\"name\"\s*:\s*\"({NAME})\"\s*,\s*\"(?:arguments|parameters)\"\s*:\s*")
ARGUMENTS = ("arguments", "parameters", "input")
SHAPE = frozenset({"name", "function", "id", "type", *ARGUMENTS})

Found = tuple[ToolCall, int]


def find_calls(
    text: str, tools: Sequence[Mapping[str, Any]], *, prose: bool = True
) -> tuple[str, list[ToolCall]]:
    """The text without the calls at its end, and these.

    Where it is no `prose`, only markup counts and no plain JSON.
    """
    known = _Tools(tools)
    if not known:
        return text, []
    for start in _starts(text, prose=prose):
        made_up = MADE_UP.search(text, start)
        calls = known.calls(text[start:])
        if made_up and not calls:
            calls = known.calls(text[start : made_up.start()])
        if calls:
            return text[:start].rstrip(), calls
    return text, []


def _starts(text: str, *, prose: bool) -> Iterator[int]:
    """Where calls may begin."""
    if prose and text.lstrip()[:1] in ("{", "["):
        yield len(text) - len(text.lstrip())
    fences = FENCE.finditer(text) if prose else iter(())
    marks = sorted(
        {match.start() for found in (OPENING.finditer(text), fences) for match in _first(found)}
    )
    yield from (start for start in marks if _may_begin(text, start))


def _first(matches: Iterator[re.Match[str]]) -> Iterator[re.Match[str]]:
    for match, _ in zip(matches, range(TRIES), strict=False):
        yield match


def _may_begin(text: str, start: int) -> bool:
    """Whether a call may begin there: not in code, not in the middle of a sentence."""
    if text.count("```", 0, start) % 2:
        return False
    line = text[text.rfind("\n", 0, start) + 1 : start]
    before = line.rstrip()
    in_sentence = before != line and (before[-1:].isalnum() or before[-1:] in tuple(",;'\""))
    token = text[start : start + 2] in ("<|", "<｜")
    return line.count("`") % 2 == 0 and (token or not in_sentence)


class _Tools:
    """The tools by name, with what their parameters are."""

    def __init__(self, tools: Sequence[Mapping[str, Any]]) -> None:
        functions = [tool.get("function", {}) for tool in tools]
        self._properties: dict[str, Mapping[str, Any]] = {
            function["name"]: function.get("parameters", {}).get("properties", {})
            for function in functions
            if "name" in function
        }

    def __bool__(self) -> bool:
        return bool(self._properties)

    def calls(self, text: str) -> list[ToolCall]:
        """The calls that the whole text is, none if it is anything else."""
        calls: list[ToolCall] = []
        at = _between(text, 0)
        while at < len(text):
            found = next(filter(None, (read(text, at) for read in self._readers())), None)
            if found is None or len(calls) == CALLS:
                return []
            call, end = found
            calls.append(call)
            at = _between(text, end)
        return calls

    def _readers(self) -> Iterator[Callable[[str, int], Found | None]]:
        yield from (self._function, self._invoke, self._glm, self._headed, self._json, self._broken)

    def _named(self, name: str) -> str | None:
        """The tool that a model means by `functions.submit:0`, say."""
        plain = name.partition(":")[0].rpartition(".")[2]
        return next((one for one in (name, plain) if one in self._properties), None)

    def _function(self, text: str, at: int) -> Found | None:
        """`<function=name>` with `<parameter=key>value</parameter>`s, or JSON, in it."""
        head = FUNCTION.match(text, at)
        name = self._named(head[1]) if head else None
        if head is None or name is None:
            return None
        end, after = _closed(text, head.end(), "</function>", FUNCTION)
        return self._filled(name, text[head.end() : end], PARAMETER, "</parameter>"), after

    def _invoke(self, text: str, at: int) -> Found | None:
        """`<invoke name="…">` with `<parameter name="…">value</parameter>`s in it."""
        head = INVOKE.match(text, at)
        name = self._named(head[1]) if head else None
        if head is None or name is None:
            return None
        prefix = head[0].removeprefix("<").partition("invoke")[0]
        end, after = _closed(text, head.end(), f"</{prefix}invoke>", INVOKE)
        return self._filled(name, text[head.end() : end], FIELD, f"</{prefix}parameter>"), after

    def _glm(self, text: str, at: int) -> Found | None:
        """A name and `<arg_key>key</arg_key><arg_value>value</arg_value>`s."""
        head = GLM.match(text, at)
        name = self._named(head[1]) if head else None
        if head is None or name is None:
            return None
        end, after = _closed(text, head.end(), "</tool_call>", re.compile("<tool_call>"))
        return self._filled(name, text[head.end() : end], KEY, "</arg_value>"), after

    def _filled(self, name: str, body: str, key: re.Pattern[str], close: str) -> ToolCall:
        """A call whose values are text between marks."""
        properties = self._properties[name]
        keys = [found for found in key.finditer(body) if found[1].strip() in properties]
        if not keys and body.lstrip().startswith("{"):
            return ToolCall("", name, body.strip())
        values: dict[str, Any] = {}
        ends = [found.start() for found in keys[1:]] + [len(body)]
        for found, end in zip(keys, ends, strict=False):
            value = body[found.end() : end]
            closed = value.rfind(close)
            value = value[:closed] if closed >= 0 else value
            values[found[1].strip()] = _typed(value, properties[found[1].strip()])
        return ToolCall("", name, json.dumps(values, ensure_ascii=False))

    def _headed(self, text: str, at: int) -> Found | None:
        """A name and its arguments as JSON."""
        for pattern in HEADED:
            head = pattern.match(text, at)
            name = self._named(head[1]) if head else None
            if head is None or name is None:
                continue
            end = _json_end(text, head.end())
            if end is not None:
                return ToolCall("", name, text[head.end() : end]), end
        return None

    def _json(self, text: str, at: int) -> Found | None:
        """An object that has a tool's name and arguments, in a list or by itself."""
        end = _json_end(text, at)
        if end is None:
            return None
        value = json.loads(text[at:end], strict=False)
        inner = value.get("function") if isinstance(value, dict) else None
        call = inner if isinstance(inner, dict) else value
        if not isinstance(value, dict) or not set(value) <= SHAPE or not isinstance(call, dict):
            return None
        name = call.get("name")
        named = self._named(name) if isinstance(name, str) else None
        arguments = next((call[key] for key in ARGUMENTS if key in call), None)
        if named is None or arguments is None or not isinstance(arguments, dict | str):
            return None
        if isinstance(arguments, dict):
            arguments = json.dumps(arguments, ensure_ascii=False)
        return ToolCall("", named, arguments), end

    def _broken(self, text: str, at: int) -> Found | None:
        """A marked call whose JSON is none: the model is told what is wrong with it."""
        head = NAMED.match(text, at)
        name = self._named(head[1]) if head else None
        if head is None or name is None or "<tool_call>" not in text[:at]:
            return None
        end, after = _closed(text, head.end(), "</tool_call>", re.compile("<tool_call>"))
        return ToolCall("", name, text[head.end() : end].strip().removesuffix("}")), after


def _between(text: str, at: int) -> int:
    found = BETWEEN.match(text, at)
    return found.end() if found else at


def _closed(text: str, at: int, close: str, opening: re.Pattern[str]) -> tuple[int, int]:
    """Where the body that begins there ends, and what follows it begins.

    It ends with the last closing mark before the next opening, since a value may have one in it.
    """
    following = opening.search(text, at)
    stop = following.start() if following else len(text)
    end = text.rfind(close, at, stop)
    return (end, end + len(close)) if end >= 0 else (stop, stop)


def _json_end(text: str, at: int) -> int | None:
    """Where the JSON object that begins there ends."""
    if text[at : at + 1] != "{":
        return None
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return end


def _typed(value: str, schema: object) -> Any:
    """A value as its parameter wants it: text as it stands, all else as JSON."""
    value = value.removeprefix("\n").removesuffix("\n")
    if "string" in _types(schema):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _types(schema: object) -> set[str]:
    if not isinstance(schema, Mapping):
        return set()
    kinds = {str(schema.get("type"))}
    for one in schema.get("anyOf") or []:
        kinds |= _types(one)
    return kinds
