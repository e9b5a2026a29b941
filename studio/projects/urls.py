from django.urls import path

from studio.projects import views

app_name = "projects"
urlpatterns = [
    path("", views.project_list, name="list"),
    path("new/", views.create, name="create"),
    path("<slug:project_id>/", views.detail, name="detail"),
    path("<slug:project_id>/rename/", views.rename, name="rename"),
    path("<slug:project_id>/delete/", views.delete, name="delete"),
    path("<slug:project_id>/inputs/<path:name>", views.input_file, name="input"),
]
