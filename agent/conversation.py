"""What the model is told besides the results of its calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from agent.events import (
    ContextCompacted,
    Event,
    ModelSpoke,
    ToolCall,
    ToolFinished,
    UserSteered,
)
from agent.inputs import Exchange
from agent.limits import Limits
from agent.models import Message, Reply
from agent.prompts import Prompts, built_in
from agent.sandbox.confinement import Confinement, Network
from sandbox_image import Profile

NUDGE = (
    "You called no tool. Go on with execute_bash or str_replace_editor, or call submit when the "
    "work in /workspace/output is finished and verified, or with the answer as its summary."
)
GIVEN = "\n- /workspace/input/"
CHOSEN = (
    "[The user chose the versions of these files that are in /workspace/output now; they may "
    "differ from what you left there: {names}]"
)
CHOSEN_NAMES = 20
STEERED = "[The user says this while you work. Take it in, and go on.]\n\n"
NOT_RUN = "Not run, or not to its end: the work was paused. Call again if it is still wanted."
SUMMARISE = (
    "[This conversation nearly fills what you can read at once. Call no tool now: write the "
    "summary that will stand for all of it but the user's request, in at most 800 words. Say what "
    "was decided and why, what was done and with what result, which files there are and what is "
    "in them, what failed and must not be tried again, and what is left to do.]"
)
GO_ON = (
    "[This is your summary of what was said and done so far, which is no longer here. The files in "
    "/workspace are as you left them. Go on from there.]"
)
MEANWHILE = "The user's words since the request:"
USER: Mapping[Profile, str] = {
    "sealed": "You are an ordinary user, without root; the system is read-only.",
    "workshop": "You are root, and may change the system; only `/workspace` is kept.",
}
INSTALLERS: Mapping[Profile, str] = {
    "sealed": "`pip install` and `npm install`",
    "workshop": "`apt-get install` (after `apt-get update`), `pip install` and `npm install`",
}
REACH: Mapping[Network, str] = {
    "none": "There is no network: nothing can be downloaded.",
    "packages": "Of the network you reach the package indexes, so {installers} work, and nothing "
    "else: no website, no API, no map tiles, no git.",
    "open": "There is a network; {installers} work.",
}


EYES = {
    True: "You see pictures: `look FILE`, `shoot` and `view` of a picture show them to you.",
    False: "You cannot see pictures: `look FILE`, `shoot` and `view` of a picture tell you in "
    "words what is in them. Measure what you cannot see.",
}


def system_prompt(
    limits: Limits,
    confinement: Confinement,
    *,
    sees: bool,
    prompts: Prompts | None = None,
    asked: Sequence[str] = (),
) -> str:
    """The general prompt with what this run has filled in, and the guides for what is `asked`.

    The same bytes for the same.
    """
    return (prompts or built_in()).told(
        asked,
        user=USER[confinement.profile],
        network=REACH[confinement.network].format(installers=INSTALLERS[confinement.profile]),
        eyes=EYES[sees],
        memory=_size(confinement.memory),
        workspace=_size(confinement.workspace),
        tmp=_size(confinement.tmp),
        cores=f"{confinement.cpus:g} core{'' if confinement.cpus == 1 else 's'}",
        processes=str(confinement.processes),
        turns=str(limits.turns),
        minutes=f"{limits.seconds / 60:g}",
        command_seconds=f"{limits.command_seconds:g}",
        output_chars=str(limits.output_chars),
    )


def _size(bytes: int) -> str:
    return f"{bytes / 2**30:g} GB" if bytes >= 2**30 else f"{bytes / 2**20:g} MB"


def asked(prompt: str, inputs: Sequence[str], history: Sequence[Exchange]) -> list[str]:
    """What a person asked for, the newest first, with the names of the files given and made."""
    earlier = [" ".join((past.prompt, *past.files)) for past in reversed(history)]
    return [prompt, " ".join(inputs), *earlier]


def opening(
    system: str, prompt: str, inputs: Sequence[str], history: Sequence[Exchange]
) -> list[Message]:
    """The messages a run begins with: the system's, earlier exchanges, the request."""
    messages = [Message("system", system)]
    for exchange in history:
        made = "\n".join(f"/workspace/output/{path}" for path in exchange.files)
        messages.append(Message("user", exchange.prompt))
        messages.append(
            Message("assistant", f"{exchange.summary}\n\n{made}".strip() or "(no result)")
        )
    given = "".join(f"{GIVEN}{name}" for name in inputs)
    messages.append(Message("user", f"{prompt}\n\nFiles given:{given}" if given else prompt))
    return messages


def chosen(names: Sequence[str]) -> str:
    """That the user put files into the output folder, in words for the model."""
    more = [f"and {len(names) - CHOSEN_NAMES} more"] if len(names) > CHOSEN_NAMES else []
    return CHOSEN.format(names=", ".join([*names[:CHOSEN_NAMES], *more]))


def steered(text: str) -> Message:
    """What the user said meanwhile, as the model is told."""
    return Message("user", f"{STEERED}{text}")


def retold(events: Iterable[Event]) -> list[Message]:
    """What model, tools and user said in a run so far, from its last summary on.

    A call that was not run is answered so.
    """
    messages: list[Message] = []
    answers: dict[str, str] = {}
    for event in events:
        match event:
            case ModelSpoke():
                messages += _answered(answers)
                answers = {call.id: NOT_RUN for call in event.calls}
                messages.append(
                    Message(
                        "assistant",
                        event.text,
                        calls=event.calls,
                        reasoning=event.reasoning,
                        extra=event.extra,
                    )
                )
                if not event.calls:
                    messages.append(Message("user", NUDGE))
            case ToolFinished():
                answers[event.call] = event.output
            case UserSteered():
                messages += [*_answered(answers), steered(event.text)]
                answers = {}
            case ContextCompacted(summary=summary) if summary:
                messages, answers = summed(summary, words(messages)), {}
    return [*messages, *_answered(answers)]


def summed(summary: str, words: Sequence[str] = ()) -> list[Message]:
    """A summary in the place of what it sums up, with the user's `words` in that."""
    said = "\n\n".join([MEANWHILE, *words]) if words else ""
    return [Message("assistant", summary), Message("user", f"{GO_ON}\n\n{said}".strip())]


def words(messages: Iterable[Message]) -> list[str]:
    """What the user said in them."""
    texts = [m.text for m in messages if m.role == "user" and not m.text.startswith(NUDGE)]
    said = [text.removeprefix(GO_ON).strip().removeprefix(MEANWHILE).strip() for text in texts]
    return [text for text in said if text]


def _answered(answers: Mapping[str, str]) -> list[Message]:
    return [Message("tool", text, call=call) for call, text in answers.items()]


def numbered(reply: Reply, turn: int) -> Reply:
    """The reply with ids for its calls that are there and differ from each other."""
    seen: set[str] = set()
    calls = []
    for position, call in enumerate(reply.calls, 1):
        unique = call.id if call.id and call.id not in seen else f"call_{turn}_{position}"
        seen.add(unique)
        calls.append(ToolCall(unique, call.name, call.arguments))
    return replace(reply, calls=tuple(calls))
