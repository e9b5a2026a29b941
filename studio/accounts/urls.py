from django.urls import path

from studio.accounts import views

app_name = "accounts"
urlpatterns = [path("enter/<str:token>/", views.enter, name="enter")]
