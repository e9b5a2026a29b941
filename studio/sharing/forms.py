"""What an owner says about a link."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from studio.sharing.models import Share

KEEP, NEVER = "keep", "never"
DAYS = [
    (NEVER, gettext_lazy("never")),
    ("1", gettext_lazy("after a day")),
    ("7", gettext_lazy("after a week")),
    ("30", gettext_lazy("after 30 days")),
    ("365", gettext_lazy("after a year")),
]


class ShareForm(forms.ModelForm):
    """For a new link, and for what can be changed of one: all but what it leads to."""

    days = forms.ChoiceField(choices=DAYS)
    password = forms.CharField(
        min_length=6, max_length=100, required=False, strip=False, widget=forms.PasswordInput
    )
    open_to_all = forms.BooleanField(required=False)

    class Meta:
        model = Share
        fields = ["listed", "allow_download", "show_prompts", "allow_replay"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            days = self.fields["days"]
            assert isinstance(days, forms.ChoiceField)
            days.choices = [(KEEP, ""), *DAYS]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        had = self.instance.password and not data.get("open_to_all")
        if data.get("listed") and (data.get("password") or had):
            self.add_error("listed", _("What has a password can’t be in the public gallery."))
        return data

    def save(self, commit: bool = True) -> Share:
        """Write what was said and nothing else: whoever revokes it meanwhile has the last word."""
        share: Share = super().save(commit=False)
        said = [*self.Meta.fields, "changed"]
        if self.cleaned_data["days"] != KEEP:
            share.expires = expiry(self.cleaned_data["days"])
            said.append("expires")
        if self.cleaned_data["password"] or self.cleaned_data["open_to_all"]:
            share.set_password(self.cleaned_data["password"])
            said += ["password", "edition"]
        if commit:
            share.save(update_fields=said)
        return share

    def problems(self) -> str:
        """All that is wrong, in one text for the reader."""
        return " ".join(str(text) for texts in self.errors.values() for text in texts)


def expiry(days: str) -> datetime | None:
    return None if days == NEVER else timezone.now() + timedelta(days=int(days))
