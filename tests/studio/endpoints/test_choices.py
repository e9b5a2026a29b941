"""Which model answers, and what a project's owner can choose from."""

from __future__ import annotations

import pytest
from django.test import Client

from agent import ModelUnavailable, RecipeModel
from agent.models import Reply
from agent.testing import MemorySandbox, ScriptedEndpoint, call, submit
from studio.endpoints import choices
from studio.endpoints.models import Endpoint, LanguageModel
from studio.projects.models import Project
from studio.runs import stopping, worker
from studio.runs.models import Run
from tests.studio.endpoints.conftest import enter

pytestmark = pytest.mark.django_db

AWAY = "http://away.test/v1"
LOOK = Reply(calls=(call("look", path="picture.png"),))


def ids() -> list[str]:
    return [choice.id for choice in choices.listed()]


def shown(page: str) -> list[str]:
    """The models of the page's select, the chosen one in brackets."""
    _, found, rest = page.partition('<select name="model">')
    options = rest.partition("</select>")[0].split("<option ")[1:] if found else []
    names = [(option, option.partition(">")[2].partition("<")[0]) for option in options]
    return [f"[{name}]" if " selected" in option else name for option, name in names]


def test_nothing_entered_means_the_recipes() -> None:
    assert isinstance(choices.model(""), RecipeModel)
    assert (choices.has_model(), choices.model_name(), ids()) == (False, "", [])


def test_the_settings_and_the_administration_are_offered_together(settings_file) -> None:
    settings_file(file=(AWAY, ["a", "b"]))
    enter("local", label="Ours")
    assert ids() == ["file/a", "file/b", "local/m"]
    assert choices.model("").name == "a"
    assert choices.model("local/m").name == "m"
    assert choices.model_name() == "a"


def test_the_default_of_the_administration_comes_before_that_of_the_settings(
    settings_file,
) -> None:
    settings_file(file=(AWAY, ["a"]))
    enter("local", label="Ours", is_default=True)
    assert ids() == ["local/m", "file/a"]
    assert choices.model_name() == "Ours"
    assert choices.model("").name == "m"


def test_an_endpoint_of_the_settings_hides_one_of_the_same_name(settings_file) -> None:
    enter("local", name="mine")
    settings_file(local=(AWAY, ["theirs"]))
    assert ids() == ["local/theirs"]


def test_what_is_disabled_is_not_offered() -> None:
    endpoint = enter("local")
    LanguageModel.objects.create(endpoint=endpoint, name="off", enabled=False)
    assert ids() == ["local/m"]
    Endpoint.objects.update(enabled=False)
    assert ids() == []


def test_another_default_takes_the_place_of_the_first() -> None:
    first, second = enter("one", is_default=True), enter("two", is_default=True)
    assert not first.models.get().is_default
    assert second.models.get().is_default
    assert ids() == ["two/m", "one/m"]


def test_a_change_is_noticed_by_the_next_run_and_no_change_keeps_the_model() -> None:
    endpoint = enter("local", key="sk-1", window=8000)
    before = choices.model("local/m")
    assert choices.model("local/m") is before
    LanguageModel.objects.update(window=16_000)
    assert choices.model("local/m").window == 16_000
    endpoint.key = "sk-2"
    endpoint.save()
    assert choices.model("local/m") is not before


def test_what_was_found_out_is_remembered_for_all_processes() -> None:
    with ScriptedEndpoint([LOOK, Reply("blue, yellow")]) as server:
        enter("local", server.base_url, sees="auto")
        assert choices.model("").sees is True
    assert LanguageModel.objects.get().found is True
    assert choices.model("").sees is True
    assert len(server.requests) == 2


def test_a_key_of_another_secret_is_said_to_be_so(settings) -> None:
    enter("local", key="sk-1")
    settings.SECRET_KEY = "another one"
    with pytest.raises(ModelUnavailable, match="STUDIO_SECRET_KEY") as told:
        choices.model("")
    assert "“local”" in str(told.value)
    settings.SECRET_KEY_FALLBACKS = ["a third one"]
    with pytest.raises(ModelUnavailable):
        choices.model("")


def test_a_key_of_an_earlier_secret_is_still_read(settings) -> None:
    enter("local", key="sk-1")
    earlier, settings.SECRET_KEY = settings.SECRET_KEY, "another one"
    settings.SECRET_KEY_FALLBACKS = [earlier]
    assert Endpoint.objects.get().key == "sk-1"


