"""Newcomers who come with an invitation: it goes along until their account is made."""

from __future__ import annotations

from allauth.core.exceptions import ImmediateHttpResponse
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from studio.accounts.models import User
from studio.people.models import Invitation

KEY = "invitation"


def carry(request: HttpRequest, invitation: Invitation) -> None:
    """Remember with which invitation somebody came who is not signed in."""
    request.session[KEY] = invitation.pk


def carried(request: HttpRequest) -> Invitation | None:
    """The invitation that lets this newcomer make an account, if there is one."""
    key = request.session.get(KEY)
    if key is None:
        return None
    invitation = Invitation.objects.usable().select_related("made_by").filter(pk=key).first()
    return invitation if invitation and invitation.admits_newcomers else None


def welcome(request: HttpRequest, user: User, *, needed: bool) -> None:
    """Let somebody in with the invitation that they came with, as their account is made.

    Raises:
        ImmediateHttpResponse: one is `needed`, and it is used up by now.
    """
    invitation = carried(request)
    request.session.pop(KEY, None)
    if not (invitation and invitation.accept(user)) and needed:
        raise ImmediateHttpResponse(used_up(request))


def used_up(request: HttpRequest) -> HttpResponse:
    """What a link that lets nobody in (any more) leads to, whatever was the matter with it."""
    return render(request, "people/used_up.html", status=410)
