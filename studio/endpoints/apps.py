from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EndpointsConfig(AppConfig):
    name = "studio.endpoints"
    verbose_name = _("Language models")

    def ready(self) -> None:
        from studio.endpoints import admin  # noqa: F401  importing registers them
