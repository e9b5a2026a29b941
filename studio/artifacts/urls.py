from django.urls import path

from studio.artifacts import views

app_name = "artifacts"
urlpatterns = [
    path("files/<path:path>", views.detail, name="detail"),
    path("card/<path:path>", views.card, name="card"),
    path("open/<path:path>", views.open_file, name="open"),
    path("zip/", views.all_files, name="zip"),
    path("zip/project/", views.whole_project, name="whole"),
]
