"""A provider that gives our secrets back in whatever way: they are in no message and no log."""

import base64
import json
from urllib.parse import quote

import pytest

from agent import ModelUnavailable, OpenAIModel, model_from_environment
from agent.models import Message, Reply
from agent.models.failures import REASON_CHARS
from agent.models.retrying import Patience
from agent.testing import ScriptedEndpoint

KEY = "sk-canary/4242+abc=xyz"
PASSWORD = "hunter/2+secret"
LOGIN = f"user:{quote(PASSWORD, safe='')}@"
ASK = [Message("user", "Hello?")]
QUICK = Patience(first=0.01)
CODED = base64.b64encode(KEY.encode()).decode()
ECHOES = {
    "raw": (KEY, KEY),
    "url": (quote(KEY, safe=""), quote(KEY, safe="")),
    "json": (json.dumps(json.dumps({"key": KEY})), KEY),
    "base64": (CODED, CODED),
    "lines": (f"{KEY[:9]}\n{KEY[9:]}", KEY[:9]),
    "at the cut": ("x" * (REASON_CHARS - 40) + KEY, KEY),
    "behind masked ones": (f"{KEY} and " * 40, KEY),
}


def refusal(text, status=401):
    return (status, {"error": {"message": text}})


def page(status, body, **headers):
    """An answer that is no JSON."""

    def answer(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def in_the_stream(handler):
    error = json.dumps({"error": {"message": f"no credit for {KEY}"}})
    page(200, f"data: {error}\n\n".encode(), Content_Type="text/event-stream")(handler)


def said(answers, base_url=lambda url: url, key=KEY):
    """What a person is told when the endpoint answers like this."""
    with ScriptedEndpoint(answers) as endpoint:
        at = base_url(endpoint.base_url)
        model = OpenAIModel("m", api_key=key, base_url=at, patience=QUICK)
        with pytest.raises(ModelUnavailable) as told:
            list(model.reply(ASK, []))
    assert endpoint.requests
    assert told.value.__cause__ is None
    assert told.value.__suppress_context__
    return str(told.value)


def assert_hidden(secret, *texts):
    for text in texts:
        for start in range(len(secret) - 7):
            assert secret[start : start + 8] not in text


@pytest.mark.parametrize("status", [401, 400])
@pytest.mark.parametrize(("echo", "hidden"), ECHOES.values(), ids=ECHOES)
def test_a_key_in_an_error_is_masked(echo, hidden, status, caplog):
    caplog.set_level("DEBUG")
    message = said([refusal(f"Wrong key {echo}", status)])
    assert "Wrong key" in message
    assert "•••" in message
    assert_hidden(hidden, message, caplog.text)


@pytest.mark.parametrize(
    "answer",
    [
        page(400, f"<p>Wrong key {KEY}</p>".encode()),
        page(400, b"Wrong", X_Key=KEY, WWW_Authenticate=f"Bearer {KEY}"),
        page(400, f'{{"error": "Wrong key {KEY}"}}'.encode(), Content_Type="application/json"),
        page(302, b"", Location=f"http://127.0.0.1:1/?key={KEY}"),
        in_the_stream,
    ],
)
def test_a_key_anywhere_in_an_answer_is_in_no_message_and_no_log(answer, caplog):
    caplog.set_level("DEBUG")
    assert_hidden(KEY, said([answer] * 4), caplog.text)


@pytest.mark.parametrize("status", [401, 429, 400])
def test_a_password_in_the_base_url_is_masked(status, caplog):
    caplog.set_level("DEBUG")
    coded = base64.b64encode(f"user:{PASSWORD}".encode()).decode()
    echo = f"wrong: {PASSWORD} {quote(PASSWORD, safe='')} Basic {coded}"
    body = json.dumps({"error": {"message": echo}}).encode()
    answers = [page(status, body, X_Should_Retry="false", Content_Type="application/json")]
    message = said(answers, lambda url: url.replace("//", f"//{LOGIN}") + "?token=" + KEY, key="")
    assert "http://127.0.0.1:" in message
    assert message.count("•••") == 2
    assert "user" not in message
    for secret in (PASSWORD, quote(PASSWORD, safe=""), coded, KEY):
        assert_hidden(secret, message, caplog.text)


def test_a_password_in_the_base_url_is_still_sent():
    with ScriptedEndpoint([Reply("yes")]) as endpoint:
        url = endpoint.base_url.replace("//", f"//{LOGIN}")
        list(OpenAIModel("m", api_key=KEY, base_url=url).reply(ASK, []))
    sent = base64.b64decode(endpoint.keys[0].removeprefix("Basic "))
    assert sent == f"user:{PASSWORD}".encode()


def test_an_endpoint_that_is_away_is_named_without_the_password():
    url = f"http://{LOGIN}127.0.0.1:1/v1"
    model = OpenAIModel("m", api_key=KEY, base_url=url, patience=QUICK)
    with pytest.raises(ModelUnavailable, match=r"^http://127\.0\.0\.1:1/v1 cannot be reached"):
        list(model.reply(ASK, []))


@pytest.mark.parametrize("url", ["https://user:hunter2!@@/v1", "user:hunter2!@host/v1", "http://"])
def test_a_base_url_that_is_none_is_told_without_it(url):
    with pytest.raises(ModelUnavailable, match="no web address") as told:
        model_from_environment({"OPENAI_BASE_URL": url, "STUDIO_MODEL": "m"})
    assert "hunter2" not in str(told.value)


def test_a_key_that_ends_with_a_newline_is_taken_without_it():
    with ScriptedEndpoint([Reply("yes")]) as endpoint:
        given = {"OPENAI_API_KEY": f"{KEY}\n", "OPENAI_BASE_URL": endpoint.base_url}
        list(model_from_environment(given, name="m").reply(ASK, []))
    assert endpoint.keys == [KEY]


def test_without_a_key_nothing_is_masked():
    assert "none of these" in said([refusal("none of these", 400)], key="")
