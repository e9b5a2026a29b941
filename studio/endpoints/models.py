"""The endpoints that operators enter in the administration, and the models they serve."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agent.errors import ModelUnavailable
from agent.models import WINDOW, catalogue
from agent.models.prices import Prices
from studio import crypto

# A model's name at its endpoint and the endpoint's own name, with a slash between them.
IDENTITY_CHARS = 241
NOT_LESS = MinValueValidator(0)


def usual_name(name: str) -> None:
    try:
        catalogue.check_name(name)
    except ValueError:
        raise ValidationError(
            _("Up to 40 small letters, digits and hyphens; not “%(reserved)s”."),
            params={"reserved": catalogue.ENVIRONMENT},
        ) from None


def shown_address(base_url: str) -> None:
    try:
        catalogue.check_address(base_url)
    except ValueError:
        raise ValidationError(
            _("A web address like https://example.org/v1, without user, password or “?”.")
        ) from None


class Endpoint(models.Model):
    """A service that answers. Its key is kept encrypted and never shown."""

    name = models.CharField(_("name"), max_length=40, unique=True, validators=[usual_name])
    base_url = models.CharField(_("address"), max_length=500, validators=[shown_address])
    kept_key = models.TextField(blank=True, editable=False)
    enabled = models.BooleanField(_("enabled"), default=True)

    class Meta:
        ordering = ["name"]
        verbose_name = _("endpoint")
        verbose_name_plural = _("endpoints")

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """The key, empty if it needs none.

        Raises:
            ModelUnavailable: it was encrypted with another secret key.
        """
        try:
            return crypto.decrypted(self.kept_key) if self.kept_key else ""
        except crypto.Unreadable:
            raise ModelUnavailable(
                gettext(
                    "The key of the endpoint “%(name)s” cannot be read: STUDIO_SECRET_KEY is "
                    "another one than when it was entered. Enter the key again in the "
                    "administration."
                )
                % {"name": self.name}
            ) from None

    @key.setter
    def key(self, key: str) -> None:
        self.kept_key = crypto.encrypted(key) if key else ""


class Sees(models.TextChoices):
    AUTO = "auto", _("find out")
    YES = "yes", _("yes")
    NO = "no", _("no")


class LanguageModel(models.Model):
    """A model at an endpoint; `found` is whether it sees, once that was found out."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="models")
    name = models.CharField(_("name at the endpoint"), max_length=200)
    label = models.CharField(_("label"), max_length=100, blank=True)
    window = models.PositiveIntegerField(
        _("window, in tokens"),
        default=WINDOW,
        validators=[MinValueValidator(catalogue.LEAST_WINDOW)],
    )
    sees = models.CharField(
        _("sees pictures"), max_length=4, choices=Sees.choices, default=Sees.AUTO
    )
    found = models.BooleanField(null=True, editable=False)
    input_price = models.FloatField(_("price of input"), default=0, validators=[NOT_LESS])
    output_price = models.FloatField(_("price of output"), default=0, validators=[NOT_LESS])
    cached_price = models.FloatField(
        _("price of cached input"), null=True, blank=True, validators=[NOT_LESS]
    )
    enabled = models.BooleanField(_("enabled"), default=True)
    is_default = models.BooleanField(_("default"), default=False)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("model")
        verbose_name_plural = _("models")
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "name"], name="one_model_per_name"),
            models.UniqueConstraint(
                fields=["is_default"], condition=Q(is_default=True), name="one_default_model"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """What people call it."""
        return self.label or self.name

    def offer(self) -> catalogue.Offer:
        """What the library makes a model of.

        Raises:
            ModelUnavailable: the endpoint's key cannot be read.
        """
        sees = {Sees.YES: True, Sees.NO: False, Sees.AUTO: self.found}[Sees(self.sees)]
        return catalogue.Offer(
            catalogue.Endpoint(self.endpoint.name, self.endpoint.base_url, self.endpoint.key),
            self.name,
            self.label,
            self.window,
            sees,
            Prices(input=self.input_price, output=self.output_price, cached=self.cached_price),
        )

    def validate_constraints(self, exclude=None) -> None:
        # Not that there is one default: saving another takes it from the first.
        super().validate_constraints({*(exclude or ()), "is_default"})

    def save(self, *args, **kwargs) -> None:
        with transaction.atomic():
            if self.is_default:
                LanguageModel.objects.exclude(pk=self.pk).update(is_default=False)
            super().save(*args, **kwargs)
