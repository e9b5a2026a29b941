"""What is sent, and what refusals teach."""

import itertools
import json
import threading

import pytest

from agent.events import ToolCall
from agent.models import Message
from agent.models.dialect import Dialect
from agent.models.lessons import Lesson
from agent.models.textcalls import find_calls
from agent.tools import Tool

PICTURE = b"\x89PNG\r\n\x1a\n..."


def execute_bash(command: str, view_range: list[int] | None = None):
    """Run a command."""
    yield


TOOLS = [Tool(execute_bash).schema]
LS = ToolCall("a", "execute_bash", '{"command": "ls"}')
TALK = [
    Message("system", "Be brief."),
    Message("user", "Make it."),
    Message("assistant", "I look.", (LS, ToolCall("b", "execute_bash", "{}"))),
    Message("tool", "a.png", call="a", images=(PICTURE,)),
    Message("tool", "", call="b"),
    Message("user", "You called no tool."),
]
# What servers answer, as far as it is known, and what they mean.
REFUSALS = [
    (400, "Unrecognized request argument supplied: stream_options", Lesson.NO_STREAM_OPTIONS),
    (422, '[{"type":"extra_forbidden","loc":["body","stream_options"]}]', Lesson.NO_STREAM_OPTIONS),
    (None, "This model does not support tools", Lesson.NO_TOOLS),
    (404, "No endpoints found that support image input", Lesson.NO_PICTURES),
    (400, "Failed to deserialize: messages[3]: unknown variant `image_url`, expected `text`",
     Lesson.NO_PICTURES),
    (500, "image input is not supported - hint: you may need to provide the mmproj",
     Lesson.NO_PICTURES),
    (400, "m is not a multimodal model", Lesson.NO_PICTURES),
    (400, "Tool call id was call_1_1 but must be a-z, A-Z, 0-9, with a length of 9.",
     Lesson.SHORT_IDS),
    (400, "Conversation roles must alternate user/assistant/user/assistant/...",
     Lesson.ALTERNATING),
    (400, "deepseek-reasoner does not support successive user or assistant messages",
     Lesson.ALTERNATING),
    (400, "The `reasoning_content` in the thinking mode must be passed back to the API.",
     Lesson.REASONING),
    (400, "thinking is enabled but reasoning_content is missing", Lesson.REASONING),
    (400, "Please remove the reasoning_content from your message", Lesson.NO_REASONING),
    (400, "'messages.2' : property 'reasoning_content' is unsupported", Lesson.NO_REASONING),
    (400, "Invalid request: the message at position 2 with role 'assistant' must not be empty",
     Lesson.FILLED),
    (400, "messages: text content blocks must be non-empty", Lesson.FILLED),
    (400, "tools.function.parameters is not a valid moonshot flavored json schema",
     Lesson.PLAIN_SCHEMAS),
    (400, "Missing required parameter: max_tokens", Lesson.MAX_TOKENS),
    (400, "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
     Lesson.MAX_COMPLETION_TOKENS),
    (400, "Developer instruction is not enabled for models/gemma-3", Lesson.NO_SYSTEM),
    (500, "Jinja Exception: System role not supported", Lesson.NO_SYSTEM),
    (400, "Your organization must be verified to stream this model.", Lesson.NO_STREAM),
    (400, "stream must be false", Lesson.NO_STREAM),
    (400, "registry.ollama.ai/library/gemma3:12b does not support tools", Lesson.NO_TOOLS),
    (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
     Lesson.NO_TOOLS),
    (500, "tools param requires --jinja flag", Lesson.NO_TOOLS),
    (404, "No endpoints found that support tool use. Try disabling", Lesson.NO_TOOLS),
    (400, "Failed to fetch tools: Not yet implemented", Lesson.NO_TOOLS),
]  # fmt: skip
TOO_LONG = [
    (400, "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens"),
    (400, '{"code": "context_length_exceeded"}'),
    (400, "Input length (265330) exceeds model's maximum context length (262144)."),
    (400, "The input (300 tokens) is longer than the model's context length (200 tokens)."),
    (400, "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing"),
    (500, "Context size has been exceeded."),
    (400, "invalid params, context window exceeds limit (2013)"),
    (400, "Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)"),
    (400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]"),
    (400, "However, the model is loaded with context length of only 4096 tokens"),
    (400, "prompt is too long: 209353 tokens > 199999 maximum"),
    (400, "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000"),
    (400, "The input token count (1196265) exceeds the maximum number of tokens allowed"),
    (400, "the input token count is 32825 but model only supports up to 32768."),
    (400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"),
    (400, "Please reduce the length of the messages or completion."),
    (400, "Streaming is not supported: the prompt exceeds the context window"),
    (413, "<html>Request Entity Too Large</html>"),
    (None, "Prompt 超长"),
]  # fmt: skip
NEITHER = [
    (400, ""),
    (400, "The model `m` does not exist"),
    (400, "Expecting value: line 1 column 1 (char 0)"),
    (400, "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"),
    (400, "invalid params, invalid function arguments json string, tool_call_id: call_1 (2013)"),
    (401, "Incorrect API key provided; tools are not supported"),
    (413, "Request too large for model on tokens per minute (TPM): Limit 6000, Requested 9000"),
    (429, "This model's maximum context length is 8192 tokens: rate limit"),
    (429, "streaming is not supported"),
    (503, "the server does not support tools now"),
    (500, "Failed to parse tool call arguments as JSON"),
]


def written(dialect, messages=TALK):
    return json.loads(json.dumps(dialect.request(messages, TOOLS)))


def taught(*some, sees=True):
    dialect = Dialect("m", sees=sees)
    dialect.request(TALK, TOOLS)
    for lesson in some:
        status, message, _ = next(one for one in REFUSALS if one[2] is lesson)
        assert dialect.learn(status, message)
    return dialect


@pytest.mark.parametrize(("status", "message", "lesson"), REFUSALS)
def test_a_refusal_teaches_one_thing_once(status, message, lesson):
    dialect = Dialect("m", sees=True)
    before = written(dialect)
    assert not dialect.overflow(status, message)
    assert dialect.learn(status, message)
    assert dialect._known == {lesson}
    if lesson not in (Lesson.REASONING, Lesson.NO_REASONING, Lesson.FILLED):
        assert written(dialect) != before
    for _ in Lesson:
        dialect.learn(status, message)
    assert not dialect.learn(status, message)


@pytest.mark.parametrize(("status", "message"), TOO_LONG)
def test_a_request_longer_than_the_window_is_told_from_one_that_is_wrong(status, message):
    assert Dialect.overflow(status, message)
    assert not taught().learn(status, message)


@pytest.mark.parametrize(("status", "message"), NEITHER)
def test_a_refusal_that_names_nothing_known_teaches_nothing(status, message):
    assert not taught().learn(status, message)
    assert not Dialect.overflow(status, message)


def test_pictures_are_given_up_only_after_some_were_sent():
    dialect = Dialect("m", sees=True)
    dialect.request(TALK[:2], TOOLS)
    assert not dialect.learn(400, "m is not a multimodal model")

    dialect = taught(Lesson.NO_PICTURES)
    assert not dialect.sees
    assert "image_url" not in str(written(dialect))
    assert "cannot see pictures" in written(dialect)["messages"][3]["content"]


def test_results_follow_their_calls_and_pictures_follow_all_results():
    messages = written(Dialect("m", sees=True))["messages"]
    assert [one["role"] for one in messages] == [
        "system", "user", "assistant", "tool", "tool", "user", "user"
    ]  # fmt: skip
    assert messages[5]["content"][0]["type"] == "image_url"


def test_what_is_sent_by_default_is_openais():
    request = written(Dialect("m", sees=False))
    assert request.keys() == {"model", "messages", "tools", "stream", "stream_options"}
    assert request["messages"][2] == {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {
                "id": id,
                "type": "function",
                "function": {"name": "execute_bash", "arguments": arguments},
            }
            for id, arguments in (("a", '{"command": "ls"}'), ("b", "{}"))
        ],
    }


