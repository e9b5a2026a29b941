from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.i18n import JavaScriptCatalog, set_language

from studio import styleguide, views
from studio.projects.views import start

urlpatterns = [
    path("", start, name="start"),
    path("", include("studio.accounts.urls")),
    path("", include("studio.people.urls")),
    path("", include("studio.runs.urls")),
    path("", include("studio.library.urls")),
    path("", include("studio.notices.urls")),
    path("", include("studio.api.urls")),
    path("start/", include("studio.starting.urls")),
    path("projects/", include("studio.projects.urls")),
    path("projects/<slug:project_id>/", include("studio.artifacts.urls")),
    path("", include("studio.sharing.urls")),
    path("s/<str:token>/", include("studio.sharing.visitor_urls")),
    path("projects/<slug:project_id>/shares/", include("studio.sharing.owner_urls")),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/3rdparty/", include("allauth.socialaccount.urls")),
    path("accounts/oidc/", include("studio.accounts.oidc")),
    path("accounts/sessions/", include("allauth.usersessions.urls")),
    path("admin/", admin.site.urls),
    path("help/models/", views.models_help, name="models_help"),
    path("styleguide/", styleguide.page, name="styleguide"),
    path("healthz", views.health, name="health"),
    path("language/", login_not_required(set_language), name="set_language"),
    path("jsi18n/", login_not_required(JavaScriptCatalog.as_view()), name="javascript-catalog"),
]
