from __future__ import annotations

from functools import partial

from django.contrib import admin, messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from agent.errors import ModelUnavailable
from agent.models.probe import Probed
from studio import wording
from studio.endpoints import testing
from studio.endpoints.forms import EndpointForm, LanguageModelForm
from studio.endpoints.models import Endpoint, LanguageModel

hides_key = method_decorator(sensitive_post_parameters("key"))


class LanguageModelInline(admin.StackedInline):
    model = LanguageModel
    form = LanguageModelForm
    extra = 0
    min_num = 1
    fieldsets = [
        (
            None,
            {
                "fields": [
                    ("name", "label"),
                    ("window", "sees"),
                    ("input_price", "output_price", "cached_price"),
                    ("enabled", "is_default"),
                ],
                "description": _(
                    "The window is how much text fits, in tokens; prices are for a million tokens. "
                    "The label is what people choose by."
                ),
            },
        )
    ]


@admin.register(Endpoint)
class EndpointAdmin(admin.ModelAdmin):
    form = EndpointForm
    fields = ["name", "base_url", "key", "forget_key", "enabled"]
    list_display = ["name", "base_url", "model_names", "key_state", "enabled"]
    inlines = [LanguageModelInline]

    @admin.display(description=_("models"))
    def model_names(self, endpoint: Endpoint) -> str:
        return ", ".join(model.title for model in endpoint.models.all())

    @admin.display(description=_("key"))
    def key_state(self, endpoint: Endpoint) -> str:
        try:
            return gettext("kept") if endpoint.key else gettext("none")
        except ModelUnavailable:
            return gettext("cannot be read: enter it again")

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).prefetch_related("models")

    @hides_key
    def changeform_view(self, *args, **kwargs):
        return super().changeform_view(*args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Endpoint, form: EndpointForm, change) -> None:
        super().save_model(request, obj, form, change)
        if "base_url" in form.changed_data:
            obj.models.update(found=None)

    def response_add(self, request: HttpRequest, obj: Endpoint, *args) -> HttpResponse:
        return self.test_answer(request, obj) or super().response_add(request, obj, *args)

    def response_change(self, request: HttpRequest, obj: Endpoint) -> HttpResponse:
        return self.test_answer(request, obj) or super().response_change(request, obj)

    def test_answer(self, request: HttpRequest, endpoint: Endpoint) -> HttpResponse | None:
        """Where the test of the connection can be read, if it is asked for."""
        if "_test" not in request.POST:
            return None
        # Nobody else can write while the transaction waits, and an endpoint takes its time.
        transaction.on_commit(partial(report, request, endpoint))
        return redirect("admin:endpoints_endpoint_change", endpoint.pk)


def report(request: HttpRequest, endpoint: Endpoint) -> None:
    """Test the connection, as it is saved, and say how it went."""
    results = list(testing.tested(endpoint))
    for model, found in results:
        messages.add_message(request, level(found), f"“{model}” {told(found)}")
    if not results:
        messages.warning(request, _("There is no enabled model to ask."))


def level(found: Probed) -> int:
    if not found.works:
        return messages.ERROR
    return messages.SUCCESS if found.calls else messages.WARNING


def told(found: Probed) -> str:
    """How a test went; why it failed is said as in the runs that would fail."""
    if not found.works:
        return wording.told(found.said)
    said = [gettext("answers in %(seconds).1f s") % {"seconds": found.seconds}]
    said.append(gettext("calls tools") if found.calls else gettext("called no tool: little works"))
    if found.sees is not None:
        said.append(gettext("sees pictures") if found.sees else gettext("sees no pictures"))
    return " · ".join(said)
