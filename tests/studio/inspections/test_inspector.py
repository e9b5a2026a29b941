"""What the inspector does with good files, with bad ones, and with those that fight back."""

from __future__ import annotations

import json

import pytest

from agent.errors import SandboxUnavailable
from studio.accounts.models import User
from studio.artifacts.models import Artifact
from studio.inspections import inspector, queue, tasks, workbench
from studio.inspections.models import Inspection, Preview, Role, State, Text, Verdict
from studio.media import store
from studio.projects.models import Input
from studio.projects.requests import begin_project
from studio.runs import claims as runs
from studio.runs.models import Run
from tests.studio.conftest import follow_up, kinds, save
from tests.studio.inspections.conftest import GOOD, POSTER, inspect_all

pytestmark = pytest.mark.django_db


def of(path: str) -> Inspection:
    return Inspection.objects.get(version__artifact__path=path)


def test_all_waiting_files_are_inspected_in_one_sandbox(run: Run, benches) -> None:
    def says(bench, path, words):
        bench.files["/workspace/.results/poster.jpg"] = POSTER
        poster = {"role": "poster", "file": "poster.jpg", "width": 640, "height": 360}
        return {**GOOD, "width": 4, "height": 4, "seconds": 2.5, "previews": [poster]}

    taken = benches(says)
    save(run, "a.png", b"1")
    save(run, "sub/b.png", b"2")
    inspect_all()
    assert [bench.inspected for bench in taken] == [["sub/b.png", "a.png"]]
    assert taken[0].closed
    found = of("sub/b.png")
    assert (found.state, found.verdict, found.media_type) == ("done", "passed", "image/png")
    assert (found.width, found.height, found.seconds) == (4, 4, 2.5)
    assert found.facts == {"size": "4x4"}
    preview = found.previews.get()
    assert (preview.role, preview.width, preview.size) == (Role.POSTER, 640, len(POSTER))
    assert b"".join(store().open(preview.digest)) == POSTER
    assert kinds(run) == ["artifact.saved"] * 2 + ["artifact.inspected"] * 2


def test_what_can_be_read_in_a_file_is_kept_with_what_was_found(run: Run, benches) -> None:
    benches(lambda bench, path, words: {**GOOD, "text": f"words of\n{path}"})
    save(run, "a.txt", b"1")
    inspect_all()
    assert of("a.txt").text.text == "words of a.txt"
    save(run, "a.txt", b"2")
    assert not Text.objects.exists()
    inspect_all()
    save(follow_up(run), "a.txt", b"2")
    assert [text.text for text in Text.objects.all()] == ["words of a.txt"] * 2


def test_findings_make_the_verdict_whatever_else_is_told(run: Run, benches) -> None:
    levels = {"a.png": [], "b.png": ["warn"], "c.png": ["warn", "fail"]}

    def says(bench, path, words):
        findings = [{"level": level, "code": "x", "text": "x"} for level in levels[path]]
        return {**GOOD, "verdict": "passed", "findings": findings}

    benches(says)
    for path in levels:
        save(run, path, path.encode())
    inspect_all()
    assert [of(path).verdict for path in levels] == ["passed", "warned", "failed"]


def test_a_bad_file_costs_its_own_inspection_only(run: Run, benches) -> None:
    def says(bench, path, words):
        match path:
            case "slow.png":
                raise TimeoutError
            case "bomb.png":
                raise MemoryError
            case "nonsense.png":
                return b"[" * 100_000
        return GOOD

    taken = benches(says)
    for path in ("good.png", "slow.png", "bomb.png", "nonsense.png"):
        save(run, path, path.encode())
    inspect_all()
    bad = {path: of(path) for path in ("slow.png", "bomb.png", "nonsense.png")}
    assert {item.state for item in bad.values()} == {State.GIVEN_UP}
    assert {path: item.findings[0]["code"] for path, item in bad.items()} == {
        "slow.png": "inspection_too_slow",
        "bomb.png": "inspection_out_of_memory",
        "nonsense.png": "inspection_broken",
    }
    assert of("good.png").verdict == Verdict.PASSED
    # Nobody goes on in a sandbox where something went wrong.
    assert [bench.inspected for bench in taken] == [
        ["nonsense.png"],
        ["bomb.png"],
        ["slow.png"],
        ["good.png"],
    ]
    # The files stay as they are.
    assert Artifact.objects.shown().count() == 4


