"""A worker tells the database every few seconds that it is there, and what its engine carries."""

from __future__ import annotations

import contextlib
import logging
import threading
from datetime import timedelta
from typing import Any

from celery.signals import worker_ready, worker_shutdown
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from agent.errors import SandboxUnavailable
from studio.operations.models import REPORT_SECONDS, Worker
from studio.queues import MESSAGES

logger = logging.getLogger(__name__)

FORGOTTEN = timedelta(days=1)


class Reporter:
    """Keeps the row of this process; none unless it is a worker that is ready."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self, name: str, threads: int, *, inspects: bool) -> None:
        about = {"threads": threads, "inspects": inspects, "started": timezone.now()}
        self._over.clear()
        self._thread = threading.Thread(
            target=self._keep, args=(name, about), name="reporter", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """The worker goes: its row goes with it."""
        self._over.set()
        if self._thread:
            self._thread.join()

    def _keep(self, name: str, about: dict[str, Any]) -> None:
        try:
            while True:
                with logged():
                    report(name, about)
                if self._over.wait(REPORT_SECONDS):
                    break
            with logged():
                Worker.objects.filter(name=name).delete()
        finally:
            connection.close()


reporter = Reporter()


@contextlib.contextmanager
def logged():
    try:
        yield
    except DatabaseError:
        logger.exception("This worker could not report; it tries again")


def report(name: str, about: dict[str, Any]) -> None:
    counted = {} if about["inspects"] else sandboxes()
    now = timezone.now()
    Worker.objects.update_or_create(name=name, defaults={**about, **counted, "seen": now})
    Worker.objects.filter(seen__lt=now - FORGOTTEN).delete()


def sandboxes() -> dict[str, Any]:
    """How many of the installation's are on this engine: for runs, and for whatever comes."""
    # Only workers need the engine's library.
    from agent.sandbox import orphans

    try:
        there = orphans.running(settings.INSTALLATION)
    except SandboxUnavailable as error:
        return {"in_use": None, "waiting": None, "problem": str(error)}
    # A proxy belongs to a sandbox that has the same name.
    runs = {each.sandbox: each.run for each in there}
    in_use = sum(bool(run) for run in runs.values())
    return {"in_use": in_use, "waiting": len(runs) - in_use, "problem": ""}


@worker_ready.connect
def begin(sender, **kwargs) -> None:
    queues = sender.app.amqp.queues.consume_from
    if MESSAGES in queues:
        return  # It has no engine, and nothing of it can be full.
    inspects = sender.app.conf.task_default_queue not in queues
    # What carries out runs and what looks into files are started with the same name.
    name = f"{sender.hostname} {'inspects' if inspects else 'runs'}"
    reporter.open(name, sender.pool.limit, inspects=inspects)


@worker_shutdown.connect
def end(**kwargs) -> None:
    reporter.close()
