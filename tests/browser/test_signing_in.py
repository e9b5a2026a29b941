"""An account from its making to its end, with a provider or a password, and its room used up."""

import os
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.axe import serious
from tests.browser.conftest import ROOT, running_studio
from tests.browser.hearing import unheard
from tests.browser.looks import OPPOSITE
from tests.studio.accounts.provider import CLIENT, SECRET, running

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PASSWORD, NEW = "of the hopper", "of the compiler"
ROOM, USED = "64.0\xa0MB", "70.0\xa0MB"
SEED = f"""
from studio.accounts.models import User
from studio.projects.models import Input, Project
for width in {[look.width for look in OPPOSITE]}:
    grace = User.objects.create_user(f"grace{{width}}", password={PASSWORD!r})
    project = Project.objects.create(owner=grace, title="Too much")
    Input.objects.create(project=project, name="film.mp4", digest=f"{{width:064}}", size=70 << 20)
"""


@pytest.fixture(scope="module")
def provider():
    with running() as running_provider:
        yield running_provider


@pytest.fixture(scope="module")
def open_studio(provider):
    """A studio with an identity provider in which anybody may make an account, without an engine.

    Whoever is called Grace has no room left.
    """
    with running_studio(
        STUDIO_SIGNUP="open",
        STUDIO_OIDC_ISSUER=provider.url,
        STUDIO_OIDC_CLIENT_ID=CLIENT,
        STUDIO_OIDC_CLIENT_SECRET=SECRET,
        STUDIO_OIDC_NAME="Example ID",
        STUDIO_USER_BYTES="64M",
        DOCKER_HOST="unix:///nowhere/docker.sock",
    ) as studio:
        command = [sys.executable, "manage.py", "shell", "--command", SEED]
        environment = {**os.environ, "STUDIO_VAR": str(studio.var)}
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        yield studio


@pytest.fixture
def visitor(browser, look):
    """The page of somebody who has never been here."""
    context = browser.new_context(reduced_motion="reduce", **look.options)
    complaints = []
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    yield page
    context.close()
    assert [text for text in complaints if "Content Security Policy" in text] == []


@pytest.fixture
def elsewhere(browser):
    """The page of another browser of the same person."""
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


def sign_out(page, say):
    page.get_by_role("button", name=say("Account and settings")).click()
    page.get_by_role("button", name=say("Sign out")).click()
    expect(page.get_by_role("heading", name=say("Sign in"))).to_be_visible()


def test_who_is_known_elsewhere_comes_in_and_comes_back(provider, open_studio, visitor, look, say):
    name = f"erin{look.width}"
    provider.person = {"sub": name, "preferred_username": name, "given_name": name.title()}
    visitor.goto(f"{open_studio.url}/library/")
    go_on = visitor.get_by_role("button", name=say("Continue with %(name)s", name="Example ID"))
    expect(go_on).to_be_visible()
    assert serious(visitor) + unheard(visitor, look.language) == []
    assert visitor.evaluate("document.documentElement.scrollWidth") == look.width
    for _ in range(2):
        go_on.click()
        expect(visitor.get_by_role("heading", name=say("Library"), exact=True)).to_be_visible()
        sign_out(visitor, say)
        visitor.goto(f"{open_studio.url}/accounts/login/?next=/library/")


def test_where_sign_up_is_open_anybody_makes_an_account(open_studio, visitor, look, say):
    visitor.goto(f"{open_studio.url}/accounts/login/")
    visitor.get_by_role("link", name=say("Make an account")).click()
    visitor.locator("[name=username]").fill(f"frank{look.width}")
    visitor.locator("[name=password1]").fill("of the castle")
    visitor.locator("[name=password2]").fill("of the tower")
    make = visitor.get_by_role("button", name=say("Make an account"))
    make.click()
    expect(visitor.get_by_role("alert")).to_be_visible()
    assert serious(visitor) + unheard(visitor, look.language) == []
    for field in ("password1", "password2"):
        visitor.locator(f"[name={field}]").fill("of the castle")
    make.click()
    expect(visitor.get_by_role("heading", name=say("What shall we make?"))).to_be_visible()


def test_where_sign_up_is_closed_nobody_is_asked_to(studio, visitor, say):
    visitor.goto(f"{studio.url}/accounts/login/")
    expect(visitor.get_by_role("heading", name=say("Sign in"))).to_be_visible()
    expect(visitor.get_by_role("link", name=say("Make an account"))).to_have_count(0)
    visitor.goto(f"{studio.url}/accounts/signup/")
    closed = say("Accounts are made by invitation")
    expect(visitor.get_by_role("heading", name=closed)).to_be_visible()


def sign_in(page, studio, name, password, path=""):
    page.goto(f"{studio.url}/accounts/login/?next=/{path}")
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(password)
    page.keyboard.press("Enter")


def go_to(page, title, say):
    settings = page.get_by_role("navigation", name=say("Settings"))
    settings.get_by_text(say(title), exact=True).click()
    expect(page.get_by_role("heading", name=say(title), level=1)).to_be_visible()


def test_an_account_has_no_room_gets_a_password_and_an_address_and_ends(
    open_studio, visitor, elsewhere, look, say
):
    name, page = f"grace{look.width}", visitor
    sign_in(page, open_studio, name, PASSWORD, "projects/")
    full = say("Your files take %(used)s of %(most)s", used=USED, most=ROOM)
    expect(page.get_by_text(full)).to_be_visible()
    expect(page.locator(".quota-bar.nearly")).to_be_visible()
    page.goto(open_studio.url)
    page.get_by_role("textbox").fill("A card for a birthday")
    page.keyboard.press("Control+Enter")
    refusal = (
        "Your files take %(used)s of the %(most)s that they may. Delete a project that you no "
        "longer need and empty the trash, then ask again."
    )
    expect(page.get_by_role("alert")).to_contain_text(say(refusal, used=USED, most=ROOM))
    expect(page.get_by_role("textbox")).to_have_value("A card for a birthday")

    page.goto(f"{open_studio.url}/settings/")
    go_to(page, "Password", say)
    for field, value in {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}.items():
        page.locator(f"[name={field}]").fill(value)
    page.get_by_role("button", name=say("Change the password")).click()
    expect(page.locator(".notice-good")).to_be_visible()
    go_to(page, "E-mail", say)
    page.get_by_role("main").get_by_role("textbox").fill(f"{name}@example.org")
    page.get_by_role("button", name=say("Add it")).click()
    expect(page.get_by_role("listitem").filter(has_text=f"{name}@example.org")).to_be_visible()

    sign_in(elsewhere, open_studio, f"{name}@example.org", NEW, "library/")
    expect(elsewhere).to_have_url(f"{open_studio.url}/library/")
    go_to(page, "Sessions", say)
    page.get_by_role("button", name=say("Sign out everywhere else")).click()
    expect(page.get_by_text(say("You are signed in nowhere else."))).to_be_visible()
    elsewhere.reload()
    expect(elsewhere.locator("[name=login]")).to_be_visible()

    go_to(page, "Your data", say)
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(NEW)
    page.get_by_role("button", name=say("Delete my account")).click()
    gone = say("Your account is deleted, with everything that was in it.")
    expect(page.get_by_text(gone)).to_be_visible()
    sign_in(page, open_studio, name, NEW)
    expect(page.get_by_role("alert")).to_be_visible()
