"""The steps that a recipe takes, told from the conversation alone; no engine."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.events import ToolCall
from agent.limits import Limits
from agent.models import Message, Reply
from agent.recipes import RECIPES, Recipe, RecipeModel
from agent.recipes.request import Request


def ask(messages: Sequence[Message]) -> Reply:
    """The model's last word to a conversation."""
    *typed, reply = RecipeModel().reply(messages, [])
    assert isinstance(reply, Reply)
    assert len(typed) == 1
    return reply


def answered(messages: list[Message], reply: Reply, *results: str) -> list[Message]:
    """The conversation after the calls of `reply` gave `results` (the last for all others)."""
    texts = [*results, *[results[-1]] * (len(reply.calls) - len(results))]
    told = [Message("tool", text, call=c.id) for c, text in zip(reply.calls, texts, strict=True)]
    return [*messages, Message("assistant", reply.text, calls=reply.calls), *told]


def arguments(call: ToolCall) -> dict[str, str]:
    return dict(json.loads(call.arguments))


def start(*texts: str) -> list[Message]:
    said = [Message("user", text) for text in texts]
    between = [m for user in said[:-1] for m in (user, Message("assistant", "Done."))]
    return [Message("system", "…"), *between, said[-1]]


def test_a_request_is_understood_written_run_checked_and_submitted() -> None:
    messages = start("Compose a waltz in D major, 20 seconds")
    first = ask(messages)
    assert "waltz" in first.text
    assert "no language model" in first.text
    written = {arguments(call)["path"]: arguments(call)["file_text"] for call in first.calls}
    assert {"/workspace/recipe.json", "/workspace/make.py", "/workspace/kit/svg.py"} <= set(written)
    assert json.loads(written["/workspace/recipe.json"])["seconds"] == 20

    messages = answered(messages, first, "File created")
    run = ask(messages)
    assert "python3 make.py recipe.json" in arguments(run.calls[0])["command"]
    # A long film takes longer than what a command has where nothing is said.
    assert float(arguments(run.calls[0])["timeout"]) > Limits().command_seconds

    messages = answered(messages, run, "35 bars\nrecipe finished")
    check = ask(messages)
    assert arguments(check.calls[0])["command"].startswith("cd /workspace && check output/")

    messages = answered(messages, check, "fine\nno findings")
    submit = ask(messages)
    assert submit.calls[0].name == "submit"
    summary = arguments(submit.calls[0])["summary"]
    assert ".wav" in summary
    assert "without a language model" in summary


def test_every_call_of_a_turn_has_its_own_id() -> None:
    ids = [call.id for call in ask(start("写一首圆舞曲")).calls]
    assert len(set(ids)) == len(ids)


def test_inputs_are_looked_at_first() -> None:
    prompt = "A report about our sales\n\nFiles given:\n- /workspace/input/sales 2026.csv"
    reply = ask(start(prompt))
    command = arguments(reply.calls[0])["command"]
    assert "ls -lh input" in command
    assert "'input/sales 2026.csv'" in command


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Why is the sky blue?", ("OPENAI_API_KEY", "a piece of music")),
        ("天空为什么是蓝的？", ("OPENAI_API_KEY", "一首乐曲")),
    ],
)
def test_a_request_that_no_recipe_fits_gets_an_honest_answer(
    prompt: str, words: tuple[str, ...]
) -> None:
    reply = ask(start(prompt))
    summary = arguments(reply.calls[0])["summary"]
    assert reply.calls[0].name == "submit"
    assert all(word in summary for word in words)


def test_a_script_that_fails_is_not_presented_as_a_result() -> None:
    messages = start("用中文写一首圆舞曲")
    messages = answered(messages, ask(messages), "File created")
    failed = "第 1 步\nerror: 时长太短\n[exit code 2]"
    reply = ask(answered(messages, ask(messages), failed))
    summary = arguments(reply.calls[0])["summary"]
    assert "时长太短" in summary
    assert ".wav" not in summary


