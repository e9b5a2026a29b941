"""What went wrong with an endpoint, in words that say what to do and hold no secret."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2

from agent.errors import ContextOverflow, ModelUnavailable
from agent.models.answer import ProviderError
from agent.models.masking import masked
from agent.models.retrying import Trouble, retry_after

REASON_CHARS, DETAIL_CHARS = 300, 10_000
BUSY = frozenset({429, 503, 529})
PASSING = frozenset({408, 409, 425, 429})
LASTING = frozenset({501, 505})
# What an error within an answer, which has no status, says when it passes.
OVERLOADED = re.compile(
    r"overload|rate.?limit|too many requests|capacity|unavailable|try again|timed? ?out"
    r"|server.?error|internal error",
    re.IGNORECASE,
)
# A 429 of this kind does not pass by waiting.
SPENT = re.compile(
    r"insufficient[ _](quota|balance|credits?|funds)|billing_hard_limit|no credits?\b",
    re.IGNORECASE,
)


class Refusal(ProviderError):
    """An answer with another status than that of an answer; the message is its whole text."""

    def __init__(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        super().__init__(status, body.decode("utf-8", "replace").strip())
        self.after = retry_after(headers)
        self.final = headers.get("x-should-retry") == "false"


class Failures:
    """Makes errors of what happened with the model `name` at `where`."""

    def __init__(self, where: str, name: str, secrets: Sequence[str]) -> None:
        self._where, self._name, self._secrets = where, name, secrets

    def refused(self, error: ProviderError, *, overflow: bool) -> Exception:
        """The endpoint said why not."""
        message = self._refusal(error.status, error.message)
        if overflow:
            return ContextOverflow(message)
        if getattr(error, "final", False) or not _passes(error):
            return ModelUnavailable(message)
        busy = error.status in BUSY or error.status is None
        return Trouble("busy" if busy else "error", message, after=getattr(error, "after", None))

    def web_page(self) -> ModelUnavailable:
        """The answer was no answer of an API."""
        return ModelUnavailable(
            f"{self._where} answered with a web page; does the address end in /v1? "
            "Check the address (OPENAI_BASE_URL)."
        )

    def broken(self, error: Exception | None, came: bytes) -> Exception:
        """The answer, of which this came first, did not come to its end, or there was none."""
        where = self._where
        detail = f" ({self._hidden(str(error))})" if error and str(error) else ""
        match error:
            case httpx2.ConnectError() if "CERTIFICATE_VERIFY_FAILED" in str(error):
                return ModelUnavailable(f"{where} has a certificate that is not trusted.{detail}")
            case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.ProxyError():
                return Trouble(
                    "connection",
                    f"{where} cannot be reached. Check the address (OPENAI_BASE_URL) and that it "
                    f"runs.{detail}",
                )
            case httpx2.TimeoutException():
                return Trouble(
                    "connection",
                    f"{where} {'fell silent' if came else 'did not answer'} for too long. "
                    "Try again later.",
                    broken=True,
                    begun=bool(came),
                )
            case httpx2.TooManyRedirects() | httpx2.UnsupportedProtocol():
                return ModelUnavailable(
                    f"{where} leads nowhere: {self._hidden(str(error))} "
                    "Check the address (OPENAI_BASE_URL)."
                )
            case ValueError():
                said = self._hidden(came.decode("utf-8", "replace"))
                message = f"{where} sent what is no answer: {said}"
                return Trouble("connection", message, broken=True, begun=True)
        return Trouble(
            "connection",
            f"{where} broke off its answer, again and again. Try again later.{detail}",
            broken=True,
            begun=bool(came),
        )

    def _refusal(self, status: int | None, said: str) -> str:
        where, detail = self._where, self._hidden(_reason(said))
        match status:
            case 401 | 403:
                return f"{where} refused the key. Check it (OPENAI_API_KEY). ({detail})"
            case 402:
                return f"{where} wants to be paid. Check the account's credit. ({detail})"
            case 404 | 405 if said.startswith("<"):
                return str(self.web_page())
            case 404:
                return (
                    f"{where} knows no model {self._name!r}. Check the name (STUDIO_MODEL), and "
                    f"whether the address ends in /v1. ({detail})"
                )
            case 429 if SPENT.search(said):
                return f"{where} says the quota is used up. Check the account's credit. ({detail})"
            case 429 | 503 | 529:
                return f"{where} is busy or the quota is used up. Try again later. ({detail})"
        return f"{where} answered with an error: {detail}"

    def _hidden(self, said: str) -> str:
        return masked(said[:DETAIL_CHARS], self._secrets)[:REASON_CHARS]


def _passes(error: ProviderError) -> bool:
    """Whether the same request may be answered later."""
    if SPENT.search(error.message):
        return False
    if error.status is None:
        return bool(OVERLOADED.search(error.message))
    return error.status in PASSING or (error.status >= 500 and error.status not in LASTING)


def _reason(text: str) -> str:
    """What an error says, whatever its shape."""
    if text.startswith("<"):
        title = re.search(r"<title[^>]*>([^<]*)", text, re.IGNORECASE)
        return html.unescape(title[1] if title else re.sub(r"<[^>]*>", " ", text)).strip()
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(found, list) and found:
        found = found[0]
    error = found.get("error", found) if isinstance(found, dict) else found
    if not isinstance(error, dict):
        return error if isinstance(error, str) else text
    said = error.get("message") or error.get("detail")
    if not isinstance(said, str):
        return text
    code = error.get("code") or error.get("type")
    return f"{said} ({code})" if isinstance(code, str) and code not in said else said
