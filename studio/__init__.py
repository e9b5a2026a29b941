"""The studio: the Django site around `agent`."""

from studio.celery import app as celery_app

__all__ = ["celery_app"]
