from django.apps import AppConfig


class ArtifactsConfig(AppConfig):
    name = "studio.artifacts"
