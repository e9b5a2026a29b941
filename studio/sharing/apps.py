from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SharingConfig(AppConfig):
    name = "studio.sharing"
    verbose_name = _("Shared links")

    def ready(self) -> None:
        from studio.sharing import admin  # noqa: F401  importing registers it
