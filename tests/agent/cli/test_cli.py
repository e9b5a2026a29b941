"""The command line as a person types it: a real process, a real container, a real HTTP endpoint."""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from agent.events import ToolCall
from agent.models import Reply
from agent.testing import ScriptedEndpoint, bash, call, submit

# Each starts the program.
pytestmark = pytest.mark.slow

RECORDS = {"run.jsonl", "messages.json", "trajectory.json"}
SCRIPT = [
    Reply("I write it.", calls=bash("wc -c input/a.csv; echo '<p>hi' > output/页面.html").calls),
    submit("Here is your page."),
]


def start(*arguments, cwd, **environment):
    """The command line as a process, with nothing configured but what is given."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OPENAI_", "STUDIO_"))
    }
    return subprocess.Popen(
        [sys.executable, "-m", "agent", *arguments],
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(Path.cwd()), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def agent(*arguments, cwd, **environment):
    """What it printed, what it complained of, its exit code."""
    with start(*arguments, cwd=cwd, **environment) as process:
        out, complaints = process.communicate(timeout=120)
    return out, complaints, process.returncode


@pytest.mark.engine
def test_run_leaves_the_files_the_events_and_the_trajectory(tmp_path):
    (tmp_path / "a.csv").write_text("1,2,3\n")
    with ScriptedEndpoint(SCRIPT) as endpoint:
        out, complaints, code = agent(
            "run", "A page.", "--input", "a.csv", "--output", "made", "--model", "m",
            "--base-url", endpoint.base_url, cwd=tmp_path, OPENAI_API_KEY="sk-canary",
        )  # fmt: skip

    assert (code, complaints) == (0, ""), out
    assert "I write it." in out
    assert "页面.html" in out
    assert "Here is your page." in out
    made = tmp_path / "made"
    assert {path.name for path in made.iterdir()} == {"页面.html", *RECORDS}
    assert (made / "页面.html").read_text() == "<p>hi\n"
    events = [json.loads(line) for line in (made / "run.jsonl").read_text().splitlines()]
    assert [events[0]["kind"], events[-1]["kind"]] == ["run.started", "run.ended"]
    whole = json.loads((made / "trajectory.json").read_text())
    assert whole["metadata"]["model"] == "m"
    assert whole["metadata"]["reason"] == "submitted"
    first, last = whole["steps"]
    assert first["thought"] == "I write it."
    assert first["action"]["function"] == "execute_bash"
    assert first["observation"] == "6 input/a.csv"
    assert last["action"]["function"] == "submit"
    said = json.loads((made / "messages.json").read_text())["messages"]
    assert said[:2] == endpoint.requests[0]["messages"]
    for path in made.iterdir():
        assert "sk-canary" not in path.read_text()


@pytest.mark.engine
def test_each_record_can_be_replayed_without_the_model(tmp_path):
    (tmp_path / "a.csv").write_text("1,2,3\n")
    with ScriptedEndpoint(SCRIPT) as endpoint:
        agent(
            "run", "A page.", "--input", "a.csv", "--output", "made", "--model", "m",
            "--base-url", endpoint.base_url, cwd=tmp_path,
        )  # fmt: skip

    for record in sorted(RECORDS):
        out, complaints, code = agent(
            "replay", f"made/{record}", "--input", "a.csv", "--output", f"again-{record}",
            cwd=tmp_path,
        )  # fmt: skip
        assert (code, complaints) == (0, ""), out
        assert "Here is your page." in out
        assert (tmp_path / f"again-{record}" / "页面.html").read_text() == "<p>hi\n"


@pytest.mark.engine
def test_a_recording_that_does_not_submit_exits_with_1(tmp_path):
    calls = [{"function": {"name": "execute_bash", "arguments": {"command": "echo x > output/x"}}}]
    said = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": "", "tool_calls": calls},
    ]
    (tmp_path / "m.json").write_text(json.dumps({"messages": said}))
    out, _, code = agent("replay", "m.json", cwd=tmp_path)
    assert code == 1
    assert "Ended: The model stopped without submitting." in out
    assert (tmp_path / "output/x").read_text() == "x\n"


@pytest.mark.engine
def test_the_exchanges_with_the_endpoint_are_recorded_on_request(tmp_path):
    with ScriptedEndpoint([(500, {"error": {"message": "sk-canary?"}}), submit("ok")]) as endpoint:
        agent(
            "run", "x", "--record", "all.jsonl", "--model", "m", "--base-url", endpoint.base_url,
            cwd=tmp_path, OPENAI_API_KEY="sk-canary",
        )  # fmt: skip
    text = (tmp_path / "all.jsonl").read_text()
    exchanges = [json.loads(line) for line in text.splitlines()]
    assert [exchange["status"] for exchange in exchanges] == [500, 200]
    assert [exchange["request"] for exchange in exchanges] == endpoint.requests
    assert "data: " in exchanges[1]["answer"]
    assert "sk-canary" not in text


@pytest.mark.engine
def test_the_operators_prompts_are_used(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "knit.md").write_text("---\nwords: scarf\n---\nCount stitches.")
    with ScriptedEndpoint([submit("ok")]) as endpoint:
        agent(
            "run", "A scarf.", "--model", "m", "--base-url", endpoint.base_url,
            cwd=tmp_path, STUDIO_PROMPTS="p",
        )  # fmt: skip
    assert endpoint.requests[0]["messages"][0]["content"].endswith("\n\nCount stitches.")


def test_a_broken_prompt_is_named(tmp_path):
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "knit.md").write_text("Knit.")
    _, complaints, code = agent("run", "A scarf.", cwd=tmp_path, STUDIO_PROMPTS="p")
    assert code == 2
    assert "STUDIO_PROMPTS: p/knit.md does not begin with the words" in complaints


@pytest.mark.engine
def test_json_prints_an_event_a_line(tmp_path):
    with ScriptedEndpoint([submit("42")]) as endpoint:
        out, _, code = agent(
            "run", "Six times seven?", "--json", "--model", "m", "--base-url", endpoint.base_url,
            cwd=tmp_path,
        )  # fmt: skip

    events = [json.loads(line) for line in out.splitlines()]
    assert [event["kind"] for event in events][-2:] == ["workspace.saved", "run.ended"]
    assert events[-1]["summary"] == "42"
    assert code == 0


@pytest.mark.engine
def test_a_run_that_pauses_with_nobody_to_ask_exits_with_1_and_says_how_to_give_it_more(tmp_path):
    with ScriptedEndpoint([bash("echo half > output/half.txt")] * 2) as endpoint:
        out, complaints, code = agent(
            "run", "x", "--max-turns", "2", "--model", "m", "--base-url", endpoint.base_url,
            cwd=tmp_path,
        )  # fmt: skip

    assert code == 1
    assert "Paused: All 2 turns are used up." in out
    assert complaints == "Paused: All 2 turns are used up. Give it more with --max-turns.\n"
    assert (tmp_path / "output/half.txt").read_text() == "half\n"


@pytest.mark.engine
def test_ctrl_c_ends_the_run_and_keeps_what_was_made(tmp_path):
    script = [bash("echo kept > output/kept.txt; sleep 60")]
    with (
        ScriptedEndpoint(script) as endpoint,
        start(
            "run", "x", "--model", "m", "--base-url", endpoint.base_url, "--json", cwd=tmp_path
        ) as process,
    ):
        for line in process.stdout:
            if json.loads(line)["kind"] == "artifact.saved":
                process.send_signal(signal.SIGINT)
                break
        rest = process.stdout.read()

    assert json.loads(rest.splitlines()[-1])["reason"] == "stopped"
    assert process.returncode == 1
    assert (tmp_path / "output/kept.txt").read_text() == "kept\n"


@pytest.mark.engine
def test_a_result_cannot_leave_the_folder_or_replace_the_records(tmp_path):
    command = "echo mine > output/run.jsonl; mkdir -p 'output/a b'; echo y > 'output/a b/é\n.txt'"
    # The first submit is told that `run.jsonl` does not hold what its name says.
    with ScriptedEndpoint([bash(command), submit("ok"), submit("ok")]) as endpoint:
        _, complaints, code = agent(
            "run", "x", "--model", "m", "--base-url", endpoint.base_url, cwd=tmp_path
        )

    assert (code, complaints) == (0, "")
    made = tmp_path / "output"
    assert (made / "output-run.jsonl").read_text() == "mine\n"
    assert (made / "a b" / "é�.txt").read_text() == "y\n"
    assert '"run.started"' in (made / "run.jsonl").read_text().splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "  "], "The request is empty."),
        (["run", "x" * 30_000], "Put it into a file"),
        (["run", "x", "--input", "none.csv"], "There is no file none.csv."),
        (["run", "x", "--output", "file"], "file is not a folder."),
        (["run", "x", "--max-turns", "0"], "must be more than 0"),
        (["run"], "the following arguments are required: prompt"),
        (["run", "x", "--record", "a.jsonl"], "there is nothing for --record"),
        (["run", "x", "--record", "no/a", "--model", "m", "--base-url", "http://h"], "no/a cannot"),
        (["replay", "none.jsonl"], "none.jsonl cannot be read: No such file or directory."),
        (["replay", "file"], "file: line 1: this is no JSON"),
        (["replay", "lost.jsonl"], "it does not tell of a run's beginning"),
        (["replay", "given.jsonl"], "The run had been given a.csv. Give it with --input."),
    ],
)
def test_wrong_usage_says_what_to_do_and_exits_with_2(tmp_path, arguments, said):
    (tmp_path / "file").write_text("")
    (tmp_path / "lost.jsonl").write_text('{"kind": "model.spoke", "turn": 1}')
    started = {"kind": "run.started", "prompt": "x", "model": "m", "inputs": ["a.csv"]}
    (tmp_path / "given.jsonl").write_text(json.dumps(started))
    _, complaints, code = agent(*arguments, cwd=tmp_path)

    assert said in complaints
    assert code == 2


def test_a_missing_engine_exits_with_3_and_says_what_to_do(tmp_path):
    nowhere = {"DOCKER_HOST": "unix:///nonexistent.sock"}
    out, _, code = agent("run", "A waltz.", cwd=tmp_path, **nowhere)
    assert code == 3
    assert "No container engine answers" in out

    out, _, code = agent("doctor", cwd=tmp_path, **nowhere)
    assert code == 3
    assert "✗ Engine" in out
    assert "→ Run scripts/setup" in out
    assert "✓ Model: none connected" in out


@pytest.mark.engine
def test_a_refused_key_exits_with_3_and_is_never_shown(tmp_path):
    refusal = (401, {"error": {"message": "bad key sk-canary"}})
    with ScriptedEndpoint([refusal]) as endpoint:
        out, complaints, code = agent(
            "run", "x", "--model", "m", "--base-url", endpoint.base_url,
            cwd=tmp_path, OPENAI_API_KEY="sk-canary",
        )  # fmt: skip

    assert code == 3
    assert "refused the key" in out
    assert "sk-canary" not in out + complaints


@contextmanager
def engine_that_says(info):
    """The address of an engine that tells what it is and has nothing."""

    class Engine(BaseHTTPRequestHandler):
        def do_GET(self):
            known = self.path.endswith(("/version", "/info"))
            said = {"Version": "1", "ApiVersion": "1.41", "message": "There is none."}
            body = json.dumps(said | info).encode()
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        # Creating a container is a POST.
        do_POST = do_GET

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Engine) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"tcp://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_doctor_names_what_the_engine_cannot_limit_and_how_to_mend_it(tmp_path):
    info = {"SecurityOptions": ["name=apparmor"], "MemoryLimit": True, "CpuCfsQuota": True}
    with engine_that_says({**info, "SwapLimit": False, "PidsLimit": True}) as address:
        out, _, code = agent("doctor", cwd=tmp_path, DOCKER_HOST=address)
    assert code == 3
    assert "✗ Limits: The engine cannot limit system calls, swap." in out
    assert "swapaccount=1" in out


@pytest.fixture
def two_endpoints(tmp_path):
    """A file of two endpoints, of which the first answers and the second refuses its key."""
    look = Reply(calls=(call("look", path="picture.png"),))
    refusal = (401, {"error": {"message": "sk-canary is none of ours"}})
    with (
        ScriptedEndpoint([look, Reply("Blue, yellow.")]) as first,
        ScriptedEndpoint([refusal]) as second,
    ):
        (tmp_path / "key").write_text("sk-canary")
        (tmp_path / "endpoints.toml").write_text(
            f'[endpoints.a]\nbase_url = "{first.base_url}"\n'
            '[[endpoints.a.models]]\nname = "large"\n'
            f'[endpoints.b]\nbase_url = "{second.base_url}"\nkey_file = "key"\n'
            '[[endpoints.b.models]]\nname = "small"\nsees = false\n'
        )
        yield first, second


def test_the_doctor_asks_every_model_that_is_offered(tmp_path, two_endpoints):
    first, second = two_endpoints
    nowhere = {"DOCKER_HOST": "unix:///nonexistent.sock", "STUDIO_ENDPOINTS": "endpoints.toml"}
    out, complaints, _ = agent("doctor", cwd=tmp_path, COLUMNS="500", **nowhere)
    assert "✓ Model: a/large: large answers in " in out
    assert "calls tools. It sees pictures." in out
    assert "✗ Model: b/small: " in out
    assert "refused the key" in out
    assert "sk-canary" not in out + complaints
    assert (len(first.requests), second.keys) == (2, ["sk-canary"])


def test_a_model_is_chosen_among_the_endpoints(tmp_path, two_endpoints):
    nowhere = {"DOCKER_HOST": "unix:///nonexistent.sock", "STUDIO_ENDPOINTS": "endpoints.toml"}
    out, _, _ = agent("doctor", "--model", "b/small", cwd=tmp_path, COLUMNS="500", **nowhere)
    assert "Model: b/small" in out
    assert "a/large" not in out
    _, complaints, code = agent("run", "x", "--model", "c/none", cwd=tmp_path, **nowhere)
    assert (code, complaints) == (
        3,
        "There is no model 'c/none'. Choose one of a/large, b/small.\n",
    )


@pytest.mark.engine
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_command_that_looks_for_the_key_finds_and_leaves_nothing(tmp_path, options):
    look = "cd output; (env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline) 2>&1 | tee all.txt"
    with ScriptedEndpoint([bash(look), submit("Nothing.")]) as endpoint:
        out, complaints, code = agent(
            "run", "x", *options, "--model", "m", "--base-url", endpoint.base_url,
            cwd=tmp_path, OPENAI_API_KEY="sk-canary",
        )  # fmt: skip

    assert code == 0, complaints
    assert endpoint.keys == ["sk-canary", "sk-canary"]
    made = {path.name: path.read_bytes() for path in (tmp_path / "output").iterdir()}
    assert set(made) == {"all.txt", *RECORDS}
    assert all(b"PATH=" in data for data in made.values())
    assert b"sk-canary" not in b"".join(made.values())
    assert "sk-canary" not in out + complaints + str(endpoint.requests)


@pytest.mark.engine
@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize("half", ["\\ud83d", "\\udcff"])
def test_half_a_character_from_the_model_ends_no_run(tmp_path, options, half):
    wishes = (
        ToolCall("1", "str_replace_editor", f'{{"command": "view", "path": "{half}"}}'),
        ToolCall("2", "execute_bash", f'{{"command": "echo {half}"}}'),
    )
    with ScriptedEndpoint([Reply(calls=wishes), submit("ok")]) as endpoint:
        out, complaints, code = agent(
            "run", "x", *options, "--model", "m", "--base-url", endpoint.base_url, cwd=tmp_path
        )

    assert (code, complaints) == (0, ""), out
    assert "surrogates not allowed" in out or half == "\\udcff"


@pytest.mark.engine
def test_the_doctor_finds_everything_well(tmp_path):
    with ScriptedEndpoint([Reply("yes")]) as endpoint:
        out, _, code = agent(
            "doctor", "--model", "m", "--base-url", endpoint.base_url, cwd=tmp_path
        )

    assert code == 0, out
    for subject in ("Engine", "Limits", "Image", "Sandbox", "Model", "Disk"):
        assert f"✓ {subject}" in out


@pytest.mark.engine
def test_a_run_with_packages_reaches_its_proxy_and_the_model_is_told(tmp_path):
    probe = bash("curl -s -o /dev/null -w '%{http_code}' http://example.test/ > output/status.txt")
    with ScriptedEndpoint([probe, submit("Done.")]) as endpoint:
        _, complaints, code = agent(
            "run", "Go.", "--network", "packages", "--model", "m", "--base-url", endpoint.base_url,
            cwd=tmp_path, OPENAI_API_KEY="sk-canary",
        )  # fmt: skip
    assert (code, complaints) == (0, "")
    assert (tmp_path / "output" / "status.txt").read_text() == "403"
    assert "you reach the package indexes" in endpoint.requests[0]["messages"][0]["content"]
