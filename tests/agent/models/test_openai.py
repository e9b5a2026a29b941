"""The endpoint's side in real HTTP: what is sent, what is understood, what failure says."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent import Agent, ModelUnavailable, OpenAIModel, RecipeModel, model_from_environment
from agent.events import Event, ModelSpoke, Reason, ToolCall, Usage
from agent.models import Delta, Message, Reply
from agent.models.openai import RECORDED_BYTES
from agent.models.retrying import Patience
from agent.testing import MemorySandbox, ScriptedEndpoint, bash, faults, submit

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
    told = threading.Event()

    def slowly(handler):
        pieces = [{"content": "Hm", "reasoning_content": "I think."}, {"content": ", yes."}]
        faults.answered(pieces_until(pieces, told))(handler)

    with ScriptedEndpoint([slowly]) as endpoint:
        items = model_of(endpoint).reply(ASK, [])
        assert next(filter(Delta(reasoning="I think.").__eq__, items))
        assert next(filter(Delta("Hm").__eq__, items))
        told.set()
        *deltas, reply = items

    assert "".join(delta.text for delta in deltas) == ", yes."
    assert (reply.text, reply.reasoning) == ("Hm, yes.", "I think.")


def pieces_until(pieces, told):
    first, second = map(faults.event, pieces)
    yield first
    told.wait(10)
    yield second + faults.event({}, "stop") + b"data: [DONE]\n\n"


def test_a_thousand_pieces_that_come_together_are_told_together():
    said = "word " * 2000
    with ScriptedEndpoint([Reply(said)]) as endpoint:
        *deltas, reply = model_of(endpoint).reply(ASK, [])

    assert "".join(delta.text for delta in deltas) == reply.text == said
    assert len(deltas) < 100


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
        (401, "refused the key. Check it (OPENAI_API_KEY)"),
        (404, "knows no model 'm'. Check the name (STUDIO_MODEL)"),
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
        *_, reply = model_of(endpoint, patience=Patience(first=0.01)).reply(ASK, [])

    assert reply.text == "there"


def test_an_endpoint_that_is_down_says_so():
    with ScriptedEndpoint([]) as endpoint:
        gone = model_of(endpoint, patience=Patience(first=0.01))
    with pytest.raises(ModelUnavailable, match=r"cannot be reached\. Check the address"):
        list(gone.reply(ASK, []))


def test_waiting_beats_and_closing_ends_the_request_at_once():
    def silent(handler):
        time.sleep(3)

    with ScriptedEndpoint([silent]) as endpoint:
        pieces = model_of(endpoint).reply(ASK, [])
        assert [next(pieces), next(pieces)] == [Delta(), Delta()]
        began = time.monotonic()
        pieces.close()
        assert time.monotonic() - began < 2


def test_connections_live_on_from_turn_to_turn_and_from_model_to_model():
    answers = [Reply("one"), (400, {"error": {"message": "no"}}), Reply("two"), Reply("three")]
    with ScriptedEndpoint(answers, keep_alive=True) as endpoint:
        list(model_of(endpoint).reply(ASK, []))
        with pytest.raises(ModelUnavailable):
            list(model_of(endpoint).reply(ASK, []))
        *_, reply = model_of(endpoint).reply(ASK, [])
        assert reply.text == "two"
        assert endpoint.connections == 1


def test_a_connection_that_did_not_live_on_is_made_anew_without_a_word():
    dropped = faults.breaks_off(reset=True)
    with ScriptedEndpoint([Reply("one"), dropped, Reply("two")], keep_alive=True) as endpoint:
        list(model_of(endpoint).reply(ASK, []))
        *deltas, reply = model_of(endpoint).reply(ASK, [])

    assert reply.text == "two"
    assert all(isinstance(delta, Delta) for delta in deltas)


def test_many_runs_are_answered_at_the_same_time():
    together = threading.Barrier(30)

    def answer(handler):
        together.wait(20)
        faults.answered(faults.event({"content": "yes"}, "stop"))(handler)

    with ScriptedEndpoint([answer] * 30) as endpoint, ThreadPoolExecutor(30) as runs:
        model = model_of(endpoint)
        replies = list(runs.map(lambda _: list(model.reply(ASK, []))[-1].text, range(30)))

    assert replies == ["yes"] * 30


def test_an_endpoint_sets_no_cookie():
    def with_cookie(handler):
        whole = faults.event({"content": "yes"}, "stop")
        faults.answered(whole, set_cookie="who=you; Path=/")(handler)

    def second(handler):
        assert "Cookie" not in handler.headers
        with_cookie(handler)

    with ScriptedEndpoint([with_cookie, second]) as endpoint:
        for _ in range(2):
            *_, reply = model_of(endpoint, patience=Patience(tries=1)).reply(ASK, [])
            assert reply.text == "yes"


def test_the_query_of_a_base_url_stays_where_it_belongs():
    paths = []

    def answer(handler):
        paths.append(handler.path)
        faults.answered(faults.event({"content": "yes"}, "stop"))(handler)

    with ScriptedEndpoint([answer, answer]) as endpoint:
        for tail in ("/?api-version=1", ""):
            model = OpenAIModel("m", api_key=KEY, base_url=endpoint.base_url + tail)
            list(model.reply(ASK, []))

    assert paths == ["/v1/chat/completions?api-version=1", "/v1/chat/completions"]


@pytest.mark.parametrize("key", ["sk-é", "sk-\n1", "sk-\x00"])
def test_a_key_that_cannot_be_one_is_told_without_it(key):
    with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY") as told:
        OpenAIModel("m", api_key=key)
    assert key not in str(told.value)


def test_each_exchange_is_recorded_without_the_key():
    told = []
    asked = [*ASK, Message("user", f"my key is {KEY}")]
    refusal = (503, {"error": {"message": f"busy, {KEY}"}})
    with ScriptedEndpoint([refusal, Reply(f"It is {KEY}.")]) as endpoint:
        plain = model_of(endpoint, patience=Patience(first=0.01))
        list(plain.recorded(told.append).reply(asked, []))

    assert [(one["status"], one["request"]["model"]) for one in told] == [(503, "m"), (200, "m")]
    assert told[0]["request"]["messages"][1]["content"] == "Hello?"
    assert "busy, •••" in told[0]["answer"]
    assert "data: [DONE]" in told[1]["answer"]
    assert KEY not in json.dumps(told)


def test_a_recorded_answer_is_bounded():
    told = []
    with ScriptedEndpoint([Reply("x" * 50_000)]) as endpoint:
        list(model_of(endpoint).recorded(told.append).reply(ASK, []))

    assert len(told[0]["answer"]) == RECORDED_BYTES


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
