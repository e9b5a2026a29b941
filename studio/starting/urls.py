from django.urls import path

from studio.starting import views

app_name = "starting"
urlpatterns = [
    path("", views.everything, name="all"),
    path("<slug:language>/<slug:name>/", views.page, name="point"),
    path("<slug:language>/<slug:name>/sentence/", views.sentence, name="sentence"),
    path("<slug:language>/<slug:name>/write/", views.write, name="write"),
    path("<slug:language>/<slug:name>/make/", views.make, name="make"),
]
