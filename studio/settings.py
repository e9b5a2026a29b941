"""Django settings. Everything that an installation may change is an environment variable.

They are described in docs/settings.md.
"""

import hashlib
import os
import secrets
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from studio import env

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env.text("STUDIO_VAR", str(BASE_DIR / "var"))).resolve()
for folder in (VAR, VAR / "media", VAR / "run", VAR / "tmp"):
    folder.mkdir(parents=True, exist_ok=True)


def kept_secret(path: Path) -> str:
    """The secret in a file, made on first use; two processes that start together agree on one."""
    if not path.exists():
        new = path.with_name(f"{path.name}.{os.getpid()}")
        new.touch(mode=0o600)
        new.write_text(secrets.token_urlsafe(48))
        try:
            os.link(new, path)
        except FileExistsError:
            pass
        finally:
            new.unlink()
    return path.read_text().strip()


DEBUG = env.flag("STUDIO_DEBUG")
SECRET_KEY = env.text("STUDIO_SECRET_KEY") or kept_secret(VAR / "secret-key")
# Who labels a container: the same for all workers of one installation, unlike for any other.
INSTALLATION = hashlib.sha256(f"installation {SECRET_KEY}".encode()).hexdigest()[:12]

# Hosts of the app itself; artifacts have hosts of their own and never reach Django.
ALLOWED_HOSTS = env.words("STUDIO_HOSTS", "localhost,127.0.0.1,[::1]")
ARTIFACT_HOST = env.text("STUDIO_ARTIFACT_HOST", "artifacts.localhost").lower()
# Where nginx has the files of MEDIA, for us alone to point to.
ACCEL = env.prefix("STUDIO_ACCEL")

INSTALLED_APPS = [
    "studio.operations.apps.StudioAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_htmx",
    "studio.accounts.apps.AccountsConfig",
    "studio.projects",
    "studio.people.apps.PeopleConfig",
    "studio.runs",
    "studio.artifacts",
    "studio.inspections",
    "studio.library.apps.LibraryConfig",
    "studio.notices",
    "studio.sharing.apps.SharingConfig",
    "studio.starting.apps.StartingConfig",
    "studio.api.apps.ApiConfig",
    "studio.endpoints.apps.EndpointsConfig",
    "studio.operations.apps.OperationsConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "studio.web.OwnAgentCluster",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "studio.web.readers_zone",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "studio.accounts.seen.LastSeen",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "studio.error_pages.NotAllowedPage",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "studio.urls"
ASGI_APPLICATION = "studio.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "studio.accounts.context.accounts",
            ],
        },
    },
]

# Database