def test_wrong_settings_end_the_run_and_not_the_page(settings_file, alices_browser: Client) -> None:
    settings_file(File=(AWAY, ["a"]))
    assert alices_browser.get("/").status_code == 200
    assert choices.has_model()
    with pytest.raises(ModelUnavailable, match=r"\[endpoints.File\]"):
        choices.model("")


def test_without_a_choice_there_is_no_control(run: Run, alices_browser: Client) -> None:
    for address in ("/", run.project.get_absolute_url()):
        assert shown(alices_browser.get(address).content.decode()) == []
    enter("local")
    for address in ("/", run.project.get_absolute_url()):
        assert shown(alices_browser.get(address).content.decode()) == []


def test_the_owner_chooses_by_label_and_never_sees_an_address(
    alices_browser: Client,
) -> None:
    enter("local", "http://hidden.test/v1", label="Ours", is_default=True)
    enter("other", "http://hidden.test/v1", name="big")
    page = alices_browser.get("/").content.decode()
    assert shown(page) == ["[Ours]", "big"]
    assert "hidden.test" not in page
    alices_browser.post("/projects/new/", {"prompt": "A map", "model": "other/big"})
    project = Project.objects.get()
    assert project.model == "other/big"
    address = project.get_absolute_url()
    assert shown(alices_browser.get(address).content.decode()) == ["Ours", "[big]"]
    stopping.stop(project.runs.get())
    alices_browser.post(f"{address}runs/", {"prompt": "In blue"})
    project.refresh_from_db()
    assert project.model == "other/big"
    stopping.stop(project.runs.last())
    alices_browser.post(f"{address}runs/", {"prompt": "In red", "model": ""})
    project.refresh_from_db()
    assert project.model == ""


def test_who_chose_the_default_gets_the_next_default() -> None:
    enter("one", is_default=True)
    enter("two", name="n")
    chosen = next(choice for choice in choices.offered("") if choice.chosen)
    LanguageModel.objects.get(name="n").save()
    assert choices.model(chosen.value).name == "m"
    new = LanguageModel.objects.get(name="n")
    new.is_default = True
    new.save()
    assert choices.model(chosen.value).name == "n"


@pytest.mark.parametrize("model", ["one/none", "http://evil.test/v1", "one/m\0", "two/off"])
def test_a_model_that_is_not_on_offer_is_refused(
    model: str, run: Run, alices_browser: Client
) -> None:
    enter("one")
    enter("two")
    enter("three", name="off", enabled=False)
    for path in ("/projects/new/", f"{run.project.get_absolute_url()}runs/"):
        answer = alices_browser.post(path, {"prompt": "A map", "model": model})
        assert answer.status_code == 422
        assert "This model is not available here." in answer.content.decode()
    assert Project.objects.get().model == ""


def test_a_model_that_is_gone_is_replaced_and_the_page_says_so(
    project: Project, alices_browser: Client
) -> None:
    enter("one", label="First")
    Project.objects.update(model="two/large/one")
    page = alices_browser.get(project.get_absolute_url()).content.decode()
    assert "“large/one” is not offered here any more; First answers." in page
    assert choices.model("two/large/one").name == "m"
    Endpoint.objects.all().delete()
    page = alices_browser.get(project.get_absolute_url()).content.decode()
    assert "“large/one” is not offered here any more; the built-in recipes answer." in page


@pytest.mark.django_db(transaction=True)
def test_a_run_asks_the_model_of_its_project(run: Run, monkeypatch, settings_file) -> None:
    monkeypatch.setattr(worker, "sandbox", lambda run: MemorySandbox())
    with (
        ScriptedEndpoint([submit("From the first.")]) as first,
        ScriptedEndpoint([submit("From the second.")]) as second,
    ):
        settings_file(file=(first.base_url, ["a"]))
        enter("local", second.base_url, key="sk-2", name="b")
        Project.objects.update(model="local/b")
        worker.execute(run.pk)
    run.refresh_from_db()
    assert (run.summary, run.model) == ("From the second.", "b")
    assert (first.keys, second.keys) == ([], ["sk-2"])


def test_the_help_page_tells_staff_of_the_settings_and_others_not(
    settings_file, alices_browser: Client, operators_browser: Client
) -> None:
    settings_file(file=("http://inner.test/v1", ["a"]))
    told = operators_browser.get("/help/models/").content.decode()
    assert "file/a" in told
    assert "inner.test" in told
    assert "/admin/endpoints/endpoint/" in told
    told = alices_browser.get("/help/models/").content.decode()
    assert "inner.test" not in told
    assert "/admin/" not in told
