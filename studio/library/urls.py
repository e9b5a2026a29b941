from django.urls import path

from studio.library import picked, trash, views

app_name = "library"
urlpatterns = [
    path("library/", views.wall, name="wall"),
    path("library/star/", picked.star, name="star"),
    path("library/tag/", picked.tag, name="tag"),
    path("library/delete/", picked.delete, name="delete"),
    path("library/undelete/", picked.undelete, name="undelete"),
    path("library/download/", picked.download, name="download"),
    path("library/copy/", picked.copy, name="copy"),
    path("library/move/", picked.move, name="move"),
    path("trash/", trash.trash, name="trash"),
    path("trash/empty/", trash.empty, name="empty"),
    path("trash/files/restore/", trash.restore_files, name="restore-files"),
    path("trash/files/delete/", trash.purge_files, name="purge-files"),
    path("trash/<slug:project_id>/restore/", trash.restore_project, name="restore"),
    path("trash/<slug:project_id>/delete/", trash.purge_project, name="purge"),
]
