from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.utils.translation import gettext_lazy as _


class StudioAdminConfig(SimpleAdminConfig):
    """Django's administration, behind our sign-in page and with nothing in it but our own."""

    default_site = "studio.operations.site.StudioAdminSite"


class OperationsConfig(AppConfig):
    name = "studio.operations"
    verbose_name = _("Operations")

    def ready(self) -> None:
        from studio.operations import admin, reporting  # noqa: F401  importing registers them
