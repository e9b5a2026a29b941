from __future__ import annotations

from allauth.account.forms import LoginForm
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from studio.accounts.models import User


class SignInForm(LoginForm):
    """allauth's, with a label that says what to type."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("User name or e-mail address")


class ProfileForm(forms.ModelForm):
    """The name that others see; it is kept in one piece."""

    name = forms.CharField(
        label=_("Name"),
        max_length=150,
        required=False,
        strip=True,
        help_text=_("What people see whom you let into a project. Empty, it is your user name."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    class Meta:
        model = User
        fields: list[str] = []

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.initial["name"] = self.instance.get_full_name()

    def save(self, commit=True) -> User:
        """Write the name and nothing else: an operator may change the same account meanwhile."""
        self.instance.first_name, self.instance.last_name = self.cleaned_data["name"], ""
        if commit:
            self.instance.save(update_fields=["first_name", "last_name"])
        return self.instance


class DeletionForm(forms.Form):
    """That somebody means it: the user name typed, and the password where there is one."""

    username = forms.CharField(
        label=_("Your user name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def __init__(self, user: User, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if user.has_usable_password():
            self.fields["password"] = forms.CharField(
                label=_("Your password"),
                max_length=1000,
                strip=False,
                widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
            )

    def clean_username(self) -> str:
        if self.cleaned_data["username"] != self.user.username:
            raise ValidationError(_("This is not your user name."))
        return self.user.username

    def clean_password(self) -> str:
        if not self.user.check_password(self.cleaned_data["password"]):
            raise ValidationError(_("This is not your password."))
        return ""
