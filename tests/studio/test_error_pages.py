"""What people are shown where a page can't be: their header, words, and the way on."""

from __future__ import annotations

import httpx
import pytest
from django.core.exceptions import BadRequest
from django.test import Client
from django.test.client import RequestFactory
from django.utils.translation import override
from django.views.defaults import bad_request, server_error

from studio.asgi import application

# What browsers say when they go to a page, and what their scripts and programs say.
PAGES = "text/html,application/xhtml+xml,*/*;q=0.8"
ANYTHING = "*/*"


def test_who_comes_to_the_address_of_a_form_is_told_what_to_do(alices_browser: Client) -> None:
    answer = alices_browser.get("/settings/data/export/", headers={"accept": PAGES})
    assert (answer.status_code, answer["allow"]) == (405, "POST")
    assert "press the button once more" in answer.content.decode()
    assert 'class="wordmark"' in answer.content.decode()
    chinese = {"accept": PAGES, "accept-language": "zh-CN"}
    answer = alices_browser.get("/settings/data/export/", headers=chinese)
    assert "没有任何改动" in answer.content.decode()


def test_programs_and_scripts_get_the_short_answer(alices_browser: Client) -> None:
    answer = alices_browser.get("/settings/data/export/", headers={"accept": ANYTHING})
    assert (answer.status_code, answer.content) == (405, b"")


def test_the_api_keeps_its_own_answer(alices_browser: Client) -> None:
    answer = alices_browser.delete("/api/v1/me", headers={"accept": PAGES})
    assert answer.status_code == 405
    assert answer["content-type"].startswith("application/problem+json")


@pytest.mark.parametrize("accept", [PAGES, ANYTHING])
async def test_a_body_that_is_too_large_is_told_as_it_is_read(accept: str) -> None:
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
        headers = {"content-length": str(10**12), "accept": accept, "accept-language": "zh-CN"}
        answer = await client.post("/projects/", content=b"x", headers=headers)
    assert answer.status_code == 413
    assert ("<h1>没有收下</h1>" in answer.text) == (accept == PAGES)
    assert "这些文件太大" in answer.text


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_pages_that_know_no_request_are_in_the_language_of_who_asked(language: str) -> None:
    request = RequestFactory().get("/")
    with override(language):
        answers = [server_error(request), bad_request(request, BadRequest())]
    for answer, status in zip(answers, (500, 400), strict=True):
        assert answer.status_code == status
        page = answer.content.decode()
        assert f'<html lang="{language}">' in page
        assert ("回到" in page or "返回" in page) == (language == "zh-hans")
        assert 'class="lost"' in page
