"""The worker's application: it carries run ids from the web to whoever has a container engine."""

import os

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")

app = Celery("studio")
app.config_from_object("studio.queues")
app.autodiscover_tasks()


@setup_logging.connect
def leave_logging_to_django(**kwargs) -> None:
    """Celery sets up no logging of its own where somebody listens to this."""
