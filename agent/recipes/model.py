"""The model that answers when no language model is connected: it picks a recipe and runs it."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from agent.conversation import STEERED
from agent.events import ToolCall
from agent.models import Delta, Message, Reply
from agent.recipes.recipe import Recipe
from agent.recipes.registry import RECIPES
from agent.recipes.request import Lang, Request

SURE = 0.3
# A long film on a slow machine takes its time, and a script cut short leaves half a file.
COMMAND_SECONDS = 1200.0
TEXT_CHARS = 20_000
GIVEN = re.compile(r"\n\nFiles given:(?:\n- /workspace/input/[^\n]+)+\s*\Z")
READABLE = (".csv", ".json", ".geojson", ".txt", ".md", ".tsv")
FINISHED = "recipe finished"
SOUND = "no findings"


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a recipe is: the step that is `done`, and its `result`.

    `asked` and the number of submits that were `refused` make the ids of calls unique.
    """

    done: str
    result: str
    asked: int
    refused: int


class RecipeModel:
    """A `Model` without a language model: the steps of a recipe, told from the conversation.

    Each request takes the same steps: look at the inputs, write the parameters and scripts, run
    them, check the files, submit. Nothing is remembered: a step is known by the id of its call.
    """

    name = "recipes"
    window = sys.maxsize
    sees = False

    def __init__(self, recipes: Sequence[Recipe] = RECIPES) -> None:
        self.recipes = recipes

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Generator[Delta | Reply, None, None]:
        heard = messages[-1].text.startswith(STEERED)
        messages = [message for message in messages if not message.text.startswith(STEERED)]
        asked = max(i for i, message in enumerate(messages) if message.role == "user")
        calls = [call.id for m in messages[asked:] if m.role == "assistant" for call in m.calls]
        results = {m.call: m.text for m in messages[asked:] if m.role == "tool"}
        # Told that a check found something it submits again, as nothing can be mended.
        steps = [call for call in calls if not call.startswith("submit-")]
        last, refused = (steps or [""])[-1], len(calls) - len(steps)
        turn = Turn(last.split("-")[0], results.get(last, ""), asked, refused)
        request = _request(messages)
        reply = self._turn(request, turn)
        if heard:
            reply = replace(reply, text=f"{FIXED[request.speaks]}\n\n{reply.text}".strip())
        yield Delta(reply.text)
        yield reply

    def _turn(self, request: Request, turn: Turn) -> Reply:
        """The next step."""
        done, result, asked = turn.done, turn.result, turn.asked
        lang = request.speaks
        recipe = self.choose(request)
        if recipe is None:
            return _submit(turn, self.offer(lang))
        parameters = recipe.parameters(request)
        if not done:
            said = UNDERSTOOD[lang].format(recipe.describe(parameters, lang))
            if request.inputs:
                return Reply(said, calls=(_bash(f"look-{asked}", _look(request.inputs)),))
            return Reply(said, calls=_write(recipe, parameters, asked))
        if done == "look":
            return Reply(calls=_write(recipe, parameters, asked))
        if done == "write":
            command = f"cd /workspace && python3 make.py recipe.json && echo '{FINISHED}'"
            return Reply(calls=(_bash(f"run-{asked}", command),))
        if done == "run":
            if not re.search(rf"^{FINISHED}$", result, re.MULTILINE):
                return _submit(turn, FAILED[lang].format(_failure(result, lang)))
            made = " ".join(shlex.quote(f"output/{name}") for name in parameters["files"].values())
            command = f"cd /workspace && check {made} && echo '{SOUND}'"
            return Reply(calls=(_bash(f"check-{asked}", command),))
        sound = re.search(rf"^{SOUND}$", result, re.MULTILINE) is not None
        sound = sound and not turn.refused
        return _submit(turn, _summary(recipe, parameters, lang, sound))

    def choose(self, request: Request) -> Recipe | None:
        """The recipe that the newest request names, or the one it is a follow-up to."""
        best = max(self.recipes, key=lambda recipe: recipe.fits(request), default=None)
        if best and best.fits(request) >= SURE:
            return best
        earlier = request.earlier()
        return self.choose(earlier) if earlier else None

    def offer(self, lang: Lang) -> str:
        """What to answer when no recipe fits."""
        lines = (f"- {r.noun[lang]}: {r.example[lang]}" for r in self.recipes)
        return OFFER[lang].format("\n".join(lines))


def _request(messages: Sequence[Message]) -> Request:
    """The requests so far, without what the loop adds to them, and the names of the inputs."""
    asked = [m.text for m in messages if m.role == "user"]
    given = next((g for text in reversed(asked) if (g := GIVEN.search(text))), None)
    inputs = re.findall(r"/workspace/input/(.+)", given[0]) if given else []
    texts = (GIVEN.sub("", text).strip()[:TEXT_CHARS] for text in asked)
    return Request(tuple(text for text in texts if text) or ("",), tuple(inputs))


