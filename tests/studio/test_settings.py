from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured

from agent.models.catalogue import Catalogue, Endpoint, Offer
from agent.models.prices import Prices
from studio import checks, env

ROOT = Path(__file__).parents[2]


def read_variables() -> set[str]:
    """The variables that our code reads: through `env`, or by name from the environment."""
    names = set()
    for path in [*ROOT.glob("studio/**/*.py"), *ROOT.glob("agent/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case (
                    ast.Call(
                        func=ast.Attribute(
                            value=ast.Name(id="env" | "environment") | ast.Attribute(attr="environ")
                        ),
                        args=[ast.Constant(value=str(name)), *_],
                    )
                    | ast.Subscript(
                        value=ast.Attribute(value=ast.Name(id="os"), attr="environ"),
                        slice=ast.Constant(value=str(name)),
                    )
                ) if name.isupper() and name != "DJANGO_SETTINGS_MODULE":
                    names.add(name)
    return names


def described() -> list[tuple[str, str]]:
    """The variables in the tables of docs/settings.md, and what it says their defaults are."""
    found = []
    for before, line in pairwise((ROOT / "docs/settings.md").read_text().splitlines()):
        if line.startswith("| `"):
            assert before.startswith("| "), f"In no table: {line}"
            name, default, *_ = line.removeprefix("| ").split(" | ")
            found.append((name.strip("`"), default))
    return found


def literal_defaults() -> Iterator[tuple[str, str]]:
    """Variables that the studio reads, and what it takes for them if that stands beside them."""
    for path in ROOT.glob("studio/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="env"), attr=kind),
                    args=[ast.Constant(value=str(name)), *more],
                    keywords=named,
                ):
                    given = [*more, *(each.value for each in named if each.arg == "default")]
                    match given[:1]:
                        case [ast.Constant(value=value)]:
                            yield name, str(int(value) if kind == "flag" else value)
                        case []:
                            yield name, "0" if kind == "flag" else ""


def test_every_variable_is_described_and_every_described_one_is_read() -> None:
    names = [name for name, _ in described()]
    assert len(names) == len(set(names))
    assert set(names) == read_variables()


def test_the_described_defaults_are_the_true_ones() -> None:
    said = dict(described())
    # Some are said in words, such as "as this machine's pip".
    short = [each for each in literal_defaults() if said[each[0]].startswith(("`", "–"))]
    assert len(short) > 30
    for name, default in short:
        assert said[name] == (f"`{default}`" if default else "–"), name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("STUDIO_RUN_TURNS", "many"),
        ("STUDIO_RUN_SECONDS", "0"),
        ("STUDIO_RUN_TOKENS", "1e6"),
        ("STUDIO_RUN_COST", "$2"),
        ("STUDIO_DAY_TOKENS", "-1"),
        ("STUDIO_DAY_COST", "0"),
        ("STUDIO_CURRENCY", "€"),
        ("STUDIO_SIGNUP", "maybe"),
        ("STUDIO_MAIL", "mail.example.com"),
        ("STUDIO_HTTPS", "yes"),
        ("STUDIO_LOG_LEVEL", "loud"),
        ("STUDIO_NETWORKS", "none,host"),
        ("STUDIO_NETWORKS", "none,none"),
        ("STUDIO_NETWORKS", ","),
        ("STUDIO_PROFILE", "privileged"),
        ("STUDIO_WARM", "-1"),
        ("STUDIO_SANDBOX_MEMORY", "lots"),
        ("STUDIO_SANDBOX_MEMORY", "4"),
        ("STUDIO_SANDBOX_MEMORY", "511M"),
        ("STUDIO_SANDBOX_DISK", "2 GB"),
        ("STUDIO_MIRROR_PIP", "index.test/simple"),
        ("STUDIO_MIRROR_APT", "file:///mirror"),
        ("STUDIO_SANDBOX_CPUS", "0"),
        ("STUDIO_SANDBOX_CPUS", "nan"),
    ],
)
def test_a_senseless_value_stops_the_start_and_names_its_variable(
    name: str, value: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", "import studio.settings"]
    environment = {**os.environ, "STUDIO_VAR": str(tmp_path), name: value}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"ImproperlyConfigured: {name} must be" in done.stderr


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", " ")
    assert env.text("X", "default") == "default"
    assert env.integer("X", 3) == 3
    assert env.words("X", "a, b,") == ["a", "b"]
    monkeypatch.setenv("X", "2.5")
    with pytest.raises(ImproperlyConfigured, match="X must be a whole number"):
        env.integer("X", 3)


def test_sizes_are_binary_and_lists_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "512m")
    assert env.size("X", "4G", least="512M") == 512 * 2**20
    monkeypatch.delenv("X")
    assert env.size("X", "4G", least="512M") == 4 * 2**30
    assert env.room("X", "20G", least="64M") == 20 * 2**30
    assert env.number("X", 2, least=0.1) == 2.0
    monkeypatch.setenv("X", "0")
    assert env.room("X", "20G", least="64M") is None
    monkeypatch.setenv("X", "open, none")
    assert env.choices("X", "none", ("none", "packages", "open")) == ["open", "none"]


