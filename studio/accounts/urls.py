from django.urls import path

from studio.accounts import views

app_name = "accounts"
urlpatterns = [
    path("enter/<str:token>/", views.enter, name="enter"),
    path("settings/", views.profile, name="profile"),
    path("settings/usage/", views.usage, name="usage"),
    path("settings/data/", views.data, name="data"),
    path("settings/data/export/", views.export_data, name="export"),
    path("settings/data/delete/", views.delete, name="delete"),
]