def test_what_was_found_before_the_memory_was_exhausted_is_kept(run: Run, benches) -> None:
    unchecked = {"level": "warn", "code": "unchecked", "text": "no memory"}

    def says(bench, path, words):
        bench.reached = path == "bomb.png"
        return {**GOOD, "findings": [unchecked] if bench.reached else []}

    taken = benches(says)
    save(run, "good.png", b"1")
    save(run, "bomb.png", b"2")
    inspect_all()
    assert (of("bomb.png").state, of("bomb.png").verdict) == (State.DONE, Verdict.UNKNOWN)
    assert of("good.png").verdict == Verdict.PASSED
    assert [bench.inspected for bench in taken] == [["bomb.png"], ["good.png"]]


def test_a_sandbox_that_breaks_is_tried_three_times(run: Run, benches) -> None:
    def says(bench, path, words):
        raise SandboxUnavailable("The sandbox no longer answers.")

    taken = benches(says)
    save(run, "a.png", b"1")
    inspect_all()
    assert len(taken) == 3
    assert (of("a.png").state, of("a.png").verdict) == (State.GIVEN_UP, Verdict.UNKNOWN)


def test_without_an_engine_files_wait(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def bench():
        raise SandboxUnavailable("No container engine answers.")

    monkeypatch.setattr(inspector, "bench", bench)
    save(run, "a.png", b"1")
    inspector.take_turn()
    assert (of("a.png").state, of("a.png").tries) == (State.WAITING, 0)


def test_an_inspector_that_must_go_leaves_the_file_to_others(
    run: Run, benches, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Closing:
        asked = 0

        def is_set(self) -> bool:
            self.asked += 1
            return self.asked > 2

    monkeypatch.setattr(inspector, "closing", Closing())
    benches(lambda bench, path, words: GOOD)
    save(run, "a.png", b"1")
    inspector.take_turn()
    row = of("a.png")
    assert (row.state, row.tries, row.claim) == (State.WAITING, 0, None)


def test_nobody_waits_until_all_files_of_another_are_done(
    run: Run, charlie: User, benches, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = benches(lambda bench, path, words: GOOD)
    monkeypatch.setattr(inspector, "TURN_FILES", 3)
    for number in range(8):
        save(run, f"{number}.png", bytes([number]))
    inspector.take_turn()
    others = begin_project(charlie, "A map", [])
    save(others, "map.png", b"map")
    inspect_all()
    assert [bench.inspected for bench in taken] == [
        ["7.png", "6.png", "5.png"],
        ["map.png"],
        ["4.png", "3.png", "2.png"],
        ["1.png", "0.png"],
    ]


def test_a_turn_is_over_after_its_time_and_somebody_is_told_to_go_on(
    run: Run, benches, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    monkeypatch.setattr(tasks.inspect, "apply_async", lambda priority: told.append(priority))
    monkeypatch.setattr(inspector, "TURN_SECONDS", 0.0)
    taken = benches(lambda bench, path, words: GOOD)
    save(run, "a.png", b"1")
    save(run, "b.png", b"2")
    inspector.take_turn()
    assert [bench.inspected for bench in taken] == [["b.png"]]
    assert len(told) == 1
    inspector.take_turn()
    assert of("a.png").state == State.DONE
    assert len(told) == 1


def test_a_file_too_large_for_the_sandbox_is_not_put_into_one(run: Run, benches) -> None:
    taken = benches(lambda bench, path, words: GOOD)
    save(run, "a.mp4", b"1")
    of("a.mp4").version.__class__.objects.update(size=2**40)
    inspect_all()
    assert of("a.mp4").findings[0]["code"] == "inspection_too_large"
    assert taken[0].inspected == []


def test_bytes_that_are_gone_are_nobodys_fault(run: Run, benches) -> None:
    benches(lambda bench, path, words: GOOD)
    store().path(save(run, "a.png", b"1")).unlink()
    inspect_all()
    assert of("a.png").state == State.GIVEN_UP


def test_a_page_finds_the_other_files_of_its_project_and_a_picture_is_alone(
    run: Run, benches
) -> None:
    seen = {}

    def says(bench, path, words):
        seen[path] = sorted(name for name in bench.files if name.startswith("/workspace/output/"))
        return GOOD

    benches(says)
    save(run, "js/app.js", b"1")
    save(run, "poster.png", b"1")
    save(run, "index.html", b"<script src=js/app.js></script>")
    inspect_all()
    whole = ["index.html", "js/app.js", "poster.png"]
    assert seen["index.html"] == [f"/workspace/output/{name}" for name in whole]
    assert seen["poster.png"] == ["/workspace/output/poster.png"]


def test_an_input_is_inspected_under_its_name(run: Run, benches) -> None:
    taken = benches(lambda bench, path, words: GOOD)
    blob = store().put([b"a,b\n"])
    file = Input.objects.create(project=run.project, name="a b.csv", digest=blob.digest, size=4)
    queue.expect_input(file)
    inspect_all()
    assert taken[0].inspected == ["a b.csv"]
    assert Inspection.objects.get(input=file).verdict == Verdict.PASSED


@pytest.mark.parametrize(
    ("label", "there"),
    [
        ("a/b.png", "a/b.png"),
        ("-rf *; $(id).png", "-rf *; $(id).png"),
        ("../../etc/passwd", "file"),
        ("/etc/x.png", "file.png"),
        ("a/../../b.html", "file.html"),
        (f"{'ä' * 200}.png", "file.png"),
        ("a//b.png", "file.png"),
        ("x.p;rm", "x.p;rm"),
    ],
)
def test_a_label_never_leads_out_of_the_output_folder(label: str, there: str) -> None:
    assert workbench.place(label) == f"/workspace/output/{there}"


def test_a_preview_that_is_something_else_is_left_out(run: Run, benches) -> None:
    def says(bench, path, words):
        bench.files["/workspace/.results/poster.jpg"] = b"<script>alert(1)</script>"
        bench.files["/workspace/.results/peaks.json"] = json.dumps(
            {"peaks": [[-0.5, 0.5]], "seconds": 1.0, "more": "<script>"}
        ).encode()
        previews = [
            {"role": "poster", "file": "poster.jpg"},
            {"role": "peaks", "file": "peaks.json"},
            {"role": "strip", "file": "nowhere.jpg"},
        ]
        return {**GOOD, "previews": previews}

    benches(says)
    save(run, "a.mp3", b"1")
    inspect_all()
    assert of("a.mp3").state == State.DONE
    preview = Preview.objects.get()
    assert preview.role == Role.PEAKS
    kept = b"".join(store().open(preview.digest))
    assert json.loads(kept) == {"peaks": [[-0.5, 0.5]], "seconds": 1.0}


def test_what_is_asked_for_is_passed_on_for_the_file_that_must_be_meant(run: Run, benches) -> None:
    asked = {}

    def says(bench, path, words):
        asked[path] = json.loads(words[words.index("--asked") + 1]) if "--asked" in words else {}
        return GOOD

    benches(says)
    Run.objects.filter(pk=run.pk).update(prompt="A video of 30 seconds")
    for path in ("film.mp4", "its music.wav", "one.png"):
        save(run, path, path.encode())
    inspect_all()
    assert asked == {"film.mp4": {"seconds": 30.0}, "its music.wav": {}, "one.png": {}}

    save(run, "another.mp4", b"another")
    inspect_all()
    assert asked["another.mp4"] == {}


def test_a_file_of_an_old_run_is_inspected_while_the_next_one_works(run: Run, benches) -> None:
    benches(lambda bench, path, words: GOOD)
    save(run, "a.png", b"1")
    later = follow_up(run)
    assert runs.claim(later.pk)
    inspect_all()
    assert kinds(run) == ["artifact.saved", "artifact.inspected"]
    assert kinds(later) == []
