"""Notices of runs that ended: real HTTP to a receiver on this machine."""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from agent.events import Reason, RunEnded
from studio import crypto
from studio.accounts.models import User
from studio.api import addresses, announcing, sending, signing, tasks, turns
from studio.api.models import Delivery, Webhook
from studio.projects.models import Member
from studio.runs import claims, journal, stopping
from studio.runs.models import Run
from tests.studio.api.conftest import Program

pytestmark = pytest.mark.django_db


class Receiver(ThreadingHTTPServer):
    """Keeps what comes, and answers with the statuses that it is given, then with 204."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.silent = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/hook"


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.got.append(({k.lower(): v for k, v in self.headers.items()}, body))
        if self.server.silent.is_set():
            self.server.silent.wait()
            threading.Event().wait(30)
        status = self.server.answers.pop(0) if self.server.answers else 204
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    settings.WEBHOOK_PRIVATE = True
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The deliveries that the workers are told of."""
    keys: list[str] = []
    monkeypatch.setattr(tasks.deliver, "apply_async", lambda args, **options: keys.append(args[0]))
    return keys


def webhook(asker: Program, url: str) -> dict:
    answer = asker.post("webhooks", json.dumps({"url": url}))
    assert answer.status_code == 201, answer.content
    return answer.json()


@pytest.fixture
def end(django_capture_on_commit_callbacks) -> Callable[[Run], None]:
    """Ends a run, as its worker does."""

    def end(run: Run) -> None:
        token = claims.claim(run.pk)
        assert token
        ended = RunEnded(reason=Reason.SUBMITTED, message="Done.", summary="Here it is.", turns=3)
        with django_capture_on_commit_callbacks(execute=True):
            journal.append(run.pk, ended, claim=token)

    return end


def work(sent: list[str]) -> None:
    """What the workers do with what they are told of."""
    while sent:
        tasks.deliver(sent.pop(0))


def come_round() -> None:
    """Some time later, in no time."""
    Delivery.objects.update(due=timezone.now() - timedelta(seconds=1))
    announcing.offer_due()


def test_a_run_that_ends_is_told_with_a_signature_that_holds(
    run: Run, alices: Program, receiver: Receiver, sent: list[str], end
) -> None:
    secret = webhook(alices, receiver.url)["secret"]
    end(run)
    work(sent)
    ((headers, body),) = receiver.got
    told = json.loads(body)
    assert told["type"] == "run.ended"
    assert (told["data"]["run"], told["data"]["reason"]) == (str(run.pk), "submitted")
    # As the Standard Webhooks specification has its receivers do it.
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 300
    row = Delivery.objects.get()
    assert (row.state, row.attempts, row.answer) == ("delivered", 1, 204)


def test_a_secret_is_told_once_and_kept_encrypted(alices: Program) -> None:
    secret = webhook(alices, "https://hooks.example.org/")["secret"]
    row = Webhook.objects.get()
    assert secret not in row.secret
    assert row.signing_secret == secret
    assert secret not in alices.get(f"webhooks/{row.pk}").content.decode()


def test_who_does_not_answer_well_is_told_again_with_more_and_more_patience(
    run: Run, alices: Program, receiver: Receiver, sent: list[str], end
) -> None:
    receiver.answers = [500, 302, 404]
    webhook(alices, receiver.url)
    end(run)
    waits = []
    for _ in range(3):
        before = timezone.now()
        work(sent)
        waits.append(Delivery.objects.get().due - before)
        come_round()
    work(sent)
    row = Delivery.objects.get()
    assert (row.state, row.attempts) == ("delivered", 4)
    assert waits[0] < waits[1] < waits[2]
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    assert len(receiver.got) == 4  # And none at /elsewhere.


def test_after_the_last_attempt_it_is_given_up(
    run: Run, alices: Program, receiver: Receiver, sent: list[str], end
) -> None:
    key = webhook(alices, receiver.url)["id"]
    receiver.answers = [500] * 10
    end(run)
    for _ in range(10):
        work(sent)
        come_round()
    (told,) = alices.get(f"webhooks/{key}/deliveries").json()
    assert (told["state"], told["attempts"], told["due"]) == ("failed", 6, None)
    assert told["problem"] == "It answered 500."


def test_one_whose_attempts_all_break_off_is_given_up_too(
    run: Run, alices: Program, sent: list[str], monkeypatch: pytest.MonkeyPatch, end
) -> None:
    def break_off(row: Delivery) -> int:
        raise AssertionError("nobody has thought of this")

    monkeypatch.setattr(sending, "send", break_off)
    webhook(alices, "https://hooks.example.org/")
    end(run)
    for _ in range(10):
        while sent:
            with pytest.raises(AssertionError, match="thought of"):
                tasks.deliver(sent.pop())
        come_round()
    row = Delivery.objects.get()
    assert (row.state, row.attempts) == ("failed", 6)
    assert "broken off" in row.problem


