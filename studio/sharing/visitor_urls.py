from django.urls import path

from studio.sharing import replay, views

app_name = "shared"
urlpatterns = [
    path("", views.page, name="page"),
    path("files/<path:path>", views.file, name="file"),
    path("open/<path:path>", views.open_file, name="open"),
    path("zip/", views.all_files, name="zip"),
    path("embed/", views.embed, name="embed"),
    path("preview.jpg", views.preview, name="preview"),
    path("own/", views.own, name="own"),
    path("replay/<int:number>/", replay.replay, name="replay"),
    path("replay/<int:number>/events/", replay.events, name="events"),
]
