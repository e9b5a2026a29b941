import time

from django.core.management.base import BaseCommand

from studio.runs.models import Status
from studio.starting import making
from studio.starting.catalogue import points
from studio.starting.models import Result

PACE = 1.0


class Command(BaseCommand):
    help = (
        "Have the results of the starting points made that are missing or failed, and wait for "
        "them. The studio must be running: its workers make them."
    )

    def handle(self, *args, **options):
        making.forget_failures()
        while making.missing() or self.going_on():
            if point := making.step():
                self.stdout.write(f"{point.key}: {point.filled({})}")
            time.sleep(PACE)
        self.stdout.write(f"{Result.objects.good().count()} of {len(points())} can be shown.")

    def going_on(self) -> bool:
        runs = Result.objects.exclude(project__runs__status=Status.ENDED)
        return runs.exclude(project__runs__status=Status.PAUSED).exists()
