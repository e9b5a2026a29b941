"""The endpoint's side in real HTTP: what is sent, what is understood, what failure says."""

import json
import time

import pytest

from agent import Agent, ModelUnavailable, OpenAIModel, RecipeModel, model_from_environment
from agent.events import Event, ModelSpoke, Reason, ToolCall, Usage
from agent.models import Delta, Message, Reply
from agent.testing import MemorySandbox, ScriptedEndpoint, bash, submit

KEY = "sk-canary-4242"
ASK = [Message("system", "Be brief."), Message("user", "Hello?")]


def model_of(endpoint, **options):
    return OpenAIModel("m", api_key=KEY, base_url=endpoint.base_url, **options)


def test_a_whole_run_goes_through_the_endpoint(store):
    script = [
        Reply("I write it.", "Hm.", bash("echo hi > output/a.txt").calls, Usage(50, 7)),
        submit("Done."),
    ]
    with ScriptedEndpoint(script) as endpoint:
        run = list(Agent(model_of(endpoint), MemorySandbox(), store).run("A file."))

    events = [item for item in run if isinstance(item, Event)]
    assert events[-1].reason is Reason.SUBMITTED
    spoke = next(event for event in events if isinstance(event, ModelSpoke))
    assert (spoke.text, spoke.reasoning, spoke.usage) == ("I write it.", "Hm.", Usage(50, 7))
    first, second = endpoint.requests
    assert [tool["function"]["name"] for tool in first["tools"]] == [
        "execute_bash",
        "str_replace_editor",
        "submit",
    ]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    asked, answered = second["messages"][-2:]
    assert answered == {
        "role": "tool",
        "tool_call_id": asked["tool_calls"][0]["id"],
        "content": "[no output]",
    }
    assert endpoint.keys == [KEY, KEY]


def test_text_is_told_as_it_is_typed():
    with ScriptedEndpoint([Reply("A rather long answer.")]) as endpoint:
        *deltas, reply = model_of(endpoint).reply(ASK, [])

    assert len([delta for delta in deltas if delta.text]) > 1
    assert "".join(delta.text for delta in deltas) == reply.text == "A rather long answer."


def test_parallel_calls_in_pieces_are_put_together():
    calls = (
        ToolCall("a", "execute_bash", json.dumps({"command": "echo 天气 " + "x" * 50})),
        ToolCall("b", "submit", "{}"),
    )
    with ScriptedEndpoint([Reply(calls=calls)]) as endpoint:
        *_, reply = model_of(endpoint).reply(ASK, [])

    assert reply.calls == calls


def test_halves_of_characters_are_joined_or_replaced():
    smile, half = "\ud83d\ude00", "\ud83d"
    said = Reply(f"123456{smile} {half}", calls=(ToolCall("a", "submit", half),))
    told = [*ASK, Message("tool", f"{half} does not exist", call="c")]
    with ScriptedEndpoint([said]) as endpoint:
        *deltas, reply = model_of(endpoint).reply(told, [])

    assert (reply.text, reply.calls[0].arguments) == ("123456😀 �", "�")
    assert "".join(delta.text for delta in deltas).encode()
    assert endpoint.requests[0]["messages"][-1]["content"] == "� does not exist"


def test_a_picture_goes_to_a_model_that_sees_and_a_word_to_one_that_does_not():
    picture = b"\x89PNG\r\n\x1a\n..."
    told = [*ASK, Message("tool", "a picture", call="c", images=(picture,))]
    with ScriptedEndpoint([Reply("ok"), Reply("ok")]) as endpoint:
        list(model_of(endpoint, sees=True).reply(told, []))
        list(model_of(endpoint).reply(told, []))

    seeing, blind = (request["messages"] for request in endpoint.requests)
    assert seeing[-1]["content"][0]["image_url"]["url"].startswith("data:image/png;base64,")
    assert "cannot see pictures" in blind[-1]["content"]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "refused the key. Check OPENAI_API_KEY"),
        (404, "knows no model 'm'. Check STUDIO_MODEL"),
        (400, "answered with an error"),
    ],
)
def test_a_refusal_says_what_to_do_and_never_the_key(status, said):
    body = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    with ScriptedEndpoint([(status, body)]) as endpoint, pytest.raises(ModelUnavailable) as refused:
        list(model_of(endpoint).reply(ASK, []))

    assert said in str(refused.value)
    assert KEY not in str(refused.value)
    assert refused.value.__cause__ is None
    assert len(endpoint.requests) == 1


def test_a_busy_endpoint_is_asked_again():
    busy = (503, {"error": {"message": "overloaded"}})
    with ScriptedEndpoint([busy, Reply("there")]) as endpoint:
        *_, reply = model_of(endpoint).reply(ASK, [])

    assert reply.text == "there"


@pytest.mark.slow
def test_an_endpoint_that_is_down_says_so():
    with ScriptedEndpoint([]) as endpoint:
        gone = model_of(endpoint)
    with pytest.raises(ModelUnavailable, match=r"cannot be reached\. Check OPENAI_BASE_URL"):
        list(gone.reply(ASK, []))


def half(handler):
    """Begin a call, and break off."""
    piece = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "submit"}}]}
    chunk = {"id": "1", "object": "x", "choices": [{"index": 0, "delta": piece}]}
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()
    handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
    handler.close_connection = True


def broken(handler):
    """Promise more bytes than are sent, none of them JSON."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'data: {"choices": [{"del\n\n')
    handler.close_connection = True


@pytest.mark.parametrize("answer", [half, broken])
def test_a_half_answer_is_never_used_but_asked_for_again(answer):
    with ScriptedEndpoint([answer, Reply("whole")]) as endpoint:
        *_, reply = model_of(endpoint).reply(ASK, [])
    assert reply == Reply("whole", usage=reply.usage)

    twice = pytest.raises(ModelUnavailable, match="broke off its answer, twice")
    with ScriptedEndpoint([answer, answer]) as endpoint, twice:
        list(model_of(endpoint).reply(ASK, []))


def test_waiting_beats_and_closing_ends_the_request_at_once():
    def silent(handler):
        time.sleep(3)

    with ScriptedEndpoint([silent]) as endpoint:
        pieces = model_of(endpoint).reply(ASK, [])
        assert [next(pieces), next(pieces)] == [Delta(), Delta()]
        began = time.monotonic()
        pieces.close()
        assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({}, "recipes"),
        ({"OPENAI_API_KEY": "k", "STUDIO_MODEL": "m"}, "m"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "STUDIO_MODEL": "m"}, "m"),
    ],
)
def test_the_environment_chooses_the_model(environment, name):
    assert model_from_environment(environment).name == name
    assert isinstance(model_from_environment({}), RecipeModel)


@pytest.mark.parametrize(
    ("environment", "said"),
    [({"OPENAI_API_KEY": "k"}, "Set STUDIO_MODEL"), ({"STUDIO_MODEL": "m"}, "No endpoint")],
)
def test_half_an_environment_says_what_is_missing(environment, said):
    with pytest.raises(ModelUnavailable, match=said):
        model_from_environment(environment)