def _look(inputs: Sequence[str]) -> str:
    readable = [name for name in inputs if name.lower().endswith(READABLE)]
    heads = [f"; echo; head -c 600 {shlex.quote(f'input/{name}')}" for name in readable[:5]]
    return f"cd /workspace && ls -lh input{''.join(heads)}"


def _write(recipe: Recipe, parameters: Mapping[str, Any], asked: int) -> tuple[ToolCall, ...]:
    here = files("agent.recipes")
    scripts = {
        path.name: path.read_text("utf-8")
        for path in sorted((here / recipe.name).iterdir(), key=lambda path: path.name)
        if re.fullmatch(r"make\w*\.py", path.name)
    }
    kit: dict[str, str] = {}
    unread = list(scripts.values())
    while unread:
        for module in re.findall(r"^from (?:kit)?\.(\w+) import", unread.pop(), re.MULTILINE):
            if (name := f"kit/{module}.py") not in kit:
                kit[name] = (here / name).read_text("utf-8")
                unread.append(kit[name])
    order = json.dumps(parameters, ensure_ascii=False, indent=2) + "\n"
    texts = {"recipe.json": order, **dict(sorted(kit.items())), **scripts}
    return tuple(
        _call(
            f"write-{asked}-{number}",
            "str_replace_editor",
            {"command": "create", "path": f"/workspace/{name}", "file_text": text},
        )
        for number, (name, text) in enumerate(texts.items())
    )


def _summary(recipe: Recipe, parameters: Mapping[str, Any], lang: Lang, sound: bool) -> str:
    names = "\n".join(f"- {name}" for name in parameters["files"].values())
    findings = "" if sound else FINDINGS[lang]
    return f"{recipe.summary(parameters, lang)}{findings}\n\n{names}\n\n{BUILT_IN[lang]}"


def _failure(result: str, lang: Lang) -> str:
    """What the script said was wrong; its last line where it is a crash."""
    errors = re.findall(r"^error: (.+)$", result, re.MULTILINE)
    lines = [line.strip() for line in result.splitlines() if line.strip(" ") and line[0] != "["]
    return str(errors[-1]) if errors else lines[-1] if lines else NOTHING_PRINTED[lang]


def _call(id: str, tool: str, arguments: Mapping[str, str | float]) -> ToolCall:
    return ToolCall(id, tool, json.dumps(arguments, ensure_ascii=False))


def _bash(id: str, command: str) -> ToolCall:
    return _call(id, "execute_bash", {"command": command, "timeout": COMMAND_SECONDS})


def _submit(turn: Turn, summary: str) -> Reply:
    id = f"submit-{turn.asked}" + f"-{turn.refused}" * bool(turn.refused)
    return Reply(calls=(_call(id, "submit", {"summary": summary}),))


UNDERSTOOD: Mapping[Lang, str] = {
    "en": "{}\n\nThis is a built-in recipe, a fixed script with parameters read from your request: "
    "no language model is connected.",
    "zh": "{}\n\n这是内置配方：固定的脚本，参数取自你的要求；现在没有连接语言模型。",
}
FIXED: Mapping[Lang, str] = {
    "en": "A built-in recipe cannot be steered while it works. Ask for it when this is done.",
    "zh": "内置配方在制作过程中不能改变。等它完成后，请再提出这个要求。",
}
FAILED: Mapping[Lang, str] = {
    "en": "The recipe could not make this: {}",
    "zh": "配方没能完成：{}",
}
NOTHING_PRINTED: Mapping[Lang, str] = {
    "en": "it stopped without saying why.",
    "zh": "脚本中断，没有给出原因。",
}
FINDINGS: Mapping[Lang, str] = {
    "en": " The check of the files reported findings; they are in its output above.",
    "zh": "文件检查报告了一些问题，见上面的输出。",
}
BUILT_IN: Mapping[Lang, str] = {
    "en": "Made by a built-in recipe, without a language model.",
    "zh": "由内置配方制作，没有使用语言模型。",
}
OFFER: Mapping[Lang, str] = {
    "en": "This cannot be done without a language model: none is connected, and no built-in recipe "
    "fits the request. What can be made without one:\n{}\n\n"
    "To connect a language model, set OPENAI_API_KEY (and OPENAI_BASE_URL and STUDIO_MODEL for a "
    "service of your choice, any OpenAI-compatible one) and start again.",
    "zh": "没有语言模型就做不了这件事：现在没有连接语言模型，也没有合适的内置配方。"
    "不用模型可以做：\n{}\n\n"
    "要连接语言模型，请设置 OPENAI_API_KEY（自选服务再设置 OPENAI_BASE_URL 和 STUDIO_MODEL，"
    "任何兼容 OpenAI 接口的服务都行），然后重新启动。",
}
