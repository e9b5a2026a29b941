"""The administration: who gets in, what it keeps, and what it never shows."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.core.checks import run_checks
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.views.debug import ExceptionReporter

from agent.models import Reply
from agent.testing import ScriptedEndpoint, call
from studio.accounts.models import User
from studio.endpoints.models import Endpoint, LanguageModel
from tests.studio.conftest import signed_in
from tests.studio.endpoints.conftest import CANARY, enter
from tests.studio.runs.test_secrets import rows

pytestmark = pytest.mark.django_db

ADD = "/admin/endpoints/endpoint/add/"
LIST = "/admin/endpoints/endpoint/"
LOOK = Reply(calls=(call("look", path="picture.png"),))
PAGES = ["/admin/", LIST, ADD, "/admin/jsi18n/", "/admin/login/", "/admin/password_change/"]


def form(*models: dict[str, str], **fields: str) -> dict[str, str]:
    """The fields of the form of an endpoint, as a browser sends them."""
    told = {
        "name": "local",
        "base_url": "http://127.0.0.1:9/v1",
        "enabled": "on",
        "models-TOTAL_FORMS": str(len(models)),
        "models-INITIAL_FORMS": str(sum("id" in model for model in models)),
        **fields,
    }
    usual = {"window": "128000", "sees": "no", "input_price": "0", "output_price": "0"}
    for place, model in enumerate(models):
        for name, value in {**usual, "enabled": "on", **model}.items():
            told[f"models-{place}-{name}"] = value
    return told


def change(endpoint: Endpoint) -> str:
    return reverse("admin:endpoints_endpoint_change", args=[endpoint.pk])


def complaints(answer) -> str:
    page = answer.content.decode()
    return " ".join(re.findall(r'<ul class="errorlist[^>]*>(.*?)</ul>', page, re.DOTALL))


@pytest.mark.parametrize("path", PAGES)
def test_who_is_no_operator_finds_no_administration(path: str, charlies_browser: Client) -> None:
    assert charlies_browser.get(path, follow=True).status_code == 404
    answer = Client().get(path, follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/login/?next=")


def test_one_comes_back_to_where_one_wanted_to_go_after_the_sign_in() -> None:
    User.objects.create_superuser("operator", password="of the machine")
    client = Client()
    sign_in = client.get(ADD, follow=True).redirect_chain[-1][0]
    answer = client.post(sign_in, {"login": "operator", "password": "of the machine"})
    assert (answer.status_code, answer["location"]) == (302, ADD)
    assert client.get(ADD).status_code == 200


def test_staff_without_the_right_can_not_change_endpoints(alice: User) -> None:
    enter("local")
    alice.is_staff = True
    alice.save()
    assert signed_in(alice).get("/admin/").status_code == 200
    assert signed_in(alice).get(LIST).status_code == 403
    assert signed_in(alice).post(ADD, form({"name": "m"})).status_code == 403


def test_the_way_there_is_shown_to_staff_only(
    alices_browser: Client, operators_browser: Client
) -> None:
    assert 'href="/admin/"' in operators_browser.get("/").content.decode()
    assert "/admin/" not in alices_browser.get("/").content.decode()


def test_every_page_of_it_has_the_strict_policy(operators_browser: Client) -> None:
    for path in ("/admin/", LIST, ADD, change(enter("local"))):
        answer = operators_browser.get(path)
        assert "unsafe" not in answer["content-security-policy"]
        assert "default-src 'none'" in answer["content-security-policy"]
        assert "<script>" not in answer.content.decode()
        assert " onclick=" not in answer.content.decode()


def test_a_key_goes_in_and_never_comes_out(operators_browser: Client, caplog) -> None:
    caplog.set_level("DEBUG")
    wrong = operators_browser.post(ADD, form({"name": ""}, key=CANARY))
    assert wrong.status_code == 200
    saved = operators_browser.post(ADD, form({"name": "m"}, key=CANARY, _continue=""), follow=True)
    endpoint = Endpoint.objects.get()
    assert endpoint.key == CANARY
    pages = [wrong, saved, *map(operators_browser.get, (LIST, "/admin/", change(endpoint)))]
    history = reverse("admin:endpoints_endpoint_history", args=[endpoint.pk])
    delete = reverse("admin:endpoints_endpoint_delete", args=[endpoint.pk])
    pages += map(operators_browser.get, (history, delete))
    for page in pages:
        assert CANARY not in page.content.decode()
        assert endpoint.kept_key not in page.content.decode()
    assert "A key is kept" in saved.content.decode()
    assert LogEntry.objects.count() == 1
    for text in (rows(), caplog.text, repr(endpoint), str(endpoint), repr(endpoint.models.get())):
        assert CANARY not in text
    assert CANARY not in repr(endpoint.models.get().offer())


def test_an_error_in_it_is_reported_without_the_key(
    operators_browser: Client, monkeypatch, settings, caplog
) -> None:
    def broken(*args, **kwargs):
        raise ZeroDivisionError

    settings.DEBUG = True
    monkeypatch.setattr(Endpoint, "save", broken)
    operators_browser.raise_request_exception = False
    answer = operators_browser.post(ADD, form({"name": "m"}, key=CANARY))
    assert answer.status_code == 500
    settings.DEBUG = False
    (record,) = [record for record in caplog.records if record.exc_info]
    report = ExceptionReporter(record.request, *record.exc_info).get_traceback_text()
    assert "ZeroDivisionError" in report
    assert CANARY not in report


def test_an_empty_field_keeps_the_key_and_the_box_forgets_it(operators_browser: Client) -> None:
    endpoint = enter("local", "http://127.0.0.1:9/v1", key=CANARY)
    model = {"id": str(endpoint.models.get().pk), "endpoint": str(endpoint.pk), "name": "m"}
    operators_browser.post(change(endpoint), form(model))
    assert Endpoint.objects.get().key == CANARY
    operators_browser.post(change(endpoint), form(model, key="sk-new"))
    assert Endpoint.objects.get().key == "sk-new"
    operators_browser.post(change(endpoint), form(model, forget_key="on"))
    assert Endpoint.objects.get().kept_key == ""


def test_a_kept_key_is_not_sent_to_another_server(operators_browser: Client) -> None:
    endpoint = enter("local", "http://127.0.0.1:9/v1", key=CANARY)
    model = {"id": str(endpoint.models.get().pk), "endpoint": str(endpoint.pk), "name": "m"}
    moved = form(model, base_url="http://127.0.0.1:10/v1")
    assert "enter its key" in complaints(operators_browser.post(change(endpoint), moved))
    assert Endpoint.objects.get().base_url == "http://127.0.0.1:9/v1"
    operators_browser.post(change(endpoint), form(model, base_url="http://127.0.0.1:9/v2"))
    assert Endpoint.objects.get().base_url == "http://127.0.0.1:9/v2"
    operators_browser.post(change(endpoint), {**moved, "key": "sk-new"})
    assert Endpoint.objects.get().base_url == "http://127.0.0.1:10/v1"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("base_url", "http://169.254.169.254/v1", "link-local or metadata address"),
        ("base_url", "http://[fe80::1]/v1", "link-local or metadata address"),
        ("base_url", "https://user:word@models.test/v1", "without user, password"),
        ("base_url", "https://models.test/v1?key=1", "without user, password"),
        ("base_url", "javascript:alert(1)", "A web address"),
        ("base_url", "models.test", "A web address"),
        ("name", "Local", "small letters"),
        ("name", "a/b", "small letters"),
        ("name", "environment", "small letters"),
        ("key", "ключ", "A key has no such characters"),
        ("models-0-window", "10", "4096"),
        ("models-0-input_price", "-1", "0"),
        ("models-0-input_price", "nan", "Enter a number"),
    ],
)
def test_what_could_not_work_is_refused_and_told(
    operators_browser: Client, field: str, value: str, said: str
) -> None:
    answer = operators_browser.post(ADD, {**form({"name": "m"}), field: value})
    assert answer.status_code == 200
    assert said in complaints(answer)
    assert not Endpoint.objects.exists()


def test_a_name_of_the_settings_is_refused(operators_browser: Client, settings_file) -> None:
    settings_file(local=("http://away.test/v1", ["a"]))
    answer = operators_browser.post(ADD, form({"name": "m"}))
    assert "An endpoint in the settings has this name." in complaints(answer)


def test_the_default_moves_within_one_form(operators_browser: Client) -> None:
    endpoint = enter("local", "http://127.0.0.1:9/v1", is_default=True)
    first = {"id": str(endpoint.models.get().pk), "endpoint": str(endpoint.pk), "name": "m"}
    new = {"name": "n", "is_default": "on"}
    answer = operators_browser.post(change(endpoint), form({**first, "is_default": "on"}, new))
    assert answer.status_code == 302
    assert LanguageModel.objects.get(is_default=True).name == "n"


@pytest.mark.django_db(transaction=True)
def test_testing_saves_asks_and_remembers_what_it_sees(
    operators_browser: Client,
) -> None:
    with ScriptedEndpoint([LOOK, Reply("blue, yellow")]) as server:
        told = form({"name": "m", "label": "Ours", "sees": "auto"}, base_url=server.base_url)
        answer = operators_browser.post(ADD, {**told, "key": CANARY, "_test": ""}, follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain == [(change(Endpoint.objects.get()), 302)]
    assert re.search(r"“Ours” answers in \d+\.\d s · calls tools · sees pictures", page)
    assert "Found out: yes." in page
    assert server.keys == [CANARY, CANARY]
    assert CANARY not in page


@pytest.mark.django_db(transaction=True)
def test_a_test_that_fails_says_why_without_the_key(operators_browser: Client) -> None:
    refusal = (401, {"error": {"message": f"{CANARY} is no key of ours"}})
    with ScriptedEndpoint([refusal]) as server:
        endpoint = enter("local", server.base_url, key=CANARY)
        model = {"id": str(endpoint.models.get().pk), "endpoint": str(endpoint.pk), "name": "m"}
        told = form(model, base_url=server.base_url, _test="")
        answer = operators_browser.post(change(endpoint), told, follow=True)
    page = answer.content.decode()
    assert "is no key of ours" in page
    assert CANARY not in page


@pytest.mark.django_db(transaction=True)
def test_others_can_write_while_a_slow_endpoint_is_tested(operators_browser: Client) -> None:
    def write_meanwhile(handler) -> None:
        LanguageModel.objects.update(label="Written meanwhile")
        connection.close()
        handler.send_response(401)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    with ScriptedEndpoint([write_meanwhile]) as server:
        told = form({"name": "m"}, base_url=server.base_url, key=CANARY, _test="")
        page = operators_browser.post(ADD, told, follow=True).content.decode()
    assert "refused the key" in page
    assert LanguageModel.objects.get().label == "Written meanwhile"


@pytest.mark.django_db(transaction=True)
def test_a_redirect_to_a_metadata_address_is_refused_by_the_test(
    operators_browser: Client,
) -> None:
    def redirect(handler) -> None:
        handler.send_response(307)
        handler.send_header("Location", "http://169.254.169.254/latest/")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    with ScriptedEndpoint([redirect]) as server:
        told = form({"name": "m"}, base_url=server.base_url, key=CANARY, _test="")
        page = operators_browser.post(ADD, told, follow=True).content.decode()
    assert "metadata address" in page


@pytest.mark.django_db(transaction=True)
def test_an_unreadable_key_is_told_everywhere_and_breaks_nothing(
    operators_browser: Client, settings
) -> None:
    endpoint = enter("local", "http://127.0.0.1:9/v1", key=CANARY)
    model = {"id": str(endpoint.models.get().pk), "endpoint": str(endpoint.pk), "name": "m"}
    settings.SECRET_KEY = "another one"
    operators_browser = signed_in(User.objects.get(username="operator"))
    assert "cannot be read" in operators_browser.get(LIST).content.decode()
    assert "Enter the key again" in operators_browser.get(change(endpoint)).content.decode()
    told = operators_browser.post(change(endpoint), form(model, _test=""), follow=True)
    assert "Enter the key again" in told.content.decode()
    assert "studio.W004" in {problem.id for problem in run_checks(databases=["default"])}
    operators_browser.post(change(endpoint), form(model, key="sk-new"))
    assert run_checks(databases=["default"]) == []


def test_an_endpoint_of_the_same_name_in_the_settings_is_a_warning(settings_file) -> None:
    enter("local")
    assert run_checks(databases=["default"]) == []
    settings_file(local=("http://away.test/v1", ["a"]))
    assert "studio.W003" in {problem.id for problem in run_checks(databases=["default"])}


def test_wrong_settings_stop_the_start(settings_file) -> None:
    settings_file(Local=("http://away.test/v1", ["a"]))
    (problem,) = run_checks()
    assert problem.id == "studio.E003"
    assert "[endpoints.Local]" in problem.msg
