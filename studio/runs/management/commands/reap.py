from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from agent.errors import SandboxUnavailable
from agent.sandbox import orphans


class Command(BaseCommand):
    help = "Remove all sandboxes of this installation; for when no worker runs here any more."

    def handle(self, *args, **options):
        try:
            removed = orphans.reap(settings.INSTALLATION)
        except SandboxUnavailable as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Removed {removed} sandboxes.")