def test_a_crash_is_told_by_its_last_line() -> None:
    messages = start("Compose a waltz")
    messages = answered(messages, ask(messages), "File created")
    crashed = "Traceback (most recent call last):\n  …\nMemoryError: no room\n[exit code 1]"
    reply = ask(answered(messages, ask(messages), crashed))
    assert "MemoryError: no room" in arguments(reply.calls[0])["summary"]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_every_module_that_a_script_imports_is_written_beside_it(recipe: Recipe) -> None:
    reply = ask(start(recipe.example["en"]))
    written = {arguments(call)["path"]: arguments(call)["file_text"] for call in reply.calls}
    assert "/workspace/make.py" in written
    for text in written.values():
        for module in re.findall(r"^from (?:kit)?\.(\w+) import", text, re.MULTILINE):
            assert f"/workspace/kit/{module}.py" in written
        for module in re.findall(r"^(?:from|import) (make\w+)", text, re.MULTILINE):
            assert f"/workspace/{module}.py" in written


def test_findings_of_the_check_are_told() -> None:
    messages = start("Compose a waltz")
    for result in ("File created", "recipe finished", "finding: clipping\n[exit code 1]"):
        messages = answered(messages, ask(messages), result)
    assert "reported findings" in arguments(ask(messages).calls[0])["summary"]


def test_what_the_last_check_finds_is_told_and_handed_over_all_the_same() -> None:
    messages = start("Compose a waltz in D major, 20 seconds")
    for result in ("File created", "recipe finished", "no findings"):
        messages = answered(messages, ask(messages), result)
    first = ask(messages)
    again = ask(answered(messages, first, "Not submitted yet: …"))
    assert [call.name for call in again.calls] == ["submit"]
    assert first.calls[0].id != again.calls[0].id
    assert "findings" not in arguments(first.calls[0])["summary"]
    assert "findings" in arguments(again.calls[0])["summary"]


def test_a_follow_up_goes_on_with_the_recipe_of_the_request_before() -> None:
    reply = ask(start("Compose a waltz in D major titled Snow", "make it 30 seconds"))
    parameters = json.loads(arguments(reply.calls[0])["file_text"])
    assert (parameters["title"], parameters["seconds"]) == ("Snow", 30)
    assert parameters["files"]["wav"] == "Snow.wav"


def test_a_word_of_the_user_while_it_works_begins_the_steps_again() -> None:
    messages = start("Compose a waltz")
    messages = answered(messages, ask(messages), "File created")
    messages.append(Message("user", "in C minor please"))
    reply = ask(messages)
    parameters = json.loads(arguments(reply.calls[0])["file_text"])
    assert (parameters["tonic"], parameters["mode"]) == ("C", "minor")


def test_the_warning_that_the_loop_adds_hides_no_result() -> None:
    messages = start("Compose a waltz")
    messages = answered(messages, ask(messages), "File created")
    messages = answered(messages, ask(messages), "recipe finished")
    messages[-1] = replace(messages[-1], text=messages[-1].text + "\n\n[3 turns left]")
    assert "check output/" in arguments(ask(messages).calls[0])["command"]


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("Compose a calm piano piece in A minor", "music"),
        ("A poster for our music festival", "poster"),
        ("做一张音乐节海报", "poster"),
        ("给小雨做生日倒计时视频，15 秒", "video"),
        ("10-second countdown video to the launch of Aurora", "video"),
        ("给奶奶做一张生日贺卡", "card"),
        ("A wedding invitation for Ann and Ben", "card"),
        ("A map of Bergen, Oslo and Trondheim", "map"),
        ("三天两夜北京行程地图", "map"),
        ("Slides about our bakery", "slides"),
        ("做一份关于太阳能的幻灯片", "slides"),
        ("a happy birthday song for Lily", "music"),
        ("写一首一分钟的古筝曲", "music"),
        ("Make a report from this data", "report"),
    ],
)
def test_the_recipe_is_the_main_word_of_the_request(prompt: str, name: str) -> None:
    chosen = RecipeModel().choose(Request((prompt,)))
    assert chosen is not None
    assert chosen.name == name


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_every_example_is_answered_by_its_own_recipe(recipe: Recipe) -> None:
    for example in recipe.example.values():
        chosen = RecipeModel().choose(Request((example.strip('“”「」《》"'),)))
        assert chosen is recipe
