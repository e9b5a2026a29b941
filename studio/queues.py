"""Where tasks wait, and which are due from time to time: Celery's settings, by its names."""

from __future__ import annotations

from typing import Any

from django.conf import settings

# Workers take what has no queue of its own; inspectors and messengers take one each only.
INSPECTIONS = "inspections"
MESSAGES = "messages"

broker_url = settings.REDIS_URL.replace("unix://", "redis+socket://", 1)
broker_connection_retry_on_startup = True
broker_transport_options = {
    # A task is acknowledged when its run has ended: a shorter time would deliver it twice.
    "visibility_timeout": 2 * settings.RUN_SECONDS + 600,
    "socket_connect_timeout": 2,
}
accept_content = ["json"]
task_serializer = "json"
task_acks_late = True
task_ignore_result = True
task_publish_retry = False
worker_prefetch_multiplier = 1

task_routes = {
    "studio.inspections.tasks.inspect": {"queue": INSPECTIONS},
    "studio.artifacts.tasks.pack": {"queue": INSPECTIONS},
    # Short, and not to wait behind runs that take half an hour or behind a thousand files: least of
    # all the reaper, which ends what workers left that died, however busy the others are.
    "studio.runs.tasks.reap": {"queue": MESSAGES},
    "studio.notices.tasks.tell": {"queue": MESSAGES},
    "studio.api.tasks.*": {"queue": MESSAGES},
    "studio.starting.tasks.*": {"queue": MESSAGES},
}


def every(seconds: float, task: str) -> dict[str, Any]:
    """One that finds no free thread in time is of no use later: the next one does the same."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


beat_schedule_filename = str(settings.VAR / "run" / "beat")
beat_schedule = {
    "reap": every(10, "studio.runs.tasks.reap"),
    "remove-orphans": every(10, "studio.runs.tasks.remove_orphans"),
    "deliver": every(10, "studio.api.tasks.deliver_due"),
    "tidy": every(600, "studio.library.tasks.tidy"),
    "sweep": every(3600, "studio.runs.tasks.sweep"),
}
if settings.STARTING_POINTS:
    beat_schedule["start"] = every(10, "studio.starting.tasks.make_next")
