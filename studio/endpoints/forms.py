"""The administration's forms: a key goes in and never comes out."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import httpx2
from django import forms
from django.utils.translation import gettext_lazy as _

from agent.errors import ModelUnavailable
from agent.models import addresses
from studio.endpoints import choices
from studio.endpoints.models import Endpoint, LanguageModel

KEY_CHARS = 2000


class EndpointForm(forms.ModelForm):
    key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=KEY_CHARS,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "class": "vTextField"}),
    )
    forget_key = forms.BooleanField(label=_("Forget the kept key"), required=False)

    class Meta:
        model = Endpoint
        fields = ["name", "base_url", "enabled"]
        help_texts = {
            "name": _("Small letters, digits and hyphens. Projects remember their model by it."),
            "base_url": _("Up to and with “/v1”, such as https://api.openai.com/v1."),
            "enabled": _("Without this its models are not offered."),
        }

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["key"].help_text = self.key_told()
        if not self.instance.kept_key:
            self.fields["forget_key"].disabled = True

    def key_told(self):
        """What is known of the key, without the key."""
        if not self.instance.kept_key:
            return _("No key is kept. Leave it empty for an endpoint that needs none.")
        try:
            self.instance.key  # noqa: B018  reading is what may fail
        except ModelUnavailable as unreadable:
            return str(unreadable)
        return _("A key is kept, encrypted. Leave this empty to keep it, or enter another one.")

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if name in {offer.endpoint.name for offer in choices.from_settings().offers}:
            raise forms.ValidationError(_("An endpoint in the settings has this name."))
        return name

    def clean_key(self) -> str:
        key = self.cleaned_data["key"].strip()
        if not key.isascii() or not key.isprintable():
            raise forms.ValidationError(_("A key has no such characters. Copy it again."))
        return key

    def clean_base_url(self) -> str:
        base_url = self.cleaned_data["base_url"]
        try:
            asyncio.run(addresses.check(httpx2.Request("POST", base_url)))
        except ModelUnavailable:
            raise forms.ValidationError(
                _("This leads to a link-local or metadata address, which is never asked.")
            ) from None
        return base_url

    def clean(self) -> dict:
        told = super().clean() or self.cleaned_data
        moved = origin(told.get("base_url", "")) != origin(self.initial.get("base_url", ""))
        if self.instance.kept_key and moved and not (told.get("key") or told.get("forget_key")):
            # Whoever may change the address must not get to read the key.
            self.add_error("key", _("The address leads to another server: enter its key."))
        return told

    def save(self, commit: bool = True) -> Endpoint:
        if self.cleaned_data["key"]:
            self.instance.key = self.cleaned_data["key"]
        elif self.cleaned_data["forget_key"]:
            self.instance.key = ""
        return super().save(commit)


class LanguageModelForm(forms.ModelForm):
    class Meta:
        model = LanguageModel
        fields = [
            "name",
            "label",
            "window",
            "sees",
            "input_price",
            "output_price",
            "cached_price",
            "enabled",
            "is_default",
        ]

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.found is not None:
            found = _("Found out: yes.") if self.instance.found else _("Found out: no.")
            self.fields["sees"].help_text = found

    def save(self, commit: bool = True) -> LanguageModel:
        if "name" in self.changed_data or "sees" in self.changed_data:
            self.instance.found = None
        return super().save(commit)


def origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address.lower())
    return parts.scheme, parts.netloc
