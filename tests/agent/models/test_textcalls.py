"""Which texts are calls, and which only speak of them."""

import json

import pytest

from agent.models.textcalls import find_calls
from agent.tools import Tool


def execute_bash(command: str, timeout: float = 300):
    """Run a command."""
    yield


def str_replace_editor(
    command: str,
    path: str,
    file_text: str | None = None,
    view_range: list[int] | None = None,
):
    """Edit a file."""
    yield


def submit(summary: str = ""):
    """End."""
    yield


TOOLS = [Tool(function).schema for function in (execute_bash, str_replace_editor, submit)]
LS = ("execute_bash", {"command": "ls"})
END = ("submit", {})
HERMES = '<tool_call>\n{"name": "execute_bash", "arguments": {"command": "ls"}}\n</tool_call>'
FENCED = '```json\n{"name": "execute_bash", "parameters": {"command": "ls"}}\n```'
KIMI = (
    "<|tool_calls_section_begin|><|tool_call_begin|>functions.execute_bash:0"
    '<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|><|tool_call_begin|>'
    "functions.submit:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>"
)
DEEPSEEK = (
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>execute_bash\n```json\n"
    '{"command": "ls"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>submit\n'
    "```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>"
)
DEEPSEEK_31 = (
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>execute_bash<｜tool▁sep｜>"
    '{"command": "ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
)
DSML = (
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="execute_bash">\n'
    '<｜DSML｜parameter name="command" string="true">ls</｜DSML｜parameter>\n'
    "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
)
MINIMAX = (
    '<minimax:tool_call>\n<invoke name="execute_bash">\n<parameter name="command">ls</parameter>\n'
    '</invoke>\n<invoke name="submit">\n</invoke>\n</minimax:tool_call>'
)
CODER = (
    "<tool_call>\n<function=execute_bash>\n<parameter=command>\nls\n</parameter>\n</function>\n"
    "</tool_call>"
)
GLM = "<tool_call>execute_bash\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>"
WHOLE = '{"name": "execute_bash", "arguments": {"command": "ls"}}'


def calls_of(text, **options):
    rest, calls = find_calls(text, TOOLS, **options)
    return rest, [(call.name, json.loads(call.arguments)) for call in calls]


@pytest.mark.parametrize(
    ("text", "rest", "calls"),
    [
        (HERMES, "", [LS]),
        (f"I look.\n\n{HERMES}\n{HERMES}", "I look.", [LS, LS]),
        (f"I look.{HERMES.removesuffix('</tool_call>')}", "I look.", [LS]),
        (f"First: {HERMES}", "First:", [LS]),
        (f"{HERMES}\n<tool_response>\na.txt\n</tool_response>\nDone.", "", [LS]),
        (CODER, "", [LS]),
        (f"So.\n{CODER.removeprefix('<tool_call>')}", "So.", [LS]),
        (f'<function=execute_bash>{{"command": "ls"}}</function>{CODER}', "", [LS, LS]),
        ("<function=submit>\n</function>", "", [END]),
        (f"I look.\n{FENCED}", "I look.", [LS]),
        (f"{FENCED}\n\n{FENCED}", "", [LS, LS]),
        (WHOLE, "", [LS]),
        (f'[{WHOLE}, {{"name": "submit", "arguments": {{}}}}]', "", [LS, END]),
        ('{"type": "function", "function": {"name": "submit", "arguments": "{}"}}', "", [END]),
        (f"I look.\n{KIMI}", "I look.", [LS, END]),
        (f"I look.{DEEPSEEK}", "I look.", [LS, END]),
        (DEEPSEEK_31, "", [LS]),
        (DSML, "", [LS]),
        (f"I look.\n{MINIMAX}", "I look.", [LS, END]),
        (GLM, "", [LS]),
        (f"[TOOL_CALLS] [{WHOLE}]", "", [LS]),
        ('[TOOL_CALLS]execute_bash[ARGS]{"command": "ls"}[TOOL_CALLS]submit{}', "", [LS, END]),
        (f"[TOOL_REQUEST]{WHOLE}[END_TOOL_REQUEST]", "", [LS]),
        (f"<|python_tag|>{WHOLE}; {WHOLE}<|eom_id|>", "", [LS, LS]),
    ],
)
def test_calls_at_the_end_of_a_text_are_found_and_taken_out(text, rest, calls):
    assert calls_of(text) == (rest, calls)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1, 2]",
        "<tool_call>",
        "<tool_call>\n</tool_call>",
        f"You write `{HERMES}` then.",
        f"Never write `{HERMES}",
        f"The form is this:\n```\n{HERMES}\n```",
        f"The form is this:\n```xml\n{HERMES}",
        f"This runs it:\n{HERMES}\nand then you wait.",
        f"I might write {HERMES}",
        HERMES.replace("execute_bash", "launch"),
        CODER.replace("execute_bash", "launch"),
        FENCED.replace("execute_bash", "Ada"),
        FENCED.replace("parameters", "age"),
        f"{FENCED}\nThat is how it is done.",
        f"In Python:\n```python\nprint({WHOLE})\n```",
        f"A call is {WHOLE}",
        f'{{"calls": [{WHOLE}]}}',
        '{"name": "submit"}',
        '{"name": "submit", "arguments": {}, "price": 3}',
        '{"name": "submit", "arguments": 3}',
        "[" * 5000,
    ],
)
def test_talk_about_calls_is_left_alone(text):
    assert find_calls(text, TOOLS) == (text, [])


