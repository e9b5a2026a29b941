from __future__ import annotations

from datetime import timedelta

from django import forms
from django.utils.translation import gettext_lazy as _

from studio.api.models import NAME_LENGTH, Scope

LIFETIMES = [
    ("30", _("30 days")),
    ("90", _("90 days")),
    ("365", _("One year")),
    ("", _("Until it is revoked")),
]


class TokenForm(forms.Form):
    """What a new token is called, what it may do and for how long."""

    name = forms.CharField(max_length=NAME_LENGTH)
    scope = forms.ChoiceField(choices=Scope.choices)
    days = forms.ChoiceField(choices=LIFETIMES, required=False)

    @property
    def lifetime(self) -> timedelta | None:
        days = self.cleaned_data["days"]
        return timedelta(days=int(days)) if days else None
