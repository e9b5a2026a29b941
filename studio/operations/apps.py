from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OperationsConfig(AppConfig):
    name = "studio.operations"
    verbose_name = _("Operations")

    def ready(self) -> None:
        from studio.operations import admin, reporting  # noqa: F401  importing registers them