def test_without_prose_only_markup_counts():
    assert calls_of(f"Hm.\n{HERMES}", prose=False) == ("Hm.", [LS])
    assert calls_of(WHOLE, prose=False) == (WHOLE, [])
    assert calls_of(FENCED, prose=False) == (FENCED, [])


def test_without_tools_nothing_is_a_call():
    assert find_calls(HERMES, []) == (HERMES, [])


def test_values_between_marks_keep_every_byte_and_the_type_of_their_parameter():
    page = '\t<a href="x">\n</parameter>\n</function>\n5</a>\n'
    text = (
        "<function=str_replace_editor>\n<parameter=command>\ncreate\n</parameter>\n<parameter=path>"
        f"\n12\n</parameter>\n<parameter=file_text>\n{page}\n</parameter>\n<parameter=view_range>\n"
        "[1, -1]\n</parameter>\n</function>"
    )
    arguments = {"command": "create", "path": "12", "file_text": page, "view_range": [1, -1]}
    assert calls_of(text) == ("", [("str_replace_editor", arguments)])


def test_marks_within_a_json_string_do_not_end_a_call():
    arguments = {"command": "echo '</tool_call>' ``` <tool_response>"}
    text = f"<tool_call>{json.dumps({'name': 'execute_bash', 'arguments': arguments})}</tool_call>"
    assert calls_of(text) == ("", [("execute_bash", arguments)])


@pytest.mark.parametrize("broken", ['{"command": "ls', '{"command": "echo "hi""}', "ls"])
def test_a_marked_call_with_broken_json_is_left_for_the_model_to_mend(broken):
    text = f'<tool_call>\n{{"name": "execute_bash", "arguments": {broken}}}\n</tool_call>'
    rest, (call,) = find_calls(text, TOOLS)
    assert (rest, call.name, call.arguments) == ("", "execute_bash", broken)


@pytest.mark.parametrize(
    "piece",
    [
        "<tool_call>",
        "<function=submit>",
        "<parameter=command>",
        "<tool_call><function=execute_bash>\n<parameter=command>",
        "```json\n{",
        "[TOOL_CALLS]",
        "<arg_key>",
        "`",
        '{"a":',
        "[ ",
        " \n",
    ],
)
def test_a_megabyte_made_to_be_hard_is_read_soon(piece):
    """Any effort that grows faster than the text would take hours."""
    text = piece * (1_000_000 // len(piece))
    assert find_calls(text, TOOLS) == (text, [])
