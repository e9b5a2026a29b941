from django.urls import path

from studio.runs import exports, replay, views

app_name = "runs"
urlpatterns = [
    path("projects/<slug:project_id>/runs/", views.create, name="create"),
    path("projects/<slug:project_id>/replay/<int:number>/", replay.replay, name="replay"),
    path("runs/<uuid:run_id>/stop/", views.stop, name="stop"),
    path("runs/<uuid:run_id>/go-on/", views.go_on, name="go-on"),
    path("runs/<uuid:run_id>/say/", views.say, name="say"),
    path("runs/<uuid:run_id>/words/<int:word>/", views.take_back, name="take-back"),
    path("runs/<uuid:run_id>/retry/", views.retry, name="retry"),
    path("runs/<uuid:run_id>/events/", views.events, name="events"),
    path("runs/<uuid:run_id>/trajectory/", exports.trajectory, name="trajectory"),
]
