"""The model that answers when no language model is connected: it picks a recipe and runs it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from agent.events import ToolCall
from agent.models import Delta, Message, Reply
from agent.recipes.recipe import Recipe
from agent.recipes.registry import RECIPES
from agent.recipes.request import Lang, Request

SURE = 0.3
LOOK = "find input -type f -printf 'input: %P (%s bytes)\\n' 2>/dev/null | sort | head -50"
FINISHED = "recipe finished"
SOUND = "no findings"


class RecipeModel:
    """A `Model` without a language model: the steps of a recipe, told from the conversation.

    Each request takes the same steps: look at the inputs, write the parameters and scripts, run
    them, check the files, submit. Nothing is remembered: a step is known by the id of its call.
    """

    name = "recipes"

    def __init__(self, recipes: Sequence[Recipe] = RECIPES) -> None:
        self.recipes = recipes

    def reply(
        self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> Iterator[Delta | Reply]:
        asked = max(i for i, message in enumerate(messages) if message.role == "user")
        texts = tuple(m.text for m in messages if m.role == "user" and m.text.strip())
        done = [m for m in messages[asked:] if m.role == "assistant" and m.calls]
        results = {m.call: m.text for m in messages[asked:] if m.role == "tool"}
        last = done[-1].calls[-1].id if done else ""
        inputs = _inputs(results.get(done[0].calls[0].id, "")) if done else ()
        yield from _say(self._turn(Request(texts, inputs), last, results.get(last, ""), asked))

    def _turn(self, request: Request, last: str, result: str, asked: int) -> Reply:
        speaks = request.speaks
        step = last.split("-")[0]
        if step == "":
            return Reply(HELLO[speaks], calls=(_bash(f"look-{asked}", LOOK),))
        recipe = self.choose(request)
        if recipe is None:
            return (
                Reply(calls=(_submit(f"submit-{asked}", self.offer(speaks)),))
                if step == "look"
                else Reply(result)
            )
        parameters = recipe.parameters(request)
        if step == "look":
            said = UNDERSTOOD[speaks].format(recipe.describe(parameters, speaks))
            return Reply(said, calls=_files(recipe, parameters, asked))
        if step == "write":
            command = f"cd /workspace && python3 make.py recipe.json && echo '{FINISHED}'"
            return Reply(calls=(_bash(f"run-{asked}", command),))
        if step == "run":
            if not re.search(rf"^{FINISHED}$", result, re.MULTILINE):
                return Reply(FAILED[speaks].format(_failure(result, speaks)))
            made = " ".join(_quoted(f"output/{name}") for name in parameters["files"].values())
            command = f"cd /workspace && check {made} && echo '{SOUND}'"
            return Reply(calls=(_bash(f"check-{asked}", command),))
        if step == "check":
            sound = re.search(rf"^{SOUND}$", result, re.MULTILINE) is not None
            return Reply(
                calls=(_submit(f"submit-{asked}", _summary(recipe, parameters, speaks, sound)),)
            )
        return Reply(result)

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


def _inputs(listing: str) -> tuple[str, ...]:
    return tuple(re.findall(r"^input: (.+) \(\d+ bytes\)$", listing, re.MULTILINE))


def _files(recipe: Recipe, parameters: Mapping[str, Any], asked: int) -> tuple[ToolCall, ...]:
    here = files("agent.recipes")
    texts = {"recipe.json": json.dumps(parameters, ensure_ascii=False, indent=2) + "\n"}
    for module in recipe.kit:
        texts[f"kit/{module}.py"] = (here / "kit" / f"{module}.py").read_text("utf-8")
    for script in sorted((here / recipe.name).iterdir(), key=lambda path: path.name):
        if re.fullmatch(r"make\w*\.py", script.name):
            texts[script.name] = script.read_text("utf-8")
    return tuple(
        _call(
            f"write-{asked}-{number}",
            "str_replace_editor",
            command="create",
            path=f"/workspace/{name}",
            file_text=text,
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
    lines = [line.strip() for line in result.splitlines() if line.strip()]
    return str(errors[-1]) if errors else lines[-1] if lines else NOTHING_PRINTED[lang]


def _call(id: str, name: str, **arguments: object) -> ToolCall:
    return ToolCall(id, name, json.dumps(arguments, ensure_ascii=False))


def _bash(id: str, command: str) -> ToolCall:
    return _call(id, "execute_bash", command=command)


def _submit(id: str, summary: str) -> ToolCall:
    return _call(id, "submit", summary=summary)


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "'\\''") + "'"


def _say(reply: Reply) -> Iterator[Delta | Reply]:
    if reply.text:
        yield Delta(reply.text)
    yield reply


HELLO: Mapping[Lang, str] = {
    "en": "No language model is connected, so one of the built-in recipes will try this. "
    "First a look at what was given.",
    "zh": "现在没有连接语言模型，由内置配方来完成。先看一下给了哪些文件。",
}
UNDERSTOOD: Mapping[Lang, str] = {
    "en": "Understood: {}\n\nThis is a fixed script with parameters read from the request; "
    "I am writing it to the workspace now.",
    "zh": "理解如下：{}\n\n这是一个固定脚本，参数取自您的要求；现在把它写入工作区。",
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
