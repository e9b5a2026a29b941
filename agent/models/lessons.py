"""What refusals say, in the words of many servers."""

from __future__ import annotations

import re
from enum import StrEnum

MESSAGE_CHARS = 10_000
# None and 0 are errors within a 200, which have no status.
LEARNED_FROM = frozenset({None, 0, 400, 404, 405, 415, 422, 500, 501})
TOO_LONG_FROM = frozenset({None, 0, 400, 413, 422, 500})


class Lesson(StrEnum):
    """What an endpoint wants otherwise than OpenAI's."""

    NO_STREAM_OPTIONS = "takes no stream_options"
    NO_PICTURES = "takes no pictures"
    SHORT_IDS = "takes ids of calls with nine letters and digits only"
    ALTERNATING = "takes user and assistant messages in turn only"
    REASONING = "wants reasoning_content in every message of the assistant"
    NO_REASONING = "takes no reasoning"
    FILLED = "takes no message without text"
    PLAIN_SCHEMAS = "takes simple schemas of tools only"
    MAX_TOKENS = "wants max_tokens"
    MAX_COMPLETION_TOKENS = "wants max_completion_tokens"
    NO_SYSTEM = "takes no system message"
    NO_STREAM = "does not stream"
    NO_TOOLS = "takes no tools"


REFUSED = (
    r"not (?:yet )?(?:be )?(?:support|allow|permit|implement|enabl|accept)"
    r"|n't (?:support|allow|accept)|unsupported|unknown|unrecogni[sz]ed|extra_forbidden"
    r"|no endpoints found|requires? --|不支持"
)
ROLES = r"developer instruction|user and assistant roles"
# The first that fits and is not learned yet is tried: what costs least stands first. A message
# has to speak of the thing, and to say that of it.
LESSONS = [
    (lesson, re.compile(thing, re.IGNORECASE), re.compile(said, re.IGNORECASE))
    for lesson, thing, said in (
        (Lesson.NO_STREAM_OPTIONS, r"stream_options|include_usage", ""),
        (
            Lesson.NO_PICTURES,
            r"image|multi-?modal|mmproj|图片|must be a string|valid string|expected a string",
            rf"{REFUSED}|not a multi-?modal|at most 0|a string|expected .?text",
        ),
        (Lesson.SHORT_IDS, r"tool.?call.?id", r"length of 9"),
        (
            Lesson.ALTERNATING,
            r"role|messages?\b",
            r"alternat|interleav|successive|consecutive|unexpected role|after role",
        ),
        (
            Lesson.REASONING,
            r"reasoning_content",
            r"missing|required|must (?:be|contain|include)|pass(?:ed)? back",
        ),
        (
            Lesson.NO_REASONING,
            r"\breasoning(?:_content|_details)?\b|extra_content",
            rf"{REFUSED}|remove|extra (?:inputs|fields)|additional properties",
        ),
        (
            Lesson.FILLED,
            r"content|message|text",
            r"\bempty|\bblank|non-?empty|either content|at least (?:1|one) character|too short",
        ),
        (
            Lesson.PLAIN_SCHEMAS,
            r"schema|additionalProperties|anyOf|exclusiveMinimum|grammar",
            rf"{REFUSED}|invalid|not (?:a )?valid|fail",
        ),
        (
            Lesson.MAX_COMPLETION_TOKENS,
            r"max_completion_tokens",
            r"required|missing|must be (?:provided|set|specified)|instead",
        ),
        (
            Lesson.MAX_TOKENS,
            r"max_tokens",
            r"required|missing|must be (?:provided|set|specified)",
        ),
        (
            Lesson.NO_SYSTEM,
            rf"(?:system|developer).{{0,3}} (?:role|message|prompt)|role.{{0,20}}system|{ROLES}",
            rf"{REFUSED}|only|raise_exception",
        ),
        (Lesson.NO_STREAM, r"\bstream(?:ing|ed)?\b", rf"{REFUSED}|must be|verified to stream"),
        (
            Lesson.NO_TOOLS,
            rf"\btools?\b|tool[ _-]?(?:use|call|choice)|function[ _-]?call|{ROLES}",
            rf"{REFUSED}|extra inputs|only",
        ),
    )
]
TOO_LONG = re.compile(
    r"""context_length_exceeded|exceed_context_size|model_context_window_exceeded
    |maximum[ ](?:context|model|prompt|sequence|input|allowed[ ]input)[ ]length
    |(?:longer|greater|larger)[ ]than[ ]the[ ](?:model'?s?[ ])?(?:maximum[ ])?context
    |context[ _](?:length|size|window|limit).{0,40}exceed
    |exceed.{0,60}context[ _](?:length|size|window|limit)
    |context[ ](?:length|size)[ ]is[ ]only|context[ ]length[ ]of[ ]only|configured[ ]context[ ]size
    |(?:prompt|input|request)[ ](?:is[ ])?too[ ](?:long|large)|input[ ]length[ ]too[ ]long
    |input[ ]token[ ]count.{0,60}(?:exceeds|only[ ]supports)|input[ ]length[ ].{0,40}exceeds
    |prompt[ ]token[ ]count.{0,60}exceeds|exceeded[ ]model[ ]token[ ]limit
    |range[ ]of[ ]input[ ]length|reduce[ ]the[ ]length[ ]of[ ]the[ ](?:messages|input|prompt)
    |too[ ]many[ ]tokens|token[ ]limit[ ]exceeded|request_too_large|request[ ]entity[ ]too[ ]large
    |上下文.{0,10}(?:长度|超)|超长|输入长度""",
    re.IGNORECASE | re.VERBOSE,
)
# Not the window but a quota: waiting helps, a shorter request need not.
QUOTA = re.compile(r"per[ -](?:minute|day|hour)|rate.?limit|\bTPM\b|\bquota\b", re.IGNORECASE)


def is_too_long(status: int | None, message: str) -> bool:
    """Whether a refusal means that the request is longer than the model's window."""
    message = message[:MESSAGE_CHARS]
    if status not in TOO_LONG_FROM or QUOTA.search(message):
        return False
    return status == 413 or bool(TOO_LONG.search(message))


def lessons(status: int | None, message: str) -> list[Lesson]:
    """What a refusal may teach, the cheapest first."""
    message = message[:MESSAGE_CHARS]
    if status not in LEARNED_FROM or is_too_long(status, message):
        return []
    return [
        lesson for lesson, thing, said in LESSONS if thing.search(message) and said.search(message)
    ]
