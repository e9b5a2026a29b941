from django.apps import AppConfig


class LibraryConfig(AppConfig):
    name = "studio.library"

    def ready(self) -> None:
        from studio.library import indexing

        indexing.connect()