DATABASES = {
    "default": dj_database_url.parse(
        env.text("DATABASE_URL", f"sqlite:///{VAR / 'studio.sqlite3'}"), conn_health_checks=True
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # A transaction that means to write says so first, or two of them meet in "locked".
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Broker, channel layer, cache

REDIS_URL = env.text("REDIS_URL", f"unix://{VAR / 'run' / 'valkey.sock'}")

CHANNEL_LAYERS = {
    "default": {
        # Publish and subscribe keeps nothing: right for nudges, which may be lost.
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_connect_timeout": 2}]},
    }
}
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
}

PROMPTS = env.text("STUDIO_PROMPTS")
RECORD = env.text("STUDIO_RECORD")

# What a run may spend before it asks whether to go on, and what all runs of a user may in a day.

RUN_TURNS = env.integer("STUDIO_RUN_TURNS", 100)
RUN_SECONDS = env.integer("STUDIO_RUN_SECONDS", 1800)
RUN_TOKENS = env.limit("STUDIO_RUN_TOKENS")
RUN_COST = env.amount("STUDIO_RUN_COST")
DAY_TOKENS = env.limit("STUDIO_DAY_TOKENS")
DAY_COST = env.amount("STUDIO_DAY_COST")
CURRENCY = env.currency("STUDIO_CURRENCY", "USD")

# How many requests of the API a user has in a minute.
API_RATE = env.integer("STUDIO_API_RATE", 300)
# Whether webhooks may go to addresses that only this machine or its network can reach.
WEBHOOK_PRIVATE = env.flag("STUDIO_WEBHOOK_PRIVATE")

# Sandboxes: what the operator decides for all runs; of these a project chooses its network only.

# The first one is what new projects have.
NETWORKS = env.choices("STUDIO_NETWORKS", "none", ("none", "packages", "open"))
SANDBOX_PROFILE = env.choice("STUDIO_PROFILE", "sealed", ("sealed", "workshop"))
SANDBOX_MEMORY = env.size("STUDIO_SANDBOX_MEMORY", "4G", least="512M")
SANDBOX_DISK = env.size("STUDIO_SANDBOX_DISK", "2G", least="64M")
SANDBOX_CPUS = env.number("STUDIO_SANDBOX_CPUS", 2, least=0.1)
MIRROR_PIP = env.address("STUDIO_MIRROR_PIP")
MIRROR_NPM = env.address("STUDIO_MIRROR_NPM")
MIRROR_APT = env.address("STUDIO_MIRROR_APT")
MIRROR_HOSTS = env.words("STUDIO_MIRROR_HOSTS", "")
WARM_SANDBOXES = env.integer("STUDIO_WARM", 2, least=0)

# How many files are looked into at once, each in a sandbox of its own.
INSPECTIONS = env.integer("STUDIO_INSPECTIONS", 2)

# Whether the studio makes the results of its starting points while nobody asks for anything.
STARTING_POINTS = env.flag("STUDIO_STARTING_POINTS", default=True)

# Accounts

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SIGNUP = env.choice("STUDIO_SIGNUP", "closed", ("closed", "invited", "open"))
ACCOUNT_ADAPTER = "studio.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "studio.accounts.forms.SignInForm"}
ACCOUNT_LOGIN_METHODS = {"email", "username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# The letters name the studio themselves.
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# An identity provider that people may sign in with, besides their password.
OIDC_ISSUER = env.address("STUDIO_OIDC_ISSUER").rstrip("/")
OIDC_ORIGIN = "/".join(OIDC_ISSUER.split("/")[:3])
OIDC_DOMAINS = [domain.lower() for domain in env.words("STUDIO_OIDC_DOMAINS", "")]
OIDC_PROVIDER = {
    "provider_id": "oidc",
    "name": env.text("STUDIO_OIDC_NAME", "OpenID Connect"),
    "client_id": env.text("STUDIO_OIDC_CLIENT_ID"),
    "secret": env.text("STUDIO_OIDC_CLIENT_SECRET"),
    "settings": {"server_url": OIDC_ISSUER},
}
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [OIDC_PROVIDER] if OIDC_ISSUER else [],
        "OAUTH_PKCE_ENABLED": True,
    }
}
# `studio.accounts.seen` keeps it.
USERSESSIONS_TRACK_ACTIVITY = True
SOCIALACCOUNT_ADAPTER = "studio.accounts.adapter.ProviderAdapter"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "start"
# Without a mail server, as on a small installation, password letters are printed in the web's log.
MAIL = env.mail("STUDIO_MAIL")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if MAIL else 'console'}.EmailBackend"
if MAIL:
    EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
    EMAIL_USE_SSL, EMAIL_USE_TLS = MAIL.encrypted, not MAIL.encrypted and bool(MAIL.user)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("STUDIO_MAIL_FROM", "studio@localhost")
# The services of browsers' makers, by which they are told while no page is open.
PUSH_SERVICES = env.words(
    "STUDIO_PUSH_SERVICES",
    "fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com",
)

HTTPS = env.flag("STUDIO_HTTPS")
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
if HTTPS:
    # Browsers take cookies of these names from this very host only: an artifact on a host of the
    # same domain can't plant one. (They let no page set a cookie for all of localhost.)
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
SESSION_COOKIE_AGE = 90 * 24 * 3600

