from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_whoever_tries_too_often_is_asked_to_rest_on_a_page_of_ours(client: Client) -> None:
    for number in range(40):
        answer = client.post("/accounts/login/", {"login": f"a{number}", "password": "guess"})
        if answer.status_code == 429:
            break
    assert answer.status_code == 429
    assert "Too many tries" in answer.content.decode()
    assert 'class="lost"' in answer.content.decode()