def test_a_notice_that_two_workers_take_goes_out_once(
    run: Run, alices: Program, receiver: Receiver, sent: list[str], end
) -> None:
    webhook(alices, receiver.url)
    end(run)
    work(sent * 2)
    assert len(receiver.got) == 1


def test_a_receiver_that_hangs_is_left(
    run: Run, alices: Program, receiver: Receiver, sent: list[str], monkeypatch, end
) -> None:  # fmt: skip
    monkeypatch.setattr(sending, "SECONDS", 0.3)
    receiver.silent.set()
    webhook(alices, receiver.url)
    end(run)
    work(sent)
    row = Delivery.objects.get()
    assert (row.state, row.answer) == ("waiting", None)
    assert "did not answer" in row.problem


def test_who_has_enough_on_the_way_waits_and_holds_up_nobody_else(
    run: Run, charlie: User, receiver: Receiver, sent: list[str], monkeypatch
) -> None:
    monkeypatch.setattr(turns, "MOST", 1)
    alice = run.project.owner
    Member.objects.create(project=run.project, user=charlie)
    for user in (alice, charlie):
        url = f"{receiver.url}/{user.username}"
        user.webhooks.create(url=url, secret=crypto.encrypted(signing.new_secret()))
    announcing.announce(Run, run)
    keys = [str(key) for key in Delivery.objects.values_list("pk", flat=True)]
    with turns.turn(alice.pk) as first:
        assert first
        work(keys)
    assert Delivery.objects.get(webhook__user=charlie).state == "delivered"
    waits = Delivery.objects.get(webhook__user=alice)
    assert (waits.state, waits.attempts) == ("waiting", 0)
    assert waits.due > timezone.now()
    come_round()
    work(sent)
    assert Delivery.objects.get(webhook__user=alice).state == "delivered"


def test_nobody_there_is_no_bug(
    run: Run, alices: Program, receiver: Receiver, sent: list[str], end
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}/"
    webhook(alices, url)
    end(run)
    work(sent)
    assert "can't be reached" in Delivery.objects.get().problem


def test_members_are_told_and_strangers_are_not(
    run: Run, alices: Program, charlies: Program, sent: list[str]
) -> None:
    bob = User.objects.create_user("bob")
    Member.objects.create(project=run.project, user=bob)
    for user in (bob, User.objects.get(username="charlie")):
        user.webhooks.create(url="https://hooks.example.org/", secret="")
    stopping.stop(run)
    assert Delivery.objects.get().webhook.user == bob


def test_who_is_no_member_any_more_is_not_told_of_what_waited(
    run: Run, receiver: Receiver, sent: list[str]
) -> None:
    bob = User.objects.create_user("bob")
    member = Member.objects.create(project=run.project, user=bob)
    bob.webhooks.create(url=receiver.url, secret="")
    stopping.stop(run)
    member.delete()
    tasks.deliver(str(Delivery.objects.get().pk))
    assert receiver.got == []
    assert Delivery.objects.get().state == "failed"


def test_one_that_is_switched_off_gets_nothing(
    run: Run, alices: Program, receiver: Receiver, sent: list[str], end
) -> None:
    key = webhook(alices, receiver.url)["id"]
    assert alices.patch(f"webhooks/{key}", active=False).json()["active"] is False
    end(run)
    assert not Delivery.objects.exists()


def test_only_the_last_deliveries_are_kept(
    run: Run, alices: Program, sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcing, "KEPT", 3)
    key = webhook(alices, "https://hooks.example.org/")["id"]
    for _ in range(5):
        announcing.announce(Run, run)
    assert len(alices.get(f"webhooks/{key}/deliveries").json()) == 3


def test_nobody_has_more_webhooks_than_twenty(alices: Program) -> None:
    for number in range(20):
        webhook(alices, f"https://hooks.example.org/{number}")
    answer = alices.post("webhooks", '{"url": "https://hooks.example.org/"}')
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_webhooks")


INSIDE = [
    "http://hooks.example.org/",
    "https://localhost/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://10.0.0.8/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[::7f00:1]/",
    "https://[64:ff9b:1::7f00:1]/",
    "https://[fe80::1%25eth0]/",
    "https://[fec0::1]/",
    "https://0.0.0.0/",
    "https://224.0.0.1/",
    "https://user:password@hooks.example.org/",
    "ftp://hooks.example.org/",
    "https://",
    "https://a b/",
    "not an address",
]


