"""Who is in a project, and the links that let more people in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from studio.accounts.models import User
from studio.people.joining import carry, used_up
from studio.people.models import MANY, ONE, SEVERAL, Invitation
from studio.projects.access import project_of, projects_of
from studio.projects.models import Project, Role
from studio.projects.views import forms_answer
from studio.web import UserRequest


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Say who invites to what; let who is signed in join."""
    user = request.user
    told = Invitation.objects.told(token)
    invitation = told.filter(pk__in=Invitation.objects.usable().values("pk")).first()
    if isinstance(user, User) and (home := already_in(user, invitation or told.first())):
        return redirect(home)
    if invitation is None:
        return used_up(request)
    if isinstance(user, User):
        if request.method == "POST":
            # Who presses twice is let in by the first of two requests that come together.
            joined = invitation.accept(user) or already_in(user, invitation)
            return redirect(home_of(invitation)) if joined else used_up(request)
    elif request.method == "POST":
        return redirect_to_login(request.path)
    else:
        carry(request, invitation)
    answer = render(request, "people/invited.html", {"invitation": invitation})
    answer["X-Robots-Tag"] = "noindex"
    return answer


def home_of(invitation: Invitation) -> str:
    return invitation.project.get_absolute_url() if invitation.project else reverse("start")


def already_in(user: User, invitation: Invitation | None) -> str:
    """Where the invitation leads, if the user is there already; otherwise empty."""
    if invitation is None:
        return ""
    if invitation.project is None:
        return home_of(invitation)
    there = projects_of(user, Role(invitation.role)).filter(pk=invitation.project_id)
    return home_of(invitation) if there.exists() else ""


@never_cache
@require_GET
def people(request: UserRequest, project_id: str) -> HttpResponse:
    return shown(request, project_of(request.user, project_id))


def shown(request: UserRequest, project: Project, link: str = "") -> HttpResponse:
    """Everybody in the project and, for its owner, the links; one was made just now, if any."""
    context = {
        "project": project,
        "members": project.members.select_related("user").order_by("created"),
        "roles": Role.choices[:2],
        "counts": (ONE, SEVERAL, MANY),
        "link": link,
    }
    if project.is_own:
        context["invitations"] = project.invitations.usable()
    return render(request, f"people/{'_people' if request.htmx else 'page'}.html", context)


@require_POST
def set_role(request: UserRequest, project_id: str, member_id: int) -> HttpResponse:
    project = project_of(request.user, project_id, Role.OWNER)
    member = get_object_or_404(project.members, pk=member_id)
    end_known_links(project)
    member.role = chosen_role(request)
    member.save(update_fields=["role"])
    return shown(request, project)


@require_POST
def remove(request: UserRequest, project_id: str, member_id: int) -> HttpResponse:
    project = project_of(request.user, project_id, Role.OWNER)
    member = get_object_or_404(project.members, pk=member_id)
    end_known_links(project)
    member.delete()
    return shown(request, project)


def end_known_links(project: Project) -> None:
    """Who may do less from now on must not take it back with a link that they came by.

    To be called before that: what they get by it until then is taken away with the rest.
    """
    project.invitations.filter(uses__gt=0).delete()


@require_POST
@forms_answer
def leave(request: UserRequest, project_id: str) -> str:
    project = project_of(request.user, project_id)
    get_object_or_404(project.members, user=request.user).delete()
    return reverse("projects:list")


@require_POST
def new_link(request: UserRequest, project_id: str) -> HttpResponse:
    project = project_of(request.user, project_id, Role.OWNER)
    token = Invitation.objects.issue(
        request.user, project, chosen_role(request), chosen_count(request)
    )
    return shown(request, project, address(request, token))


@require_POST
def revoke_link(request: UserRequest, project_id: str, link_id: int) -> HttpResponse:
    project = project_of(request.user, project_id, Role.OWNER)
    get_object_or_404(project.invitations, pk=link_id).delete()
    return shown(request, project)


@never_cache
@require_GET
def newcomers(request: UserRequest) -> HttpResponse:
    """The links with which an operator lets people into the studio."""
    return links_shown(staff(request))


def links_shown(request: UserRequest, link: str = "") -> HttpResponse:
    invitations = Invitation.objects.usable().filter(project=None).select_related("made_by")
    context = {"invitations": invitations, "counts": (ONE, SEVERAL, MANY), "link": link}
    return render(request, f"people/{'_newcomers' if request.htmx else 'newcomers'}.html", context)


@require_POST
def new_newcomers(request: UserRequest) -> HttpResponse:
    token = Invitation.objects.issue(staff(request).user, most=chosen_count(request))
    return links_shown(request, address(request, token))


@require_POST
def revoke_newcomers(request: UserRequest, link_id: int) -> HttpResponse:
    staff(request)
    get_object_or_404(Invitation, project=None, pk=link_id).delete()
    return links_shown(request)


def staff(request: UserRequest) -> UserRequest:
    """The request, if an operator sends it.

    Raises:
        Http404: somebody else does.
    """
    if not request.user.is_staff:
        raise Http404
    return request


def chosen_role(request: UserRequest) -> Role:
    """A member's role; looking, unless changing is asked for."""
    return Role.EDITOR if request.POST.get("role") == str(Role.EDITOR.value) else Role.VIEWER


def chosen_count(request: UserRequest) -> int:
    return {str(count): count for count in (SEVERAL, MANY)}.get(request.POST.get("most", ""), ONE)


def address(request: UserRequest, token: str) -> str:
    return request.build_absolute_uri(reverse("people:invited", args=[token]))
