"""What every answer of the artifact origin tells browsers, and what pages made here may reach."""

from __future__ import annotations

from django.conf import settings
from starlette.datastructures import MutableHeaders
from starlette.requests import Request

from studio.projects.networks import Network

# Where the libraries come from that pages load: they hand out what was published there, and a
# page can send nothing to them but the name of a package.
LIBRARIES = (
    "https://cdn.jsdelivr.net https://unpkg.com https://cdnjs.cloudflare.com https://esm.sh "
    "https://cdn.plot.ly https://d3js.org https://code.jquery.com https://cdn.tailwindcss.com "
    "https://fonts.googleapis.com https://fonts.gstatic.com"
)
SOURCES = {Network.NONE: "", Network.PACKAGES: LIBRARIES, Network.OPEN: "https:"}
CONNECTIONS = {**SOURCES, Network.OPEN: "https: wss:"}
# The address of a page has its signature in it; servers of map tiles want to know the host.
REFERRER = {Network.OPEN: "strict-origin"}

DEVICES = (
    "camera",
    "display-capture",
    "geolocation",
    "hid",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
)
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    # A page that never stops computing has a process of its own also where it is of the same site.
    "Origin-Agent-Cluster": "?1",
    "Permissions-Policy": ", ".join(f"{device}=()" for device in DEVICES),
    "X-Robots-Tag": "noindex",
    "Vary": "Origin",
    "Access-Control-Expose-Headers": "Accept-Ranges, Content-Range, Content-Length, ETag",
}


def with_headers(request: Request, send):
    """`send`, adding to every answer what this origin says, whatever made it.

    The network of the project is in the request's scope once the request was found authorised.
    """

    async def send_with_headers(message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            network = request.scope.get("network", Network.NONE)
            for name, value in ALWAYS.items():
                headers[name] = value
            headers["Referrer-Policy"] = REFERRER.get(network, "no-referrer")
            headers["Content-Security-Policy"] = content_policy(
                request, network, headers.get("content-type", "")
            )
            origin = request.headers.get("origin")
            if origin in app_origins(request):
                headers["Access-Control-Allow-Origin"] = origin
        await send(message)

    return send_with_headers


def content_policy(request: Request, network: Network, media_type: str) -> str:
    """What a page may load, run and reach; a picture runs nothing."""
    # CSP has no syntax for IPv6 addresses: browsers complain of them in the console.
    app_hosts = " ".join(origin for origin in app_origins(request) if "[" not in origin)
    # Who has a link may show what it opens elsewhere: nobody is signed in here, to be tricked.
    ancestors = "*" if "share" in request.scope else f"'self' {app_hosts}"
    directives = [
        f"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob: {SOURCES[network]}",
        f"connect-src 'self' data: blob: {CONNECTIONS[network]}",
        "form-action 'none'",
        "base-uri 'self'",
        f"frame-ancestors {ancestors}",
    ]
    if media_type == "image/svg+xml":
        directives.append("script-src 'none'")
    return "; ".join(directive.strip() for directive in directives)


def app_origins(request: Request) -> list[str]:
    """Where the app itself may be: these pages may frame and read artifacts."""
    port = f":{request.scope['port']}" if request.scope["port"] else ""
    return [f"{request.url.scheme}://{host}{port}" for host in settings.ALLOWED_HOSTS]
