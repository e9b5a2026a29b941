"""Combinations of settings that would start and then fail, or be unsafe."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connection

from agent.errors import ModelUnavailable
from agent.models.prices import Prices
from agent.prompts import BrokenPrompt
from agent.sandbox.confinement import Confinement
from agent.sandbox.mirrors import Mirrors
from studio import env, media
from studio.endpoints.choices import from_settings, settings_catalogue
from studio.endpoints.models import Endpoint
from studio.runs.guides import own_prompts


@register
def hosts(app_configs, **kwargs) -> list[CheckMessage]:
    """The app's hosts are listed one by one, and none of them is an artifact host."""
    problems: list[CheckMessage] = []
    suffix = "." + settings.ARTIFACT_HOST
    for host in settings.ALLOWED_HOSTS:
        if host.startswith(("*", ".")):
            problems.append(
                Error(
                    f"STUDIO_HOSTS contains the pattern {host!r}.",
                    hint="List each host name: these hosts may embed and read artifacts.",
                    id="studio.E001",
                )
            )
        elif host == settings.ARTIFACT_HOST or host.endswith(suffix):
            problems.append(
                Error(
                    f"STUDIO_HOSTS contains {host!r}, which is an artifact host.",
                    hint="Produced files must never share an origin with the app.",
                    id="studio.E002",
                )
            )
    return problems


@register
def model(app_configs, **kwargs) -> list[CheckMessage]:
    """The environment names whole models or none."""
    try:
        settings_catalogue()
    except ModelUnavailable as error:
        return [Error(str(error), hint="See docs/settings.md.", id="studio.E003")]
    return []


@register(Tags.database)
def endpoints(app_configs, databases=None, **kwargs) -> list[CheckMessage]:
    """What was entered in the administration can be used."""
    if not databases or "endpoints_endpoint" not in connection.introspection.table_names():
        return []  # Before the first migration.
    problems: list[CheckMessage] = []
    hidden = {offer.endpoint.name for offer in from_settings().offers}
    for endpoint in Endpoint.objects.filter(enabled=True):
        if endpoint.name in hidden:
            problems.append(
                Warning(
                    f"The endpoint {endpoint.name!r} is in the settings and in the administration.",
                    hint="That of the settings is used; give the other one another name.",
                    id="studio.W003",
                )
            )
        try:
            endpoint.key  # noqa: B018  reading is what may fail
        except ModelUnavailable as error:
            problems.append(Warning(str(error), id="studio.W004"))
    return problems


@register
def costs(app_configs, **kwargs) -> list[CheckMessage]:
    """What a limit of money is for costs something."""
    if settings.RUN_COST is None and settings.DAY_COST is None:
        return []
    free = [offer.id for offer in from_settings().offers if offer.prices == Prices()]
    if not free:
        return []
    return [
        Warning(
            f"STUDIO_RUN_COST or STUDIO_DAY_COST is set, but {', '.join(free)} has no prices.",
            hint="What it takes counts as nothing: set its prices, or limit the tokens.",
            id="studio.W005",
        )
    ]


@register
def prompts(app_configs, **kwargs) -> list[CheckMessage]:
    """The operator's prompts can be used."""
    try:
        own_prompts()
    except BrokenPrompt as error:
        hint = "See docs/prompts.md."
        return [Error(f"STUDIO_PROMPTS: {error}", hint=hint, id="studio.E006")]
    return []


