"""A base URL, redirect or name that leads to a cloud's metadata service gets nothing from us."""

import asyncio
import ipaddress
import socket
import sys

import httpx2
import pytest

from agent import ModelUnavailable, OpenAIModel
from agent.models import Message, Reply, addresses
from agent.models.retrying import Patience
from agent.testing import ScriptedEndpoint

KEY = "sk-canary-4242"
ASK = [Message("user", "Hello?")]
REFUSED = pytest.raises(ModelUnavailable, match=r"link-local or metadata .* endpoint's address")

_called: list[str] = []
sys.addaudithook(
    lambda event, told: _called.append(told[1][0]) if event == "socket.connect" else None
)


@pytest.fixture
def called():
    """The addresses that this process connects to during the test."""
    _called.clear()
    return _called


@pytest.fixture
def names(monkeypatch):
    """A name server: for a name, the address of each answer, the last again and again, or none."""
    known: dict[str, list[str]] = {}
    real = socket.getaddrinfo

    def resolve(host, *arguments, **options):
        name = host.decode() if isinstance(host, bytes) else host
        if name in known:
            if not known[name]:
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            host = known[name].pop(0) if len(known[name]) > 1 else known[name][0]
        return real(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return known


def model_at(base_url):
    return OpenAIModel("m", api_key=KEY, base_url=base_url, patience=Patience(first=0.01))


def redirect(status, target):
    def answer(handler):
        handler.send_response(status)
        handler.send_header("Location", target)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "169.254.170.2",
        "2852039166",
        "0xA9FEA9FE",
        "169.254.43518",
        "100.100.100.200",
        "168.63.129.16",
        "[fe80::1]",
        "[febf::1]",
        "[fd00:ec2::254]",
        "[fd20:ce::254]",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]",
        "[64:ff9b::169.254.169.254]",
        "[2002:a9fe:a9fe::1]",
    ],
)
def test_such_an_address_is_refused_however_it_is_spelled(host, called):
    with REFUSED:
        list(model_at(f"http://{host}:1/v1").reply(ASK, []))
    assert called == []


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.1", "10.0.0.1", "172.17.0.1", "192.168.1.2", "[::1]", "[fd12::1]"],
)
def test_private_addresses_may_be_asked(host):
    asyncio.run(addresses.check(httpx2.Request("POST", f"http://{host}/v1")))


def test_a_name_that_leads_there_is_refused(names, called):
    names["model.test"] = ["169.254.169.254"]
    with REFUSED:
        list(model_at("http://model.test/v1").reply(ASK, []))
    assert called == []


def test_a_name_that_leads_there_only_when_connected_to_gets_no_request(names, monkeypatch):
    monkeypatch.setattr(addresses, "REFUSED", [ipaddress.ip_network("127.0.0.1")])
    names["model.test"] = ["127.0.0.2", "127.0.0.1"]
    with ScriptedEndpoint([Reply("a secret")]) as endpoint:
        url = endpoint.base_url.replace("127.0.0.1", "model.test")
        with REFUSED:
            list(model_at(url).reply(ASK, []))
    assert names["model.test"] == ["127.0.0.1"]
    assert endpoint.requests == []


def test_a_name_that_nobody_knows_is_told_as_an_endpoint_that_is_away(names):
    names["nowhere.test"] = []
    with pytest.raises(ModelUnavailable, match=r"cannot be reached\. Check the address"):
        list(model_at("http://nowhere.test/v1").reply(ASK, []))


def test_a_name_that_leads_there_later_is_refused_though_its_connection_lives_on(names):
    names["model.test"] = ["127.0.0.1"]
    with ScriptedEndpoint([Reply("one"), Reply("two")], keep_alive=True) as endpoint:
        model = model_at(endpoint.base_url.replace("127.0.0.1", "model.test"))
        list(model.reply(ASK, []))
        names["model.test"] = ["169.254.169.254"]
        with REFUSED:
            list(model.reply(ASK, []))
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("host", ["169.254.169.254", "[::ffff:169.254.169.254]", "model.test"])
def test_a_redirect_there_is_refused(host, status, names, called):
    names["model.test"] = ["fe80::1"]
    with ScriptedEndpoint([redirect(status, f"http://{host}/latest/meta-data/")]) as endpoint:
        with REFUSED:
            list(model_at(endpoint.base_url).reply(ASK, []))
        assert len(endpoint.requests) == 1
    assert set(called) == {"127.0.0.1"}


def test_a_second_redirect_there_is_refused(called):
    onward = redirect(307, "http://169.254.169.254/")
    with ScriptedEndpoint([onward]) as second:
        with ScriptedEndpoint([redirect(307, second.base_url)]) as first, REFUSED:
            list(model_at(first.base_url).reply(ASK, []))
        assert len(second.requests) == 1
    assert set(called) == {"127.0.0.1"}


@pytest.mark.parametrize("login", ["", "user:pass@"])
def test_the_key_stays_with_the_endpoint_it_is_for(login):
    with (
        ScriptedEndpoint([Reply("there")]) as other,
        ScriptedEndpoint([redirect(307, f"{other.base_url}/chat/completions")]) as endpoint,
    ):
        *_, reply = model_at(endpoint.base_url.replace("//", f"//{login}")).reply(ASK, [])
    assert reply.text == "there"
    assert len(endpoint.keys[0]) > 10
    assert other.keys == [""]
