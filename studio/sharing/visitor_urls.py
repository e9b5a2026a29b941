from django.urls import path

from studio.sharing import views

app_name = "shared"
urlpatterns = [
    path("", views.page, name="page"),
    path("files/<path:path>", views.file, name="file"),
    path("open/<path:path>", views.open_file, name="open"),
    path("zip/", views.all_files, name="zip"),
    path("embed/", views.embed, name="embed"),
    path("preview.jpg", views.preview, name="preview"),
    path("own/", views.own, name="own"),
]