@register
def sandboxes(app_configs, **kwargs) -> list[CheckMessage]:
    """A sandbox can fill its disk without running out of memory, and a workshop can be used."""
    problems: list[CheckMessage] = []
    has = Confinement(memory=settings.SANDBOX_MEMORY, workspace=settings.SANDBOX_DISK)
    if has.workspace + has.tmp >= has.memory:
        problems.append(
            Error(
                "STUDIO_SANDBOX_DISK is not less than three quarters of STUDIO_SANDBOX_MEMORY.",
                hint="The files of a sandbox are in its memory, of which /tmp has a quarter: who "
                "fills the disk would be stopped for lack of memory first.",
                id="studio.E004",
            )
        )
    if settings.SANDBOX_PROFILE == "workshop" and settings.NETWORKS == ["none"]:
        problems.append(
            Warning(
                "STUDIO_PROFILE is workshop, but STUDIO_NETWORKS has nothing but none.",
                hint="Without a network no system software can be installed: set "
                "STUDIO_NETWORKS=packages, or leave STUDIO_PROFILE as it is.",
                id="studio.W002",
            )
        )
    return problems


@register
def mirrors(app_configs, **kwargs) -> list[CheckMessage]:
    """Sandboxes can and may use the package indexes that are named."""
    try:
        Mirrors(
            pip=settings.MIRROR_PIP,
            npm=settings.MIRROR_NPM,
            apt=settings.MIRROR_APT,
            hosts=tuple(settings.MIRROR_HOSTS),
        )
    except ValueError as error:
        return [Error(f"STUDIO_MIRROR_…: {error}.", hint="See docs/settings.md.", id="studio.E005")]
    return []


@register
def bucket(app_configs, **kwargs) -> list[CheckMessage]:
    """Who wants a bucket says which, and it can be used."""
    keys = [env.text("AWS_ACCESS_KEY_ID"), env.text("AWS_SECRET_ACCESS_KEY")]
    problem = ""
    if not settings.S3_BUCKET:
        if settings.S3_ENDPOINT or settings.S3_REGION:
            problem = "STUDIO_S3_ENDPOINT or STUDIO_S3_REGION is set, but STUDIO_S3_BUCKET is not."
    elif any(keys) and not all(keys):
        problem = "Of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY only one is set."
    if problem:
        return [Error(problem, hint="See docs/settings.md.", id="studio.E007")]
    if not settings.S3_BUCKET:
        return []
    try:
        media.bucket().reach()
    except (OSError, ValueError) as error:
        return [
            Error(
                f"The bucket {settings.S3_BUCKET!r} can't be used: {error}",
                hint="Look at STUDIO_S3_BUCKET, STUDIO_S3_ENDPOINT, STUDIO_S3_REGION and the keys; "
                "the bucket must exist, and its objects may be listed, read, written and deleted.",
                id="studio.E008",
            )
        ]
    return []


@register
def identity_provider(app_configs, **kwargs) -> list[CheckMessage]:
    """Who names an identity provider names all of it, and nobody can speak in its name."""
    about = settings.OIDC_PROVIDER
    issuer = urlsplit(settings.OIDC_ISSUER)
    if not settings.OIDC_ISSUER:
        problem = "STUDIO_OIDC_ISSUER is not set" if about["client_id"] else ""
    elif not (about["client_id"] and about["secret"]):
        problem = "STUDIO_OIDC_CLIENT_ID or STUDIO_OIDC_CLIENT_SECRET is not set"
    elif issuer.scheme != "https" and issuer.hostname not in ("localhost", "127.0.0.1"):
        # What it tells of people is believed because it came from there.
        problem = "STUDIO_OIDC_ISSUER is not an https address"
    else:
        problem = ""
    if not problem:
        return []
    return [
        Error(
            f"{problem}, so nobody can sign in through it.",
            hint="See “Signing in elsewhere” in docs/settings.md.",
            id="studio.E009",
        )
    ]


@register(deploy=True)
def secure_cookies(app_configs, **kwargs) -> list[CheckMessage]:
    """Whoever is reachable under a public name should be so through HTTPS only."""
    local = {"localhost", "127.0.0.1", "[::1]"}
    if settings.HTTPS or set(settings.ALLOWED_HOSTS) <= local:
        return []
    return [
        Warning(
            "STUDIO_HOSTS has public names, but STUDIO_HTTPS is not set.",
            hint="Put an HTTPS proxy in front and set STUDIO_HTTPS=1.",
            id="studio.W001",
        )
    ]
