from __future__ import annotations

from django import template
from django.utils.translation import gettext

register = template.Library()

# The first one that is in the text: most browsers name others, too, so as to be treated alike.
BROWSERS = {
    "Edg/": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


@register.filter
def browser(user_agent: str) -> str:
    """What people call the browser and the system that say this of themselves."""
    name = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), "")
    if name and system:
        return gettext("%(browser)s on %(system)s") % {"browser": name, "system": system}
    return name or system or gettext("Unknown browser")
