"""A spot in a file that somebody pointed at, in plain words behind what they ask for.

A form says it as `region X Y WIDTH HEIGHT` in per cent, `time SECONDS`, or `element SELECTOR` with
the element's text on a second line. The last comes out of a page that nobody trusts: it is bounded
and quoted, and only the person who reads it in the form sends it.
"""

from __future__ import annotations

import re

from django.http import HttpRequest
from django.utils.translation import gettext as _

from studio.artifacts.models import Artifact
from studio.projects.models import Project
from studio.projects.requests import BadRequest

REGION = re.compile(r"region (\d{1,3}) (\d{1,3}) (\d{1,3}) (\d{1,3})")
TIME = re.compile(r"time (\d{1,6})(?:\.(\d))?")
ELEMENT = re.compile(r"element ([^\n]{1,300})(?:\n([^\n]{0,160}))?")


def pointed(request: HttpRequest, project: Project) -> str:
    """The words for the spot of a form, behind an empty line; nothing if there is none.

    Raises:
        BadRequest: there is no such file, or it is no spot.
    """
    path = request.POST.get("about", "")
    if not path:
        return ""
    artifact = project.artifacts.filter(path=path).first()
    if artifact is None:
        raise BadRequest(_("The file that you pointed at is gone. Reload the page."))
    return f"\n\n[{_spot(artifact, request.POST.get('spot', '').replace(chr(13), ''))}]"


def _spot(artifact: Artifact, spot: str) -> str:
    name = {"name": f"output/{artifact.path}"}
    if not spot:
        return _("This is about %(name)s.") % name
    if found := REGION.fullmatch(spot):
        left, top, width, height = map(int, found.groups())
        if left + width <= 100 and top + height <= 100:
            places = {"left": left, "right": left + width, "top": top, "bottom": top + height}
            return _(
                "This is about a region of %(name)s: from %(left)d%% to %(right)d%% of its width, "
                "counted from the left, and from %(top)d%% to %(bottom)d%% of its height, counted "
                "from the top."
            ) % (name | places)
    if found := TIME.fullmatch(spot):
        minutes, seconds = divmod(int(found[1]), 60)
        at = f"{minutes}:{seconds:02}.{found[2]}" if found[2] else f"{minutes}:{seconds:02}"
        return _("This is about %(name)s at %(time)s.") % (name | {"time": at})
    if found := ELEMENT.fullmatch(spot):
        selector, text = (_quoted(part or "") for part in found.groups())
        return _("This is about an element of %(name)s: %(selector)s, “%(text)s”.") % (
            name | {"selector": selector, "text": text}
        )
    raise BadRequest(_("This is no spot in the file. Point at it once more."))


def _quoted(text: str) -> str:
    """In one line that can't end the brackets it stands in."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.replace("[", "(").replace("]", ")").split())
