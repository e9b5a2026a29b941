"""What a project's sandboxes can reach: chosen by its owner among what the operator allows."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Network(models.TextChoices):
    """From the strictest to the widest."""

    NONE = "none", _("No network")
    PACKAGES = "packages", _("Package registries only")
    OPEN = "open", _("Open internet")


MEANINGS = {
    Network.NONE: _("Nothing goes in or out: what is made comes from the sandbox and your files."),
    Network.PACKAGES: _("Software packages can be installed; nothing else can be reached."),
    Network.OPEN: _("Any server can be reached, and your files could be sent to one."),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the networks that a page offers."""

    network: Network
    meaning: Promise
    chosen: bool


def usual() -> Network:
    """What new projects have."""
    return Network(settings.NETWORKS[0])


def effective(wanted: str) -> Network:
    """What a project gets that wants this one.

    When the operator does not allow it any more that is the strictest one left, and never more
    than was wanted.
    """
    if wanted in settings.NETWORKS:
        return Network(wanted)
    return min([Network(wanted), *map(Network, settings.NETWORKS)], key=list(Network).index)


def offered(wanted: str) -> list[Choice]:
    """What the owner of such a project can choose from; empty if there is no choice."""
    now = effective(wanted)
    possible = [each for each in Network if each in settings.NETWORKS or each == now]
    if len(possible) < 2:
        return []
    return [Choice(each, MEANINGS[each], each == now) for each in possible]
