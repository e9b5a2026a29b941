"""A studio elsewhere that breaks, lies or floods: nothing of it gets further than it should."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from agent.cli import main, studio
from agent.events import ArtifactSaved, Event, ModelSpoke, Reason, RunEnded

MADE = {"project": {"id": "p"}, "run": {"id": "r", "project": "p", "url": "http://page.example/"}}
LISTED = {"items": [{"id": 7}], "next": None}
ENDED = RunEnded(reason=Reason.SUBMITTED, message="Done.", summary="Here it is.")


def saved(path: str, content: bytes) -> ArtifactSaved:
    digest = hashlib.sha256(content).hexdigest()
    return ArtifactSaved(path=path, digest=digest, size=len(content))


def told(*events: Event) -> bytes:
    frames = [
        f"id: {seq}\nevent: {event.kind}\ndata: "
        + json.dumps({"seq": seq, "kind": event.kind, "at": "", "data": event.data()})
        for seq, event in enumerate(events, 1)
    ]
    return "".join(f"{frame}\n\n" for frame in frames).encode()


class ScriptedStudio(ThreadingHTTPServer):
    """Answers a path with what it is given for it, in turn; the last one again and again."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.answers: dict[str, list[tuple[int, bytes]]] = {
            "/api/v1/projects": [(201, json.dumps(MADE).encode())],
            "/api/v1/projects/p/artifacts": [(200, json.dumps(LISTED).encode())],
            "/api/v1/projects/p/artifacts/7/download": [(302, b"/file")],
        }

    def streams(self, *streams: bytes) -> None:
        self.answers["/api/v1/runs/r/stream"] = [(200, each) for each in streams]


class Answering(BaseHTTPRequestHandler):
    server: ScriptedStudio

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.command, path, headers))
        answers = self.server.answers.get(path) or [(404, b"{}")]
        status, body = answers.pop(0) if len(answers) > 1 else answers[0]
        self.send_response(status)
        if status == 302:
            if body:
                self.send_header("Location", self.server.url + body.decode())
            body = b""
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ScriptedStudio]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STUDIO_TOKEN", "ss_canary")
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(studio, "WAITS", (0.0,) * 5)
    with ScriptedStudio() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(elsewhere: ScriptedStudio, *arguments: str) -> int:
    return main(["run", "A poster", "--studio", elsewhere.url, "--json", *arguments])


