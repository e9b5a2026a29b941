"""Tell people who are not looking that a run is done, or asks whether to go on."""

from __future__ import annotations

import logging
import uuid
from functools import partial
from smtplib import SMTPException

from celery import shared_task
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.utils.translation import gettext, override
from kombu.exceptions import OperationalError

from agent.events import Reason
from studio.notices import push
from studio.notices.models import Letters, Subscription
from studio.runs.models import Run, Status
from studio.runs.reasons import explanation, question

logger = logging.getLogger(__name__)


def when_written(run: Run, reason: str) -> None:
    """After this transaction tell whoever wants to know; who pressed Stop knows."""
    owner = run.project.owner_id
    wanted = Letters.objects.filter(user=owner) or Subscription.objects.filter(user=owner)
    if reason != Reason.STOPPED and wanted.exists():
        transaction.on_commit(partial(_send, run.pk, run.last_seq))


def _send(run_id: uuid.UUID, seq: int) -> None:
    try:
        tell.delay(str(run_id), seq)
    except OperationalError as error:
        logger.warning("Nobody is told about run %s: %s", run_id, error)


@shared_task
def tell(run_id: str, seq: int) -> None:
    """What a run says with its event of this number, unless something else has happened since."""
    run = Run.objects.select_related("project__owner").filter(pk=run_id).first()
    if run is None or not run.events.filter(seq=seq).exists() or run.active:
        return
    for letters in Letters.objects.filter(user=run.project.owner_id):
        with override(letters.language):
            _write(run, letters)
    for subscription in Subscription.objects.filter(user=run.project.owner_id):
        with override(subscription.language):
            message = {"title": title(run), "body": run.project.title, "tag": run_id}
        try:
            push.send(subscription, message | {"url": run.project.get_absolute_url()})
        except push.NotDelivered as error:
            logger.warning("A browser was not told about run %s: %s", run_id, error)


def _write(run: Run, letters: Letters) -> None:
    link = f"{letters.site}{run.project.get_absolute_url()}"
    said = question(run.reason) if run.status == Status.PAUSED else told(run)
    try:
        send_mail(
            f"{title(run)}: {run.project.title}",
            f"{run.prompt}\n\n{said}\n\n{link}\n",
            settings.DEFAULT_FROM_EMAIL,
            [run.project.owner.email],
        )
    except (SMTPException, OSError) as error:
        logger.warning("No e-mail about run %s: %s", run.pk, error)


def told(run: Run) -> str:
    return run.summary if run.reason == Reason.SUBMITTED else explanation(run.reason, run.message)


def title(run: Run) -> str:
    if run.status == Status.PAUSED:
        return gettext("Paused. Go on?")
    return gettext("Done") if run.reason == Reason.SUBMITTED else gettext("It ended early")
