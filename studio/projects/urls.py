from django.urls import path

from studio.projects import inputs, views

app_name = "projects"
urlpatterns = [
    path("", views.project_list, name="list"),
    path("new/", views.create, name="create"),
    path("<slug:project_id>/", views.detail, name="detail"),
    path("<slug:project_id>/rename/", views.rename, name="rename"),
    path("<slug:project_id>/copy/", views.copy, name="copy"),
    path("<slug:project_id>/delete/", views.delete, name="delete"),
    path("<slug:project_id>/gallery/", views.gallery, name="gallery"),
    path("<slug:project_id>/inputs/<path:name>", views.input_file, name="input"),
    path("<slug:project_id>/inputs-use/<path:name>", inputs.use, name="use-input"),
    path("<slug:project_id>/inputs-copy/<path:name>", inputs.copy, name="copy-input"),
    path("<slug:project_id>/inputs-remove/<path:name>", inputs.remove, name="remove-input"),
    path("<slug:project_id>/inputs-undo/", inputs.undo, name="undo-input"),
]
