"""The endpoint that other loops are measured with."""

import json

import httpx2
import pytest

from agent.models import Message, Reply
from agent.models.openai import OpenAIModel
from benchmarks.server import MODEL, SUBMIT, Endpoint, bash


@pytest.fixture(scope="module")
def endpoint():
    with Endpoint() as endpoint:
        yield endpoint


def ask(endpoint, text="go", **more):
    body = {"messages": [{"role": "user", "content": text}], **more}
    return httpx2.post(f"{endpoint.url}/chat/completions", json=body)


def test_a_loop_that_streams_and_one_that_does_not_are_told_the_same(endpoint):
    endpoint.script([bash("true 1"), bash("true 1")])
    call = ask(endpoint).json()["choices"][0]["message"]["tool_calls"][0]
    model = OpenAIModel(MODEL, api_key="none", base_url=endpoint.url)
    *_, reply = model.reply([Message("user", "go")], [])
    assert isinstance(reply, Reply)
    assert call["function"]["name"] == reply.calls[0].name == "execute_bash"
    assert call["function"]["arguments"] == reply.calls[0].arguments == '{"command": "true 1"}'


def test_the_time_between_an_answer_and_the_next_request_is_a_turns_cost(endpoint):
    endpoint.script([bash("true"), bash("true"), SUBMIT])
    assert endpoint.record().costs == []
    for text in ("a", "b", "c"):
        assert ask(endpoint, text).is_success
    record = endpoint.record()
    assert len(record.costs) == 2
    assert all(cost > 0 for cost in record.costs)
    assert [json.loads(body)["messages"][0]["content"] for body in record.bodies] == ["a", "b", "c"]


def test_a_script_begins_a_new_record_and_says_when_it_is_over(endpoint):
    endpoint.script([SUBMIT])
    ask(endpoint)
    assert ask(endpoint).status_code == 400
    endpoint.script([SUBMIT])
    assert endpoint.record().bodies == []
    assert ask(endpoint).is_success