@pytest.mark.parametrize("url", INSIDE)
def test_no_webhook_leads_into_the_studios_own_network(url: str, alices: Program) -> None:
    answer = alices.post("webhooks", json.dumps({"url": url}))
    if answer.status_code == 201:
        # What only a name server can tell is looked at when it is sent.
        row = Delivery(webhook=Webhook.objects.get(), run=Run(project_id="x"))
        with pytest.raises(sending.NotDelivered):
            post(row.webhook.url)
    else:
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_address")


def post(url: str) -> int:
    return sending.posted(url, b"{}", {})


def test_a_name_that_leads_inside_is_not_connected_to(
    receiver: Receiver, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"public.example": "93.184.215.14", "rebound.example": "127.0.0.1"}

    def looked_up(host, port, *args, **kwargs):
        both = [names["public.example"], names["rebound.example"]]
        found = both if host == "both.example" else [names[host]]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in found]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    settings.WEBHOOK_PRIVATE = False
    port = receiver.server_address[1]
    for host in ("rebound.example", "both.example"):
        with pytest.raises(sending.NotDelivered, match="not public"):
            post(f"https://{host}:{port}/")
    assert receiver.got == []


def test_a_name_server_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = threading.Event()
    monkeypatch.setattr(sending, "SECONDS", 0.3)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: answers.wait(5) and [])
    began = time.monotonic()
    with pytest.raises(sending.NotDelivered, match="did not answer"):
        post("https://late.example/")
    took = time.monotonic() - began
    answers.set()
    assert took < 4


def test_what_was_looked_up_is_what_is_connected_to(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def looked_up(host, port, *args, **kwargs):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *rest, **more: (
            looked_up(host, *rest, **more) if host == "hooks.example" else real(host, *rest, **more)
        ),
    )
    port = receiver.server_address[1]
    assert post(f"http://hooks.example:{port}/") == 204
    assert asked == ["hooks.example"]
    assert receiver.got[0][0]["host"] == f"hooks.example:{port}"


@given(st.ip_addresses())
def test_an_address_that_is_allowed_is_public(address) -> None:
    if addresses.allowed(address):
        assert address.is_global
        assert not address.is_multicast
    plain = ipaddress.ip_address("::ffff:10.0.0.1")
    assert not addresses.allowed(plain)


@pytest.mark.parametrize(
    "address", ["fec0::1", "fd00::1", "::7f00:1", "64:ff9b:1::7f00:1", "2001:0:7f00:1::"]
)
def test_an_address_of_a_network_of_ones_own_is_not_allowed(address: str) -> None:
    assert not addresses.allowed(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["::ffff:93.184.215.14", "2606:4700::1111", "93.184.215.14"])
def test_a_public_address_is_allowed_however_it_is_written(address: str) -> None:
    assert addresses.allowed(ipaddress.ip_address(address))


def test_people_add_see_and_remove_webhooks_on_a_page(
    run: Run, alices_browser: Client, receiver: Receiver, sent: list[str], end
) -> None:
    page = alices_browser.post("/settings/webhooks/", {"url": receiver.url}).content.decode()
    secret = Webhook.objects.get().signing_secret
    assert secret in page
    receiver.answers = [500]
    end(run)
    work(sent)
    page = alices_browser.get("/settings/webhooks/").content.decode()
    assert receiver.url in page
    assert secret not in page
    assert "HTTP 500" in page
    answer = alices_browser.post(f"/settings/webhooks/{Webhook.objects.get().pk}/remove/")
    assert answer["location"] == "/settings/webhooks/"
    assert not Webhook.objects.exists()


def test_a_page_says_what_is_wrong_with_an_address_and_keeps_it(alices_browser: Client) -> None:
    for url in ("http://127.0.0.1/hook", "https://a.example/" + "x" * 500):
        answer = alices_browser.post("/settings/webhooks/", {"url": url})
        assert answer.status_code == 422
        assert "take an https one that is public" in answer.content.decode()
        assert f'value="{url}"' in answer.content.decode()
    assert not Webhook.objects.exists()


def test_a_webhook_is_its_users_alone(
    alice: User, alices_browser: Client, charlies_browser: Client
) -> None:
    row = Webhook.objects.create(user=alice, url="https://a.example/hook", secret="x")
    assert "a.example" not in charlies_browser.get("/settings/webhooks/").content.decode()
    assert charlies_browser.post(f"/settings/webhooks/{row.pk}/remove/").status_code == 404
    assert alices_browser.get(f"/settings/webhooks/{row.pk}/remove/").status_code == 405
    assert Webhook.objects.exists()
