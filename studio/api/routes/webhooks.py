from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Router, Status

from studio.api import hooks, schemas, showing
from studio.api.models import Webhook
from studio.api.tokens import Request

router = Router(tags=["Webhooks"])


@router.get("", response=list[schemas.Webhook], summary="List webhooks")
def list_webhooks(request: Request):
    return [showing.webhook(row) for row in request.user.webhooks.all()]


@router.post("", response={201: schemas.WebhookWithSecret}, summary="Add a webhook")
def create_webhook(request: Request, body: schemas.NewWebhook):
    """An address that gets a `POST` with each run that ends in a project you can see.

    Signed as Standard Webhooks has it, and tried again for some hours if it does not answer 2xx.
    """
    row, secret = hooks.add(request.user, body.url)
    return Status(201, showing.webhook(row) | {"secret": secret})


@router.get("/{int:webhook_id}", response=schemas.Webhook, summary="Get a webhook")
def get_webhook(request: Request, webhook_id: int):
    return showing.webhook(webhook_of(request, webhook_id))


@router.patch("/{int:webhook_id}", response=schemas.Webhook, summary="Switch a webhook on or off")
def change_webhook(request: Request, webhook_id: int, body: schemas.ChangeWebhook):
    row = webhook_of(request, webhook_id)
    row.active = body.active
    row.save(update_fields=["active"])
    return showing.webhook(row)


@router.delete("/{int:webhook_id}", response={204: None}, summary="Delete a webhook")
def delete_webhook(request: Request, webhook_id: int) -> HttpResponse:
    webhook_of(request, webhook_id).delete()
    return HttpResponse(status=204)


@router.get(
    "/{int:webhook_id}/deliveries", response=list[schemas.Delivery], summary="See deliveries"
)
def list_deliveries(request: Request, webhook_id: int):
    """The last 50, the newest first."""
    return [showing.delivery(row) for row in webhook_of(request, webhook_id).deliveries.all()]


def webhook_of(request: Request, webhook_id: int) -> Webhook:
    return get_object_or_404(request.user.webhooks, pk=webhook_id)
