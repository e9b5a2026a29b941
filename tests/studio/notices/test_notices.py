"""Who is told that a run is done, by which way, and what of it a service in between can see."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core import mail
from django.test import Client
from py_vapid import Vapid02

from agent.events import Reason, RunEnded, RunPaused
from studio.accounts.models import User
from studio.celery import app as celery_app
from studio.notices import push, tasks
from studio.notices.models import Letters, Subscription
from studio.runs import claims, journal, stopping
from studio.runs.models import Run
from tests.studio.conftest import signed_in

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = b"sixteen bytes 16"


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Browser:
    """What a browser has of a subscription: its keys, and an address at a push service."""

    def __init__(self, endpoint: str) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.told = {"endpoint": endpoint, "keys": {"p256dh": text(point), "auth": text(SECRET)}}

    def read(self, body: bytes) -> dict[str, str]:
        plain = http_ece.decrypt(
            body, private_key=self.key, auth_secret=SECRET, version="aes128gcm"
        )
        return json.loads(plain)


class Service:
    """A push service on this machine; `got` is what came, `status` what it answers."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 201
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.got.append((dict(self.headers), body))
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: tests read `got`."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def service(settings) -> Iterator[Service]:
    made = Service()
    settings.PUSH_SERVICES = [made.origin]
    thread = threading.Thread(target=made.server.serve_forever, args=(0.02,))
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.fixture
def browser(service: Service, alices_browser: Client) -> Browser:
    """Alice's, subscribed."""
    made = Browser(f"{service.origin}/push/alice")
    answer = alices_browser.post("/notices/subscribe/", made.told, "application/json")
    assert answer.status_code == 204
    return made


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What is sent to whoever tells people."""
    calls: list[tuple[str, int]] = []
    monkeypatch.setattr(tasks.tell, "delay", lambda *args: calls.append(args))
    return calls


def end(run: Run, reason: Reason = Reason.SUBMITTED, summary: str = "Here it is.") -> None:
    token = claims.claim(run.pk)
    assert token is not None
    journal.append(run.pk, RunEnded(reason=reason, message="", summary=summary), claim=token)
    run.refresh_from_db()


def test_who_wants_nothing_is_told_nothing(run: Run, sent) -> None:
    end(run)
    assert sent == []


def test_a_browser_is_told_what_only_it_can_read(
    run: Run, sent, browser: Browser, service: Service
) -> None:
    end(run)
    assert sent == [(str(run.pk), run.last_seq)]
    tasks.tell(*sent[0])
    [(headers, body)] = service.got
    assert b"summer" not in body
    assert browser.read(body) == {
        "title": "Done",
        "body": "A poster for the summer party",
        "tag": str(run.pk),
        "url": run.project.get_absolute_url(),
    }
    assert headers["Content-Encoding"] == "aes128gcm"
    assert f"k={push.public_key()}" in headers["Authorization"]
    assert Vapid02.verify(auth=headers["Authorization"])


def test_a_pause_is_told_as_a_question(run: Run, sent, browser: Browser, service: Service) -> None:
    token = claims.claim(run.pk)
    assert token is not None
    journal.append(run.pk, RunPaused(reason=Reason.TURN_LIMIT, message=""), claim=token)
    tasks.tell(*sent[0])
    assert browser.read(service.got[0][1])["title"] == "Paused. Go on?"


def test_who_pressed_stop_is_not_told(run: Run, sent, browser: Browser) -> None:
    stopping.stop(run)
    assert sent == []


def test_what_is_not_true_any_more_is_not_told(
    run: Run, sent, browser: Browser, service: Service
) -> None:
    token = claims.claim(run.pk)
    assert token is not None
    journal.append(run.pk, RunPaused(reason=Reason.TURN_LIMIT, message=""), claim=token)
    from studio.runs import pausing

    pausing.go_on(run)
    tasks.tell(*sent[0])
    assert service.got == []


@pytest.mark.parametrize(("status", "left"), [(410, 0), (404, 0), (503, 1)])
def test_a_browser_that_has_unsubscribed_is_forgotten(
    status: int, left: int, run: Run, sent, browser: Browser, service: Service
) -> None:
    service.status = status
    end(run)
    tasks.tell(*sent[0])
    assert len(service.got) == 1
    assert Subscription.objects.count() == left


def test_a_service_that_is_away_costs_nothing(run: Run, sent, browser: Browser, settings) -> None:
    Subscription.objects.update(endpoint="http://127.0.0.1:9/push")
    end(run)
    tasks.tell(*sent[0])
    assert Subscription.objects.count() == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://127.0.0.1/push",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evil-push.apple.com.example/x",
        "https://user@fcm.googleapis.com/x",
        "https://fcm.googleapis.com:6379/x",
        "https://[::1/x",
        "file:///etc/passwd",
        "https://fcm.googleapis.com/" + "x" * 1000,
    ],
)
def test_no_address_but_that_of_a_browsers_maker_is_taken(
    endpoint: str, alices_browser: Client
) -> None:
    told = Browser(endpoint).told
    assert alices_browser.post("/notices/subscribe/", told, "application/json").status_code == 422
    assert not Subscription.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        "[" * 5000,
        '{"endpoint": 1, "keys": {}}',
        '{"endpoint": "https://fcm.googleapis.com/x", "keys": {"p256dh": "%", "auth": "AA"}}',
    ],
)
def test_what_is_no_subscription_is_refused(body: str, alices_browser: Client) -> None:
    answer = alices_browser.post("/notices/subscribe/", body, "application/json")
    assert answer.status_code == 422


def test_those_of_browsers_makers_are_taken() -> None:
    for endpoint in (
        "https://fcm.googleapis.com/fcm/send/x",
        "https://updates.push.services.mozilla.com/wpush/v2/x",
        "https://db5p.notify.windows.com/w/?token=x",
        "https://web.push.apple.com/x",
    ):
        assert push.checked(Browser(endpoint).told)[0] == endpoint


def test_nobody_unsubscribes_somebody_else(
    browser: Browser, charlies_browser: Client, alices_browser: Client
) -> None:
    form = {"endpoint": browser.told["endpoint"]}
    charlies_browser.post("/notices/unsubscribe/", form)
    assert Subscription.objects.count() == 1
    alices_browser.post("/notices/unsubscribe/", form)
    assert not Subscription.objects.exists()


def test_of_one_person_the_newest_browsers_are_kept(alices_browser: Client) -> None:
    for number in range(12):
        told = Browser(f"https://fcm.googleapis.com/{number}").told
        alices_browser.post("/notices/subscribe/", told, "application/json")
    kept = Subscription.objects.order_by("pk").values_list("endpoint", flat=True)
    assert len(kept) == 10
    assert kept[0].endswith("/2")


@pytest.fixture
def mailing(alice: User, settings) -> Client:
    """Alice, who has an address, where there is a mail server."""
    settings.MAIL = object()
    alice.email = "alice@example.com"
    alice.save()
    return signed_in(alice)


def test_a_letter_says_what_came_of_it_and_where_it_is(run: Run, sent, mailing: Client) -> None:
    mailing.post("/notices/letters/", {"wanted": "1"})
    end(run, summary="A poster in blue.")
    tasks.tell(*sent[0])
    [letter] = mail.outbox
    assert (letter.to, letter.subject) == (
        ["alice@example.com"],
        "Done: A poster for the summer party",
    )
    assert "A poster in blue." in letter.body
    assert f"http://localhost:8000{run.project.get_absolute_url()}" in letter.body


def test_a_letter_speaks_the_language_in_which_it_was_wanted(
    run: Run, sent, mailing: Client
) -> None:
    mailing.post("/notices/letters/", {"wanted": "1"}, HTTP_ACCEPT_LANGUAGE="zh-CN")
    end(run, Reason.NO_RESULT)
    tasks.tell(*sent[0])
    assert mail.outbox[0].subject.startswith("它提前结束了")


def test_letters_end_when_they_are_not_wanted(run: Run, sent, mailing: Client) -> None:
    for wanted in "10":
        mailing.post("/notices/letters/", {"wanted": wanted})
    end(run)
    assert sent == []


def test_without_a_mail_server_or_an_address_none_are_offered(
    run: Run, mailing: Client, alices_browser: Client, settings
) -> None:
    pages = (run.project.get_absolute_url(), "/settings/notices/")
    for page in pages:
        assert "Send me an e-mail" in mailing.get(page).content.decode()
    settings.MAIL = None
    for page in pages:
        assert "Send me an e-mail" not in mailing.get(page).content.decode()
    mailing.post("/notices/letters/", {"wanted": "1"})
    assert not Letters.objects.exists()


def test_the_worker_keeps_one_page_and_its_styles_and_nothing_else(client: Client) -> None:
    script = client.get("/notices.js").content.decode()
    kept = json.loads(re.search(r"KEPT = (.+);", script)[1])  # type: ignore[index]
    page = client.get("/offline/").content.decode()
    assert "out of reach" in page
    styles = re.findall(r'rel="stylesheet" href="([^"]+)"', page)
    assert set(kept) == {*styles, "/static/img/rake.svg"}
    # Nothing else goes through it.
    assert re.findall(r"caches\.match\((\w+)\)", script) == ["OFFLINE", "request"]


def test_another_language_makes_it_another_worker(client: Client) -> None:
    chinese = client.get("/notices.js", headers={"accept-language": "zh-hans"})
    assert chinese.content != client.get("/notices.js").content


@pytest.mark.parametrize(
    "task",
    ["studio.notices.tasks.tell", "studio.api.tasks.deliver", "studio.api.tasks.deliver_due"],
)
def test_what_is_told_waits_behind_no_run_and_no_file(task: str) -> None:
    assert celery_app.amqp.router.route({}, task)["queue"].name == "messages"
