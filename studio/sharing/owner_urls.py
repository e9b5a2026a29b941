from django.urls import path

from studio.sharing import owner

app_name = "sharing"
urlpatterns = [
    path("", owner.shares, name="list"),
    path("make/", owner.make, name="make"),
    path("<int:share_id>/change/", owner.change, name="change"),
    path("<int:share_id>/revoke/", owner.revoke, name="revoke"),
]