@pytest.mark.parametrize("lesson", [None, *Lesson])
def test_the_beginning_of_a_request_stays_the_same_bytes(lesson):
    dialect = taught(lesson) if lesson else taught()
    more = [*TALK, Message("assistant", "", (LS,), reasoning="Hm.")]
    more += [Message("tool", "x", call="a"), Message("assistant", "End.")]
    ends = (2, 6, 8, 9)
    requests = [json.dumps(dialect.request(more[:end], TOOLS)["messages"])[:-1] for end in ends]
    for earlier, later in itertools.pairwise(requests):
        assert later.startswith(earlier)


def test_without_tools_they_are_told_in_words_and_calls_and_results_are_text():
    request = written(taught(Lesson.NO_TOOLS))
    system, _, said, results = request["messages"]
    assert "tools" not in request
    assert '"name": "execute_bash"' in system["content"]
    text, calls = find_calls(said["content"], TOOLS)
    assert text == "I look."
    assert [call.arguments for call in calls] == ['{"command": "ls"}', "{}"]
    assert "tool_calls" not in said
    parts = results["content"]
    assert "<tool_response>\na.png\n</tool_response>" in parts[0]["text"]
    assert parts[1]["type"] == "image_url"
    assert parts[2]["text"] == "You called no tool."


def test_without_a_system_message_it_stands_before_the_request():
    first, *others = written(taught(Lesson.NO_SYSTEM))["messages"]
    assert first == {"role": "user", "content": "Be brief.\n\nMake it."}
    assert {one["role"] for one in others} == {"assistant", "tool", "user"}


