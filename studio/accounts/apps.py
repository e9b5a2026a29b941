from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "studio.accounts"

    def ready(self) -> None:
        from studio import checks  # noqa: F401  importing registers them
