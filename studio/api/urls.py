from django.urls import include, path

from studio.api import hooks, pages, v1

app_name = "api"
urlpatterns = [
    path("api/", pages.reference, name="reference"),
    path("api/v1/", include(v1.urlpatterns)),
    path("settings/tokens/", pages.tokens, name="tokens"),
    path("settings/tokens/<int:token_id>/revoke/", pages.revoke, name="revoke"),
    path("settings/webhooks/", hooks.webhooks, name="webhooks"),
    path("settings/webhooks/<int:webhook_id>/remove/", hooks.remove, name="remove-webhook"),
]
