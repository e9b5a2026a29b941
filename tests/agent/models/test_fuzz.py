"""Whatever bytes an endpoint sends, there is a reply or a reason why not: never anything else."""

import copy
import json
import random

import pytest

from agent import ModelUnavailable, OpenAIModel
from agent.hints import Waiting
from agent.models import Delta, Message, Reply
from agent.models.answer import Answer, ProviderError
from agent.models.retrying import Patience
from agent.models.stream import Stream
from agent.testing import ScriptedEndpoint, faults

ASK = [Message("user", "Hello?")]
TOOLS = [
    {
        "type": "function",
        "function": {"name": "execute_bash", "parameters": {"type": "object", "properties": {}}},
    }
]
CALL = {"index": 0, "id": "a", "type": "function"}
USAGE = {
    "prompt_tokens": 5,
    "completion_tokens": 7,
    "prompt_tokens_details": {"cached_tokens": 1},
}


def choice(finish_reason=None, **delta):
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


# Streams as endpoints send them.
STREAMS = [
    [
        choice(role="assistant", content=""),
        choice(reasoning_content="I think."),
        choice(content="I write "),
        choice(content="it."),
        choice(tool_calls=[{**CALL, "function": {"name": "execute_bash", "arguments": '{"comm'}}]),
        choice(tool_calls=[{"index": 0, "function": {"arguments": 'and": "ls"}'}}]),
        choice("tool_calls"),
        {"choices": [], "usage": USAGE},
    ],
    [
        choice(content="<think>Hm.</think><tool_call>\n"),
        choice(content='{"name": "execute_bash", "arguments": {"command": "ls"}}'),
        choice("stop", content="\n</tool_call>"),
    ],
    [
        choice(reasoning_details=[{"type": "reasoning.text", "text": "Hm."}]),
        choice(function_call={"name": "execute_bash", "arguments": {"command": "ls"}}),
        choice("function_call"),
    ],
    [{"error": {"message": "Overloaded", "type": "overloaded_error", "code": 529}}],
    [
        {
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "content": [{"type": "text", "text": "Hi"}],
                        "tool_calls": [
                            {
                                "id": "a",
                                "type": "function",
                                "function": {"name": "execute_bash", "arguments": "{}"},
                            }
                        ],
                    },
                    "finish_reason": "stop",
                }
            ],
            "usage": USAGE,
        }
    ],
]
ODD = [
    None,
    True,
    -1,
    0,
    1e308,
    10**30,
    float("nan"),
    "",
    "x",
    "null",
    "\ud800",
    "\0",
    "<think>",
    "<tool_call>",
    '{"name": "execute_bash"',
    "[DONE]",
    "9" * 5000,
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"index": 0},
    {"function": None},
    [{"index": "x", "function": {"arguments": [1]}}],
    json.loads("[" * 200 + "]" * 200),
]
SNIPPETS = [
    b"data: ",
    b"\n",
    b"\r",
    b"\n\n",
    b"[DONE]",
    b"data: [DONE]\n\n",
    b"{",
    b"}",
    b"[",
    b'"',
    b"\\u",
    b"\xff",
    b"\x00",
    b"<",
    b"event: error\n",
    b": ",
    b"[" * 5000,
    b"\xef\xbb\xbf",
]


def bodies(seed):
    """Bodies without end, each a real one that something was done to."""
    chance = random.Random(seed)
    while True:
        chunks = copy.deepcopy(chance.choice(STREAMS))
        for _ in range(chance.randrange(4)):
            _distort(chance, chunks)
        if chance.random() < 0.2:
            body = json.dumps(chance.choice(chunks or [{}])).encode()
        else:
            end = chance.choice([b"\n\n", b"\r\n\r\n", b"\n"])
            lines = [b"data: " + json.dumps(chunk).encode() for chunk in chunks]
            body = end.join([*lines, b"data: [DONE]", b""])
        for _ in range(chance.choice([0, 0, 1, 1, 2, 5])):
            body = _damaged(chance, body)
        yield body


def _distort(chance, value):
    """Put something odd somewhere into it, take something away, or have it twice."""
    while isinstance(value, dict | list) and value:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = chance.choice(keys)
        match chance.randrange(8):
            case 0:
                value[key] = copy.deepcopy(chance.choice(ODD))
                return
            case 1:
                del value[key]
                return
            case 2 if isinstance(value, list):
                value.insert(key, copy.deepcopy(value[key]))
                return
        value = value[key]


def _damaged(chance, body):
    at = chance.randrange(len(body) + 1)
    match chance.randrange(5):
        case 0:
            return body[:at]
        case 1:
            return body[:at] + body[at + chance.randrange(30) :]
        case 2:
            return body[:at] + chance.randbytes(chance.randrange(8)) + body[at:]
        case 3:
            return body[:at] + body[max(0, at - 40) :]
        case _:
            return body[:at] + chance.choice(SNIPPETS) + body[at:]


def outcome(body, chance):
    """What becomes of a body that comes in pieces."""
    stream, answer = Stream(), Answer(TOOLS)
    try:
        while body:
            size = chance.choice([1, 7, 100, 65_536])
            for chunk in stream.feed(body[:size]):
                assert isinstance(answer.take(chunk), Delta)
            body = body[size:]
        for chunk in stream.end():
            answer.take(chunk)
        if stream.done:
            answer.done()
        if not answer.complete:
            return "broken off"
        reply = answer.reply()
    except (ModelUnavailable, ProviderError, ValueError) as error:
        return type(error).__name__
    json.dumps([reply.text, reply.reasoning, [[c.id, c.name, c.arguments] for c in reply.calls]])
    "".join([reply.text, reply.reasoning, *(c.arguments + c.name for c in reply.calls)]).encode()
    assert reply.usage.input >= 0
    assert reply.usage.output >= 0
    return "reply"


@pytest.mark.parametrize(
    "count", [pytest.param(10_000, marks=pytest.mark.slow, id="10000"), pytest.param(300, id="300")]
)
def test_any_body_ends_in_a_reply_or_a_reason(count):
    chance = random.Random(count)
    outcomes = [outcome(body, chance) for _, body in zip(range(count), bodies(count), strict=False)]

    assert len(outcomes) == count
    for kind in ("reply", "broken off", "JSONDecodeError", "ProviderError"):
        assert outcomes.count(kind) > count / 100


@pytest.mark.parametrize(
    "count", [pytest.param(500, marks=pytest.mark.slow, id="500"), pytest.param(40, id="40")]
)
def test_any_body_over_http_ends_in_a_reply_or_a_reason(count):
    answers = [faults.answered(body) for _, body in zip(range(count), bodies(-count), strict=False)]
    ended = []
    with ScriptedEndpoint(answers) as endpoint:
        patience = Patience(tries=1, total=20)
        model = OpenAIModel("m", api_key="", base_url=endpoint.base_url, patience=patience)
        while len(endpoint.requests) < count:
            try:
                *before, last = model.reply(ASK, TOOLS)
            except ModelUnavailable as error:
                ended.append(str(error))
                continue
            assert isinstance(last, Reply)
            assert all(isinstance(item, Delta | Waiting) for item in before)
            ended.append(last)

    assert len(ended) == count
    assert count / 10 < len([one for one in ended if isinstance(one, Reply)]) < count
