from django.urls import path

from studio.artifacts import actions, views

app_name = "artifacts"
urlpatterns = [
    path("files/<path:path>", views.detail, name="detail"),
    path("card/<path:path>", views.card, name="card"),
    path("open/<path:path>", views.open_file, name="open"),
    path("compare/<path:path>", views.compare, name="compare"),
    path("restore/<path:path>", views.restore, name="restore"),
    path("fix/<path:path>", actions.fix, name="fix"),
    path("pack/<path:path>", actions.pack, name="pack"),
    path("packed/<path:path>", actions.packed, name="packed"),
    path("zip/", views.all_files, name="zip"),
    path("zip/project/", views.whole_project, name="whole"),
]
