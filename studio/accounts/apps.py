from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "studio.accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from studio import checks  # noqa: F401  importing registers them
