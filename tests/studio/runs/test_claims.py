from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from studio.runs import claims
from studio.runs.models import Run, Status

pytestmark = pytest.mark.django_db


def expire(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.django_db(transaction=True)
def test_of_many_that_claim_a_run_at_once_one_gets_it(run: Run) -> None:
    def claim(_: int):
        try:
            return claims.claim(run.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        tokens = [token for token in threads.map(claim, range(8)) if token]
    run.refresh_from_db()
    assert tokens == [run.claim]


def test_a_claim_is_renewed_for_a_whole_lease(run: Run) -> None:
    token = claims.claim(run.pk)
    expire(run)
    assert claims.renew(run.pk, token)
    run.refresh_from_db()
    remaining = run.lease_until - timezone.now()
    assert claims.LEASE - timedelta(seconds=5) < remaining <= claims.LEASE


def test_a_lease_that_has_not_run_out_can_not_be_seized(run: Run) -> None:
    claims.claim(run.pk)
    assert claims.seize(run.pk) is None


def test_who_lost_the_lease_has_lost_the_claim(run: Run) -> None:
    old = claims.claim(run.pk)
    expire(run)
    new = claims.seize(run.pk)
    assert new not in (None, old)
    assert not claims.renew(run.pk, old)
    assert claims.should_stop(run.pk, old)
    assert not claims.should_stop(run.pk, new)


def test_who_works_on_a_deleted_run_should_stop(run: Run) -> None:
    token = claims.claim(run.pk)
    assert not claims.should_stop(run.pk, token)
    run.project.delete()
    assert claims.should_stop(run.pk, token)


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_tells_that_the_user_wants_to_stop(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(claims, "BEAT", 0.01)
    token = claims.claim(run.pk)
    stop = threading.Event()
    with claims.heartbeat(run.pk, token, stop):
        assert not stop.wait(0.1)
        Run.objects.filter(pk=run.pk).update(stop_requested=True)
        assert stop.wait(10)


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_goes_on_when_the_database_is_back(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(claims, "BEAT", 0.01)
    look, looks = claims.should_stop, []

    def cut_off(*run_and_token) -> bool:
        looks.append(None)
        if len(looks) == 1:
            connection.ensure_connection()
            connection.connection.close()
        return look(*run_and_token)

    monkeypatch.setattr(claims, "should_stop", cut_off)
    token = claims.claim(run.pk)
    stop = threading.Event()
    with claims.heartbeat(run.pk, token, stop):
        Run.objects.filter(pk=run.pk).update(stop_requested=True)
        assert stop.wait(10)
    assert len(looks) > 1


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_renews_the_lease(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(claims, "BEAT", 0.01)
    token = claims.claim(run.pk)
    expire(run)
    renewed = threading.Event()
    with claims.heartbeat(run.pk, token, threading.Event()):
        for _ in range(500):
            run.refresh_from_db()
            if run.lease_until > timezone.now():
                renewed.set()
                break
            renewed.wait(0.01)
    assert renewed.is_set()
    assert run.status == Status.RUNNING
