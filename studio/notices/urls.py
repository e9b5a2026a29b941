from django.urls import path

from studio.notices import views

app_name = "notices"
urlpatterns = [
    path("notices.js", views.worker, name="worker"),
    path("offline/", views.offline, name="offline"),
    path("settings/notices/", views.preferences, name="preferences"),
    path("notices/letters/", views.letters, name="letters"),
    path("notices/subscribe/", views.subscribe, name="subscribe"),
    path("notices/unsubscribe/", views.unsubscribe, name="unsubscribe"),
]
