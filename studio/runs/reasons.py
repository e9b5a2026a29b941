"""Why a run ended, in words for the person who asked for it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from agent.events import Reason
from studio import wording

# Where the reason says it all. Otherwise the agent's own words tell what to mend.
SENTENCES = {
    Reason.STOPPED: _("You stopped it. Everything made so far is kept."),
    Reason.NO_RESULT: _("The model ended without a file or an answer. Ask in other words."),
    Reason.TURN_LIMIT: _("All turns of this run are used up. Ask to go on: the files are kept."),
    Reason.TIME_LIMIT: _("The time of this run is used up. Ask to go on: the files are kept."),
    Reason.TOKEN_LIMIT: _("All tokens of this run are used up. Ask to go on: the files are kept."),
    Reason.COST_LIMIT: _("This run cost what one run may cost. Ask to go on: the files are kept."),
    Reason.DAY_LIMIT: _("The day’s budget was used up. Everything made so far is kept."),
    Reason.REPEATING: _(
        "The model kept doing the same with the same result. Ask in other words: "
        "the files are kept."
    ),
    Reason.INTERRUPTED: _(
        "The studio stopped working on this. Everything made so far is kept; please try again."
    ),
    Reason.CRASHED: _(
        "Something went wrong in the studio itself. Everything made so far is kept; "
        "please try again."
    ),
}


QUESTIONS = {
    Reason.TURN_LIMIT: _("All turns of this run are used up."),
    Reason.TIME_LIMIT: _("The time of this run is used up."),
    Reason.TOKEN_LIMIT: _("The tokens of this run are used up."),
    Reason.COST_LIMIT: _("This run has cost what one run may cost."),
    Reason.DAY_LIMIT: _("The day’s budget is used up."),
    Reason.REPEATING: _("The model keeps doing the same with the same result."),
}


def explanation(reason: str, message: str) -> str:
    """A sentence in the reader's language, as far as there is one."""
    if reason in SENTENCES:
        return str(SENTENCES[Reason(reason)])
    return wording.told(message)


def question(reason: str) -> str:
    """Why a run has paused, in the reader's language."""
    return str(QUESTIONS[Reason(reason)])
