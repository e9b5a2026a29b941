from django.urls import path

from studio.people import views

app_name = "people"
urlpatterns = [
    path("invite/<str:token>/", views.invited, name="invited"),
    path("settings/invitations/", views.newcomers, name="newcomers"),
    path("settings/invitations/new/", views.new_newcomers, name="new-newcomers"),
    path(
        "settings/invitations/<int:link_id>/revoke/",
        views.revoke_newcomers,
        name="revoke-newcomers",
    ),
    path("projects/<slug:project_id>/people/", views.people, name="people"),
    path("projects/<slug:project_id>/people/leave/", views.leave, name="leave"),
    path("projects/<slug:project_id>/people/links/", views.new_link, name="new-link"),
    path(
        "projects/<slug:project_id>/people/links/<int:link_id>/revoke/",
        views.revoke_link,
        name="revoke-link",
    ),
    path("projects/<slug:project_id>/people/<int:member_id>/role/", views.set_role, name="role"),
    path("projects/<slug:project_id>/people/<int:member_id>/remove/", views.remove, name="remove"),
]