def test_users_and_assistants_speak_in_turn_where_that_is_wanted():
    dialect = taught(Lesson.ALTERNATING)
    roles = [one["role"] for one in written(dialect)["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "tool", "assistant", "user"]


def test_what_is_dropped_is_gone():
    assert "stream" not in written(taught(Lesson.NO_STREAM))
    assert "stream_options" not in written(taught(Lesson.NO_STREAM))
    assert written(taught(Lesson.NO_STREAM_OPTIONS))["stream"]
    assert written(taught(Lesson.MAX_TOKENS))["max_tokens"] > 0
    both = written(taught(Lesson.MAX_TOKENS, Lesson.MAX_COMPLETION_TOKENS))
    assert "max_tokens" not in both
    assert both["max_completion_tokens"] > 0
    schema = written(taught(Lesson.PLAIN_SCHEMAS))["tools"][0]["function"]["parameters"]
    assert schema["properties"]["view_range"] == {"type": "array", "items": {"type": "integer"}}
    ids = [call["id"] for call in written(taught(Lesson.SHORT_IDS))["messages"][2]["tool_calls"]]
    assert all(len(id) == 9 and id.isalnum() for id in ids)
    assert written(taught(Lesson.SHORT_IDS))["messages"][3]["tool_call_id"] == ids[0]


SILENT = [Message("user", "Hi"), Message("assistant", ""), Message("assistant", "", (LS,))]


def test_a_message_without_text_has_a_word_where_that_is_wanted():
    contents = [one["content"] for one in written(taught(), SILENT)["messages"]]
    assert contents == ["Hi", "(no words)", ""]
    contents = [one["content"] for one in written(taught(Lesson.FILLED), SILENT)["messages"]]
    assert contents == ["Hi", "(no words)", "(no words)"]


def thought(**extra):
    return Message("assistant", "Yes.", (LS,), reasoning="Hm.", extra=extra)


def test_reasoning_goes_back_the_way_it_came():
    def sent(message, dialect=None):
        wire = written(dialect or taught(), [Message("user", "Hi"), message])["messages"][1]
        return {key: wire[key] for key in wire if key not in ("role", "tool_calls")}

    details = [{"type": "reasoning.text", "text": "Hm.", "signature": "s"}]
    as_content = thought(reasoning_field="reasoning_content")
    assert sent(thought()) == {"content": "Yes."}
    assert sent(as_content) == {"content": "Yes.", "reasoning_content": "Hm."}
    assert sent(thought(reasoning_field="reasoning")) == {"content": "Yes.", "reasoning": "Hm."}
    assert sent(thought(reasoning_field="reasoning", reasoning_details=details)) == {
        "content": "Yes.",
        "reasoning_details": details,
    }
    assert sent(thought(reasoning_field="think")) == {"content": "<think>\nHm.\n</think>\n\nYes."}
    wanted = taught(Lesson.REASONING)
    assert sent(Message("assistant", "Yes."), wanted)["reasoning_content"] == ""
    assert sent(thought(), wanted)["reasoning_content"] == "Hm."
    refused = taught(Lesson.NO_REASONING)
    assert sent(as_content, refused) == {"content": "Yes."}
    assert sent(thought(reasoning_field="think"), refused) == {"content": "Yes."}


def test_what_was_added_to_calls_goes_back_with_them():
    signed = {"google": {"thought_signature": "s"}}
    two = (LS, ToolCall("b", "execute_bash", "{}"))
    talk = [Message("assistant", "", two, extra={"extra_content": [None, signed]})]
    first, second = written(taught(), talk)["messages"][0]["tool_calls"]
    assert "extra_content" not in first
    assert second["extra_content"] == signed
    refused = written(taught(Lesson.NO_REASONING), talk)
    assert "extra_content" not in refused["messages"][0]["tool_calls"][1]


def test_once_reasoning_was_given_no_later_message_lacks_it():
    given = thought(reasoning_field="reasoning_content")
    talk = [Message("user", "Hi"), given, Message("tool", "x"), Message("assistant", "Done.")]
    assert written(taught(), talk)["messages"][3]["reasoning_content"] == ""


@pytest.mark.parametrize(
    ("name", "arguments", "sent_name", "sent"),
    [
        ("execute_bash", '{"command":  "ls"}', "execute_bash", '{"command":  "ls"}'),
        ("execute_bash", "", "execute_bash", "{}"),
        ("execute_bash", '{"command": "a\nb"}', "execute_bash", '{"command": "a\\nb"}'),
        (
            "execute_bash",
            '{"command": "l',
            "execute_bash",
            '{"unreadable": "{\\"command\\": \\"l"}',
        ),
        ("execute_bash", "[1]", "execute_bash", '{"unreadable": "[1]"}'),
        ("execute bash!", "{}", "execute_bash_", "{}"),
        ("", "{}", "unknown", "{}"),
    ],
)
def test_a_call_goes_back_in_a_form_that_no_server_refuses(name, arguments, sent_name, sent):
    talk = [Message("assistant", "", (ToolCall("a", name, arguments),))]
    (call,) = written(taught(), talk)["messages"][0]["tool_calls"]
    assert call["function"] == {"name": sent_name, "arguments": sent}


def test_huge_arguments_that_are_no_json_go_back_shortened():
    talk = [Message("assistant", "", (ToolCall("a", "execute_bash", "x" * 10_000_000),))]
    assert len(json.dumps(written(taught(), talk))) < 10_000


def test_two_runs_that_are_refused_at_once_both_go_on():
    dialect = Dialect("m", sees=False)
    one, other = dialect.request(TALK, TOOLS), dialect.request(TALK, TOOLS)
    refusal = (400, "m does not support tools")
    assert dialect.learn(*refusal, one)
    assert dialect.learn(*refusal, other)
    assert not dialect.learn(*refusal, dialect.request(TALK, TOOLS))


def test_many_threads_learn_everything_once():
    dialect, told = taught(), []

    def learn():
        told.extend(message for status, message, _ in REFUSALS if dialect.learn(status, message))

    threads = [threading.Thread(target=learn) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == len(dialect._known) == len(Lesson)


def test_a_message_is_written_once_however_often_it_is_sent():
    dialect = Dialect("m", sees=True)
    told = [Message("system", "Be brief."), Message("user", "Look.", images=(b"\x89PNG",))]
    first = dialect.request(told, [])
    second = dialect.request([*told, Message("assistant", "Yes.")], [{"function": {"name": "x"}}])

    assert first["messages"][0] is second["messages"][0]
    assert json.loads(second.body()) == second
    assert second.body().startswith(first.body()[:40])
    again = dialect.request([Message("system", "Be kind.")], [])
    assert again["messages"] == [{"role": "system", "content": "Be kind."}]


def test_a_few_conversations_at_the_same_time_are_each_written_once():
    dialect = Dialect("m", sees=False)
    told = [[Message("system", "Be brief."), Message("user", f"Number {n}.")] for n in range(3)]
    first = [dialect.request(one, [])["messages"] for one in told]
    second = [dialect.request([*one, Message("user", "Well?")], [])["messages"] for one in told]

    for one, other in zip(first, second, strict=True):
        assert [message["content"] for message in other[:2]] == [m["content"] for m in one]
        assert all(before is after for before, after in zip(one, other[:2], strict=True))


def test_what_is_learned_or_thought_is_written_into_earlier_messages_too():
    dialect = Dialect("m", sees=False)
    told = [Message("user", "Hm?"), Message("assistant", "", calls=(ToolCall("id-1", "x", "{}"),))]
    before = dialect.request(told, TOOLS)
    assert dialect.learn(400, "this model does not support tools", before)
    after = dialect.request(told, TOOLS)

    assert "tool_calls" in before["messages"][1]
    assert "<tool_call>" in after["messages"][1]["content"]
    assert json.loads(after.body()) == after