def printed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_what_comes_is_printed_and_kept(
    elsewhere: ScriptedStudio, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere.answers["/file"] = [(200, b"<svg/>")]
    elsewhere.streams(told(ModelSpoke(turn=1, text="Ok."), saved("a.svg", b"<svg/>"), ENDED))
    assert ask(elsewhere) == 0
    assert [each["kind"] for each in printed(capsys)] == [
        "model.spoke", "artifact.saved", "run.ended",
    ]  # fmt: skip
    assert (tmp_path / "output/a.svg").read_bytes() == b"<svg/>"


def test_the_token_goes_to_the_api_alone(elsewhere: ScriptedStudio) -> None:
    elsewhere.answers["/file"] = [(200, b"<svg/>")]
    elsewhere.streams(told(saved("a.svg", b"<svg/>"), ENDED))
    assert ask(elsewhere) == 0
    with_token = {path for _, path, headers in elsewhere.asked if "authorization" in headers}
    without = {path for _, path, headers in elsewhere.asked if "authorization" not in headers}
    assert all(path.startswith("/api/v1/") for path in with_token)
    assert without == {"/file"}


@pytest.mark.parametrize("content", [b"<SVG/>", b"<svg/> and much more", b"<s"])
def test_bytes_that_are_not_those_that_were_announced_are_not_kept(
    content: bytes, elsewhere: ScriptedStudio, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere.answers["/file"] = [(200, content)]
    elsewhere.streams(told(saved("a.svg", b"<svg/>"), ENDED))
    assert ask(elsewhere) == 3
    assert "a.svg could not be fetched" in capsys.readouterr().err
    assert not (tmp_path / "output/a.svg").exists()


def test_a_file_that_fails_at_first_is_fetched_again(
    elsewhere: ScriptedStudio, tmp_path: Path
) -> None:
    elsewhere.answers["/file"] = [(500, b""), (200, b"<s"), (200, b"<svg/>")]
    elsewhere.streams(told(saved("a.svg", b"<svg/>"), ENDED))
    assert ask(elsewhere) == 0
    assert (tmp_path / "output/a.svg").read_bytes() == b"<svg/>"


def test_a_file_that_was_written_again_meanwhile_is_left_to_its_next_event(
    elsewhere: ScriptedStudio, tmp_path: Path
) -> None:
    elsewhere.answers["/api/v1/projects/p/artifacts/7/download"] = [(404, b"{}"), (302, b"/file")]
    elsewhere.answers["/file"] = [(200, b"<svg>2</svg>")]
    elsewhere.streams(told(saved("a.svg", b"<svg/>"), saved("a.svg", b"<svg>2</svg>"), ENDED))
    assert ask(elsewhere) == 0
    assert (tmp_path / "output/a.svg").read_bytes() == b"<svg>2</svg>"


def test_names_that_lead_elsewhere_stay_in_the_folder(
    elsewhere: ScriptedStudio, tmp_path: Path
) -> None:
    elsewhere.answers["/file"] = [(200, b"<svg/>")]
    names = ("../../up.svg", "/etc/root.svg", "a/../../b.svg", "run.jsonl", "")
    elsewhere.streams(told(*(saved(name, b"<svg/>") for name in names), ENDED))
    assert ask(elsewhere) == 0
    found = {str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*.svg")}
    assert found == {"output/up.svg", "output/etc/root.svg", "output/a/b.svg"}
    assert (tmp_path / "output/output-run.jsonl").read_bytes() == b"<svg/>"
    assert "run.ended" in (tmp_path / "output/run.jsonl").read_text()


def test_what_no_file_can_be_called_is_kept_under_another_name(
    elsewhere: ScriptedStudio, tmp_path: Path
) -> None:
    elsewhere.answers["/file"] = [(200, b"<svg/>")]
    elsewhere.streams(told(*(saved(name, b"<svg/>") for name in ("a\0b.svg", "a.s\0g")), ENDED))
    assert ask(elsewhere) == 0
    made = {each.suffix for each in (tmp_path / "output").iterdir()} - {".json", ".jsonl"}
    assert made == {".svg", ""}


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/api/v1/projects/p/artifacts/7/download", (302, b"")),
        ("/api/v1/projects/p/artifacts/7/download", (302, b":none")),
        ("/api/v1/projects/p/artifacts", (200, b"[" * 100_000)),
        ("/api/v1/projects", (201, b"[" * 100_000)),
        ("/api/v1/projects", (201, json.dumps(MADE).encode().replace(b'"r"', b'"\\u0000"'))),
        ("/api/v1/projects", (201, json.dumps(MADE).encode().replace(b'"r"', b'"\\ud800"'))),
    ],
)
def test_an_answer_that_makes_no_sense_is_no_bug(
    path: str, answer: tuple[int, bytes], elsewhere: ScriptedStudio
) -> None:
    elsewhere.streams(told(saved("a.svg", b"<svg/>"), ENDED))
    elsewhere.answers[path] = [answer]
    assert ask(elsewhere) == 3


def test_after_a_break_only_what_is_new_is_asked_for(elsewhere: ScriptedStudio, capsys) -> None:
    two = (ModelSpoke(turn=1, text="One."), ModelSpoke(turn=2, text="Two."))
    first = told(*two)
    rest = told(*two, ENDED).removeprefix(first)
    elsewhere.streams(first + b"id: 3\nevent: run.en", rest)
    assert ask(elsewhere) == 0
    asked = [
        headers["last-event-id"] for _, path, headers in elsewhere.asked if path.endswith("stream")
    ]
    assert asked == ["0", "2"]
    assert len(printed(capsys)) == 3


def test_what_is_not_understood_is_left_out(
    elsewhere: ScriptedStudio, capsys: pytest.CaptureFixture[str]
) -> None:
    nonsense = [
        "event: from.the.future\nid: 1\ndata: " + '{"seq":1,"kind":"from.the.future","data":{}}',
        "event: model.spoke\nid: 2\ndata: " + '{"seq":2,"kind":"model.spoke","data":{"turn":"x"}}',
        "event: x\ndata: {",
        "event: x\ndata: " + "[" * 100_000,
        "event: hint\ndata: " + '{"kind":"waiting","why":"moon","seconds":1}',
        "event: hint\ndata: null",
        ":",
        "\x1b]0;",
    ]
    elsewhere.streams("".join(f"{each}\n\n" for each in nonsense).encode() + told(ENDED))
    assert ask(elsewhere) == 0
    assert [each["kind"] for each in printed(capsys)] == ["run.ended"]


def test_an_event_without_an_end_is_not_read_for_ever(
    elsewhere: ScriptedStudio, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(studio, "MOST", 1000)
    elsewhere.streams(b"data: " + b"x" * 100_000)
    assert ask(elsewhere) == 3
    assert "The run goes on there: http://page.example/" in capsys.readouterr().err


def test_a_run_of_which_nothing_more_is_told_ends_here_too(elsewhere: ScriptedStudio) -> None:
    elsewhere.streams(told(ModelSpoke(turn=1)) + b"event: end\ndata: {}\n\n")
    assert ask(elsewhere) == 1


@pytest.mark.parametrize(
    ("status", "body", "code", "said"),
    [
        (401, b'{"detail": "No valid token."}', 3, "No valid token."),
        (422, b'{"detail": "Say more."}', 2, "Say more."),
        (429, b'{"detail": "Tomorrow."}', 2, "Tomorrow."),
        (200, b"<html>", 3, "There is no studio"),
        (201, b"{}", 3, "does not answer as a studio"),
        (500, b"[]", 2, "says nothing"),
    ],
)
def test_what_the_studio_refuses_is_said(
    status: int, body: bytes, code: int, said: str,
    elsewhere: ScriptedStudio, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    elsewhere.answers["/api/v1/projects"] = [(status, body)]
    assert ask(elsewhere) == code
    shown = capsys.readouterr()
    assert said in shown.err
    assert "ss_canary" not in shown.err + shown.out
