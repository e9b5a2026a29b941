"""Testing a connection, against servers that answer well, wrongly, and not at all."""

from __future__ import annotations

import base64
import io
import threading
from typing import Any

import pytest
from PIL import Image

from agent import OpenAIModel
from agent.hints import Waiting
from agent.models import Reply
from agent.models.probe import look, probe
from agent.testing import ScriptedEndpoint, ScriptedModel, call
from agent.testing.dialects import SERVERS, scripted

LOOK = Reply(calls=(call("look", path="picture.png"),))
KEY = "sk-canary-4242"


def model_at(endpoint: ScriptedEndpoint) -> OpenAIModel:
    return OpenAIModel("m", api_key=KEY, base_url=endpoint.base_url, sees=True)


def shown(request: dict[str, Any]) -> bytes:
    """The picture of a request."""
    (url,) = [
        part["image_url"]["url"]
        for message in request["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    return base64.b64decode(url.partition("base64,")[2])


def test_a_model_that_calls_the_tool_works() -> None:
    with ScriptedEndpoint([LOOK]) as endpoint:
        found = probe(model_at(endpoint))
    assert (found.works, found.calls, found.sees) == (True, True, None)
    assert "m answers in " in found.said
    assert endpoint.requests[0]["tools"][0]["function"]["name"] == "look"


@pytest.mark.parametrize("name", SERVERS)
def test_every_kind_of_server_can_be_tested(name: str) -> None:
    # One that takes no picture is asked once more, without it.
    with scripted(SERVERS[name], [LOOK, Reply("Blue, yellow."), Reply("I see none.")]) as endpoint:
        found = look(model_at(endpoint))
    assert (found.works, found.calls) == (True, True)
    assert found.sees is not None


def test_one_that_only_talks_works_and_is_told_apart() -> None:
    with ScriptedEndpoint([Reply("Which picture?")]) as endpoint:
        found = look(model_at(endpoint))
    assert (found.works, found.calls, found.sees) == (True, False, None)
    assert "did not call the tool" in found.said


@pytest.mark.parametrize("answer", ["Blue, yellow.", "**Blue** and **yellow**", "蓝色，黄色"])
def test_one_that_names_the_colours_of_the_picture_sees(answer: str) -> None:
    with ScriptedEndpoint([LOOK, Reply(answer)]) as endpoint:
        assert look(model_at(endpoint)).sees is True
    with Image.open(io.BytesIO(shown(endpoint.requests[1]))) as picture:
        colours = [picture.getpixel((x, 40)) for x in (0, 31, 32, 63)]
    assert colours == [(0, 0, 255)] * 2 + [(255, 255, 0)] * 2


@pytest.mark.parametrize(
    "answer",
    [
        "I can't see pictures.",
        "Red, green.",
        "Yellow, blue.",
        "It could be blue, yellow, red or green.",
        "",
    ],
)
def test_one_that_guesses_does_not_see(answer: str) -> None:
    with ScriptedEndpoint([LOOK, Reply(answer)]) as endpoint:
        assert look(model_at(endpoint)).sees is False


def test_one_whose_endpoint_takes_no_picture_works_and_does_not_see() -> None:
    refusal = (400, {"error": {"message": "this model takes no image_url"}})
    with ScriptedEndpoint([LOOK, *[refusal] * 3]) as endpoint:
        found = look(model_at(endpoint))
    assert (found.works, found.calls, found.sees) == (True, True, False)


def test_a_refusal_is_told_with_its_reason_and_without_the_key() -> None:
    with ScriptedEndpoint([(401, {"error": {"message": f"{KEY} is no key of ours"}})]) as endpoint:
        found = look(model_at(endpoint))
    assert not found.works
    assert "refused the key" in found.said
    assert "is no key of ours" in found.said
    assert KEY not in found.said


def test_a_metadata_address_is_refused() -> None:
    found = probe(OpenAIModel("m", api_key=KEY, base_url="http://169.254.169.254/v1"))
    assert not found.works
    assert "metadata address" in found.said


def test_one_that_never_answers_is_given_up() -> None:
    over = threading.Event()
    with ScriptedEndpoint([lambda handler: over.wait(30) and None]) as endpoint:
        found = probe(model_at(endpoint), seconds=0)
        over.set()
    assert not found.works
    assert "did not answer in time" in found.said


def test_one_that_wants_to_be_left_in_peace_is_not_waited_for() -> None:
    class Busy(ScriptedModel):
        def reply(self, messages, tools):
            yield Waiting("busy", 60)
            raise AssertionError("it was asked again")

    found = probe(Busy([]))
    assert not found.works
    assert "is busy" in found.said


def test_being_busy_at_the_picture_says_nothing_of_eyes() -> None:
    class Later(ScriptedModel):
        def reply(self, messages, tools):
            if self.asked:
                yield Waiting("busy", 60)
            yield from super().reply(messages, tools)

    found = look(Later([LOOK], sees=True))
    assert (found.works, found.sees) == (True, None)