# What browsers may do

# The port is the one of the page: artifacts and the app share it.
ARTIFACT_ORIGINS = f"*.{ARTIFACT_HOST}:*"
# A bucket for files instead of the folder MEDIA, which then has only what is on its way there.
S3_BUCKET = env.text("STUDIO_S3_BUCKET")
S3_ENDPOINT = env.address("STUDIO_S3_ENDPOINT").rstrip("/")
S3_REGION = env.text("STUDIO_S3_REGION")
# Where it gives its files to browsers.
BUCKET_SOURCE = (
    f"{S3_ENDPOINT}/{S3_BUCKET}/" if S3_ENDPOINT else f"https://{S3_BUCKET}.s3.amazonaws.com/"
)
MEDIA_ORIGINS = [ARTIFACT_ORIGINS, BUCKET_SOURCE] if S3_BUCKET else [ARTIFACT_ORIGINS]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "img-src": [SELF, "data:", *MEDIA_ORIGINS],
        "media-src": [SELF, *MEDIA_ORIGINS],
        "frame-src": [ARTIFACT_ORIGINS],
        "object-src": [NONE],
        "connect-src": [SELF, ARTIFACT_ORIGINS],
        "manifest-src": [SELF],
        # Browsers look at where a form leads in the end: to sign-in, at the provider.
        "form-action": [SELF, *([OIDC_ORIGIN] if OIDC_ISSUER else [])],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Uploads

UPLOAD_FILES = 20
UPLOAD_BYTES = 200 * 2**20
FILE_UPLOAD_HANDLERS = ["studio.projects.uploads.UploadHandler"]
# One more than allowed reaches the view, which can say so in words; Django's own limit can't.
DATA_UPLOAD_MAX_NUMBER_FILES = 200
# What all files of a user may take: those they gave, those their runs made, and workspaces.
USER_BYTES = env.room("STUDIO_USER_BYTES", "20G", least="64M")

# Languages, files

USE_TZ = True
USE_I18N = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]

MEDIA = VAR / "media"
STATIC_URL = "static/"
STATICFILES_DIRS = [
    BASE_DIR / "static",
    ("ansi-sequence-parser", BASE_DIR / "node_modules" / "ansi-sequence-parser" / "dist"),
    ("diff", BASE_DIR / "node_modules" / "diff" / "libesm"),
    ("htmx", BASE_DIR / "node_modules" / "htmx.org" / "dist"),
    ("papaparse", BASE_DIR / "node_modules" / "papaparse"),
    ("fonts", BASE_DIR / "node_modules" / "@fontsource-variable"),
    ("highlight", BASE_DIR / "node_modules" / "@highlightjs" / "cdn-assets" / "es"),
    ("markdown-it", BASE_DIR / "node_modules" / "markdown-it" / "dist" / "browser"),
    ("dompurify", BASE_DIR / "node_modules" / "dompurify" / "dist"),
    *(
        (f"pdfjs/{part}", BASE_DIR / "node_modules" / "pdfjs-dist" / part)
        for part in ("build", "cmaps", "standard_fonts", "wasm")
    ),
    ("three/build", BASE_DIR / "node_modules" / "three" / "build"),
    *(
        (f"three/addons/{part}", BASE_DIR / "node_modules" / "three" / "examples" / "jsm" / part)
        for part in ("controls", "environments", "loaders", "utils")
    ),
]
WHITENOISE_USE_FINDERS = True

LOG_LEVEL = env.choice("STUDIO_LOG_LEVEL", "info", ("debug", "info", "warning", "error"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "agent": {"level": LOG_LEVEL.upper()},
        "studio": {"level": LOG_LEVEL.upper()},
        # Anybody can send any host name; it is answered with 400 and no news.
        "django.security.DisallowedHost": {"handlers": [], "propagate": False},
    },
}
