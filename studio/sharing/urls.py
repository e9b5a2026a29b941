from django.urls import path

from studio.sharing import public

urlpatterns = [
    path("explore/", public.explore, name="explore"),
    path("oembed/", public.oembed, name="oembed"),
    path("robots.txt", public.robots, name="robots"),
]
