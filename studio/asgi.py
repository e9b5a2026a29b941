"""The web's entry: the host name decides between the app and the files of a project."""

from __future__ import annotations

import os
import tempfile
import warnings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.settings")

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

django_application = get_asgi_application()
# Request bodies are kept here while they come; the usual folder may be in memory.
tempfile.tempdir = str(settings.VAR / "tmp")
# WhiteNoise's files are small and read at once, which is what the warning is about.
warnings.filterwarnings("ignore", "StreamingHttpResponse must consume synchronous iterators")

from django.urls import path, re_path  # noqa: E402  models can't be imported before the set-up above

from studio.api.sockets import TokenSockets  # noqa: E402
from studio.artifacts.origin import ArtifactHosts  # noqa: E402
from studio.projects.consumers import ProjectConsumer  # noqa: E402
from studio.runs.consumers import RunConsumer  # noqa: E402
from studio.sharing.consumers import ShareConsumer  # noqa: E402
from studio.sockets import NowhereConsumer  # noqa: E402
from studio.web import RequestGuard, SameOrigin  # noqa: E402

runs = path("ws/runs/<uuid:run_id>/", RunConsumer.as_asgi())
projects = path("ws/projects/<slug:project_id>/", ProjectConsumer.as_asgi())
shares = path("s/<str:token>/live/", ShareConsumer.as_asgi())
nowhere = re_path("", NowhereConsumer.as_asgi())
# What programs have, and what pages have.
with_token = URLRouter([runs, nowhere])
with_cookie = URLRouter([runs, projects, shares, nowhere])
sockets = TokenSockets(with_token, browsers=SameOrigin(AuthMiddlewareStack(with_cookie)))


async def app(scope, receive, send) -> None:
    if scope["type"] == "websocket":
        await sockets(scope, receive, send)
    else:
        await django_application(scope, receive, send)


application = RequestGuard(ArtifactHosts(app))
