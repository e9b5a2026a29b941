"""What the API tells and takes, field by field; the OpenAPI document is made from it."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema, UploadedFile
from pydantic import AfterValidator, Field, StringConstraints
from pydantic.json_schema import SkipJsonSchema

from studio.api.models import URL_LENGTH
from studio.projects.requests import PROMPT_CHARS
from studio.runs.journal import storable

# Something in it is neither blank nor invisible.
SAID = r"[^\s\x00-\x1f]"
# Databases refuse some characters that JSON allows.
STORABLE = AfterValidator(storable)
Prompt = Annotated[
    str,
    # Described here and checked where the pages' forms are, which say in words what is wrong.
    Field(
        description="What to make.",
        json_schema_extra={"minLength": 1, "maxLength": PROMPT_CHARS, "pattern": SAID},
    ),
]
Status = Literal["queued", "running", "paused", "ended"]
Network = Literal["none", "packages", "open"]
Verdict = Literal["passed", "warned", "failed", "unknown"]


# A form has no null: what it does not say is left out.
LeftOut = SkipJsonSchema[None]


def without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


# Forms are described with these and read by `studio.projects.requests`, as those of pages are.
NO_FILES: list[UploadedFile] = []


class NewRun(Schema):
    """A request; files come beside it as `files`."""

    prompt: Prompt
    network: Network | LeftOut = Field(
        None,
        description="What the sandbox reaches; else as before.",
        json_schema_extra=without_default,
    )
    model: str | LeftOut = Field(
        None,
        description="One of those that `/me` lists; else as before.",
        json_schema_extra=without_default,
    )


class Project(Schema):
    id: str
    title: str
    network: Network
    model: str = Field(description="Empty for the usual one.")
    role: Literal["viewer", "editor", "owner"] = Field(description="What you are in it.")
    created: datetime
    updated: datetime
    url: str = Field(description="Its page.")


class Rename(Schema):
    title: Annotated[str, StringConstraints(pattern=SAID, max_length=500), STORABLE] = Field(
        description="Cut off after 80 characters."
    )


class Pause(Schema):
    """What a paused run asks."""

    question: str
    allowance: str


class Run(Schema):
    id: uuid.UUID
    project: str
    number: int = Field(description="Counts from 1 in its project.")
    prompt: str
    status: Status
    reason: str = Field(description="Why it paused or ended, such as `submitted`.")
    message: str = Field(description="The same in words.")
    summary: str = Field(description="What the model said in the end.")
    model: str
    stopping: bool
    queue_position: int | None = Field(description="1 for the next one to start.")
    pause: Pause | None
    created: datetime
    started: datetime | None
    paused: datetime | None
    ended: datetime | None
    turns: int
    tokens_in: int
    tokens_out: int
    tokens_cached: int = Field(description="Of those that went in.")
    cost: float
    last_seq: int = Field(description="The number of its last event.")
    url: str = Field(description="The page of its project.")


class Made(Schema):
    """A new project and its first run."""

    project: Project
    run: Run


class Event(Schema):
    seq: int
    kind: str = Field(examples=["artifact.saved"])
    at: datetime
    data: dict[str, Any]


class Events(Schema):
    """The next events, and where the run is."""

    events: list[Event]
    run: dict[str, Any]


class Artifact(Schema):
    id: int
    project: str
    path: str = Field(description="A label, chosen by the model: never open it as it is.")
    kind: str
    size: int
    version: int
    digest: str = Field(description="SHA-256 of the newest version.")
    removed: bool
    updated: datetime
    verdict: Verdict = Field(description="What the checks found.")
    url: str = Field(description="Its page.")
    download: str


class Remark(Schema):
    level: str = Field(description="`fail`, `warn`, or `unknown` where nobody could look.")
    text: str


class Check(Schema):
    """What was found by looking into a version."""

    state: Literal["waiting", "running", "done", "given_up"]
    verdict: Verdict
    media_type: str
    facts: dict[str, Any] = Field(description="Such as pixels, seconds and pages.")
    remarks: list[Remark]


class Version(Schema):
    number: int
    digest: str
    size: int
    media_type: str
    created: datetime
    run: uuid.UUID | None = Field(description="The run that made it; null if its owner did.")
    made: str = Field(description="How it came about.")
    check: Check | None
    download: str


class ArtifactWithVersions(Artifact):
    versions: list[Version] = Field(description="The newest first.")


class Input(Schema):
    id: int
    name: str
    size: int
    digest: str
    created: datetime
    download: str


class Usage(Schema):
    used: int
    most: int | None = Field(description="Null where there is no limit.")


class Day(Schema):
    """What was spent since midnight UTC."""

    tokens: int
    most_tokens: int | None
    cost: float
    most_cost: float | None
    currency: str


class ModelChoice(Schema):
    id: str
    title: str
    value: str = Field(description="What to send as `model`; empty for the usual one.")


class Me(Schema):
    username: str
    token: str = Field(description="The name of the token that asks.")
    scope: Literal["read", "write"]
    expires: datetime | None
    bytes: Usage
    day: Day
    models: list[ModelChoice] = Field(description="Empty where there is no choice.")
    networks: list[Network]


class NewWebhook(Schema):
    url: Annotated[str, StringConstraints(max_length=URL_LENGTH), STORABLE] = Field(
        description="An https address that the studio can reach.",
        json_schema_extra={"format": "uri"},
    )


class ChangeWebhook(Schema):
    active: bool


class Webhook(Schema):
    id: int
    url: str
    active: bool
    created: datetime


class WebhookWithSecret(Webhook):
    secret: str = Field(description="For checking signatures. It is told this once.")


class Delivery(Schema):
    id: uuid.UUID = Field(description="The `webhook-id` of all its attempts.")
    run: uuid.UUID
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    due: datetime | None = Field(description="When it is tried next.")
    answer: int | None = Field(description="The status that came back last.")
    problem: str
    created: datetime
