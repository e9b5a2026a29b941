from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "studio.api"

    def ready(self) -> None:
        from studio.api import announcing
        from studio.runs.journal import run_ended

        run_ended.connect(announcing.announce)
