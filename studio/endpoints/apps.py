from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.utils.translation import gettext_lazy as _


class EndpointsConfig(AppConfig):
    name = "studio.endpoints"
    verbose_name = _("Language models")


class StudioAdminConfig(SimpleAdminConfig):
    """Django's administration, behind our sign-in page and with nothing in it but our own."""

    default_site = "studio.endpoints.site.StudioAdminSite"

    def ready(self) -> None:
        super().ready()
        from studio.endpoints import admin  # noqa: F401  importing registers them
