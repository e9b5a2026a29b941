from django.apps import AppConfig


class StartingConfig(AppConfig):
    name = "studio.starting"

    def ready(self) -> None:
        from studio.starting import tasks  # noqa: F401  it listens for workers that begin
