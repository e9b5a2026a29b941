"""What rows keep in English, in the reader's language.

The agent, its sandbox and the workers speak English into events and rows, which nobody's language
may change. A sentence is known by its words; who has none for it shows it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from django.utils.translation import gettext, gettext_noop

# Of two that fit, the first one counts.
SENTENCES: Sequence[str] = (
    gettext_noop("%(before)s The workspace could not be kept: %(reason)s"),
    gettext_noop("The workspace could not be kept: %(reason)s"),
    gettext_noop("The workspace could not be prepared: %(reason)s"),
    # The model
    gettext_noop(
        "%(where)s answered with a web page; does the address end in /v1? "
        "Check the address (OPENAI_BASE_URL)."
    ),
    gettext_noop("%(where)s has a certificate that is not trusted.%(detail)s"),
    gettext_noop(
        "%(where)s cannot be reached. Check the address (OPENAI_BASE_URL) and that it "
        "runs.%(detail)s"
    ),
    gettext_noop("%(where)s fell silent for too long. Try again later."),
    gettext_noop("%(where)s did not answer for too long. Try again later."),
    gettext_noop("%(where)s leads nowhere: %(detail)s Check the address (OPENAI_BASE_URL)."),
    gettext_noop("%(where)s sent what is no answer: %(text)s"),
    gettext_noop("%(where)s broke off its answer, again and again. Try again later.%(detail)s"),
    gettext_noop("%(where)s refused the key. Check it (OPENAI_API_KEY). (%(detail)s)"),
    gettext_noop("%(where)s wants to be paid. Check the account's credit. (%(detail)s)"),
    gettext_noop(
        "%(where)s knows no model %(model)s. Check the name (STUDIO_MODEL), and whether the "
        "address ends in /v1. (%(detail)s)"
    ),
    gettext_noop("%(where)s says the quota is used up. Check the account's credit. (%(detail)s)"),
    gettext_noop("%(where)s is busy or the quota is used up. Try again later. (%(detail)s)"),
    gettext_noop("%(where)s answered with an error: %(detail)s"),
    gettext_noop("The model's answer was longer than %(size)s MB and was cut."),
    gettext_noop("The model's answer had a line longer than %(size)s MB and was cut."),
    gettext_noop("The model's answer had an event longer than %(size)s MB."),
    gettext_noop("The model's answer was not complete after %(minutes)s min."),
    gettext_noop("The model ended its answer without a reply."),
    gettext_noop(
        "The conversation was made shorter, to about %(tokens)s tokens, and is still too long for "
        "the model. Set the model's window to what it takes. (%(detail)s)"
    ),
    gettext_noop(
        "The request alone takes about %(tokens)s tokens, and the model's window has %(window)s. "
        "Give long texts as files, or set or connect a larger window."
    ),
    gettext_noop(
        "The model's address leads to %(address)s, a link-local or metadata address, which is "
        "never asked. Check the endpoint's address (OPENAI_BASE_URL)."
    ),
    gettext_noop("OPENAI_API_KEY has characters that no key has. Copy it again."),
    gettext_noop("OPENAI_BASE_URL is no web address like https://example.org/v1."),
    gettext_noop("There is no model %(model)s. Choose one of %(known)s."),
    gettext_noop("No endpoint for %(model)s. Set OPENAI_API_KEY or OPENAI_BASE_URL."),
    gettext_noop("An endpoint is set but no model. Set STUDIO_MODEL or use --model."),
    gettext_noop("STUDIO_MODEL_SEES must be 1, 0 or auto."),
    gettext_noop("STUDIO_MODEL_WINDOW must be a number of tokens, at least %(least)s."),
    gettext_noop(
        "STUDIO_MODEL_PRICES must be input,output or input,output,cached: what a million tokens "
        "cost, such as 0.28,0.42,0.028."
    ),
    gettext_noop(
        "The key of the endpoint “%(name)s” cannot be read: STUDIO_SECRET_KEY is another one than "
        "when it was entered. Enter the key again in the administration."
    ),
    gettext_noop("%(path)s cannot be read: %(reason)s."),
    gettext_noop("%(model)s: the endpoint is busy, or the quota is used up."),
    gettext_noop("%(model)s: the endpoint answers with an error."),
    gettext_noop("%(model)s: the endpoint cannot be reached."),
    gettext_noop("%(model)s did not answer in time."),
    gettext_noop("%(model)s gave no answer."),
    # The sandbox
    gettext_noop(
        "No container engine answers (%(error)s). Start it (scripts/setup does), or set "
        "DOCKER_HOST."
    ),
    gettext_noop("%(error)s. Run %(command)s to build what sandboxes need."),
    gettext_noop("The container engine refused: %(error)s"),
    gettext_noop("The sandbox has not been started."),
    gettext_noop("The sandbox no longer answers."),
    gettext_noop("The sandbox sent more than it was asked for."),
    gettext_noop("The sandbox reported too many files."),
    gettext_noop("The sandbox did not stop its command."),
    gettext_noop("The sandbox did not answer within %(seconds)s s."),
    gettext_noop(
        "The sandbox image speaks protocol %(spoken)s, this program %(ours)s. "
        "Run scripts/build-image to build the right one."
    ),
    gettext_noop("The sandbox could not be set up: %(reason)s"),
    gettext_noop("The sandbox's stream broke: %(error)s"),
    gettext_noop("The sandbox answered without a proper %(field)s."),
    gettext_noop("The sandbox answered %(kind)s."),
    gettext_noop("The sandbox reported %(what)s."),
    gettext_noop("The sandbox is gone: %(error)s"),
    gettext_noop("The sandbox ended unexpectedly."),
    # Files that were not kept
    gettext_noop("The file %(path)s could not be stored (%(error)s). Free some disk space."),
    gettext_noop("it is hidden"),
    gettext_noop("its name looks like that of another file"),
    gettext_noop("there are more than %(number)s files"),
    gettext_noop("Its path is too long."),
    gettext_noop("there is no room left: your files may take %(most)s together"),
    gettext_noop("That is more than the limit of %(bytes)s bytes."),
    gettext_noop("it is %(kind)s, not a regular file"),
    gettext_noop("a symbolic link"),
    gettext_noop("a pipe"),
    gettext_noop("a socket"),
    gettext_noop("a device or folder"),
    gettext_noop("%(path)s is outside %(folder)s"),
    gettext_noop("%(path)s does not exist"),
    gettext_noop("%(path)s is a folder"),
    gettext_noop("%(path)s is or leads through a symbolic link; use its target"),
    gettext_noop("%(path)s leads through something that is not a real folder"),
    gettext_noop("%(path)s is not a regular file"),
    gettext_noop("the workspace is full, %(path)s was not written"),
    gettext_noop("%(path)s was written to while it was being read"),
    gettext_noop("the workspace has more than the limit of %(bytes)s bytes"),
    gettext_noop("the saved workspace cannot be unpacked: %(reason)s"),
    # What came of a webhook
    gettext_noop("Its secret can't be read any more. Make a new webhook."),
    gettext_noop("The webhook is switched off, or the project deleted."),
    gettext_noop("The last attempt was broken off."),
    gettext_noop("Its address is not allowed (any more)."),
    gettext_noop("It leads to an address that is not public."),
    gettext_noop("It did not answer within %(seconds)s s."),
    gettext_noop("It can't be reached: %(error)s."),
    gettext_noop("It answered %(status)s."),
)


def told(text: str) -> str:
    """A kept sentence, with what is filled into it, in the reader's language."""
    for sentence, pattern in _patterns():
        if found := pattern.fullmatch(text):
            values = {name: told(value) for name, value in found.groupdict().items()}
            return gettext(sentence) % values
    return text


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(sentence, _pattern(sentence)) for sentence in SENTENCES]


def _pattern(sentence: str) -> re.Pattern[str]:
    pattern = ""
    for place, part in enumerate(re.split(r"%\((\w+)\)s", sentence)):
        # Where an answer came from is one word: what an endpoint says is no sentence about it.
        value = r"\S+" if part == "where" else ".*"
        pattern += f"(?P<{part}>{value})" if place % 2 else re.escape(part)
    return re.compile(pattern, re.DOTALL)