@pytest.mark.slow
def test_the_secret_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from studio import settings; print(settings.SECRET_KEY)"]
    environment = {**os.environ, "STUDIO_VAR": str(tmp_path)}
    first, second = (
        subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    )
    assert first == second
    assert len(first) > 40
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("secret-key*")] == ["secret-key"]


@pytest.mark.slow
def test_with_https_the_cookies_can_not_be_planted_from_another_host(tmp_path: Path) -> None:
    command = "from studio import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME)"
    environment = {**os.environ, "STUDIO_VAR": str(tmp_path), "STUDIO_HTTPS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.stdout.split() == ["__Host-session", "__Host-csrf"]


@pytest.mark.parametrize(
    ("hosts", "problem"),
    [
        (["*"], "studio.E001"),
        ([".example.com"], "studio.E001"),
        (["artifacts.localhost"], "studio.E002"),
        (["x.artifacts.localhost"], "studio.E002"),
    ],
)
def test_hosts_that_would_mix_the_app_with_artifacts_are_an_error(
    settings, hosts: list[str], problem: str
) -> None:
    settings.ALLOWED_HOSTS = hosts
    assert problem in {message.id for message in run_checks()}


def test_a_public_name_without_https_is_a_warning_at_deployment(settings) -> None:
    settings.ALLOWED_HOSTS = ["studio.example.com"]
    found = {message.id for message in run_checks(include_deployment_checks=True)}
    assert "studio.W001" in found
    settings.HTTPS = True
    found = {message.id for message in run_checks(include_deployment_checks=True)}
    assert "studio.W001" not in found


def test_a_prompt_that_cannot_be_used_is_an_error(settings, tmp_path: Path) -> None:
    settings.PROMPTS = str(tmp_path)
    assert run_checks() == []
    settings.PROMPTS = str(tmp_path / "away")
    (problem,) = run_checks()
    assert (problem.id, "away" in problem.msg) == ("studio.E006", True)


def test_a_disk_that_does_not_fit_into_the_memory_is_an_error(settings) -> None:
    settings.SANDBOX_DISK = settings.SANDBOX_MEMORY * 3 // 4
    assert "studio.E004" in {message.id for message in run_checks()}


def test_a_limit_of_money_for_a_model_without_prices_is_a_warning(settings, monkeypatch) -> None:
    def offered(prices: Prices) -> Catalogue:
        offer = Offer(Endpoint("lab", "http://127.0.0.1:1/v1", ""), "m", prices=prices)
        return Catalogue((offer,), offer.id)

    monkeypatch.setattr(checks, "from_settings", lambda: offered(Prices()))
    assert "studio.W005" not in {message.id for message in run_checks()}
    settings.DAY_COST = 5.0
    (problem,) = run_checks()
    assert problem.id == "studio.W005"
    assert "lab/m" in problem.msg
    monkeypatch.setattr(checks, "from_settings", lambda: offered(Prices(input=0.3, output=0.4)))
    assert run_checks() == []


def test_a_workshop_that_can_install_nothing_is_a_warning(settings) -> None:
    settings.SANDBOX_PROFILE = "workshop"
    assert "studio.W002" in {message.id for message in run_checks()}
    settings.NETWORKS = ["none", "packages"]
    assert "studio.W002" not in {message.id for message in run_checks()}


@pytest.mark.parametrize("url", ["https://user:word@index.test/", "http://127.0.0.1:3141/"])
def test_a_mirror_that_a_sandbox_must_not_or_can_not_use_is_an_error(settings, url: str) -> None:
    settings.MIRROR_PIP = url
    (problem,) = run_checks()
    assert problem.id == "studio.E005"
    assert "word" not in problem.msg.replace("password", "")


def test_the_usual_settings_have_no_problem() -> None:
    assert run_checks() == []
