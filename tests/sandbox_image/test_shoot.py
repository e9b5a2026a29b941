"""`shoot` shows a page and says what went wrong in it."""

import pytest

from tests.sandbox_image.conftest import Box

pytestmark = pytest.mark.engine


def page(body: str, style: str = "") -> str:
    return f"<!doctype html><html lang=en><title>t</title><style>{style}</style><body>{body}"


def size_of(box: Box, name: str) -> str:
    return box.ok(f"identify -format %wx%h '{name}'")


def test_a_page_becomes_a_picture_of_the_asked_size(box: Box) -> None:
    box.write("plain.html", page("<h1>Hello 你好</h1>"))
    assert "0 problems" in box.ok("shoot plain.html plain.png --width 400 --height 300")
    assert size_of(box, "plain.png") == "400x300"
    box.ok("shoot plain.html twice.png --width 400 --height 300 --scale 2")
    assert size_of(box, "twice.png") == "800x600"


def test_full_takes_in_the_whole_page(box: Box) -> None:
    box.write("long.html", page("<div style='height: 3000px'>x</div>", "body { margin: 0 }"))
    box.ok("shoot long.html long.png --width 400 --full")
    assert size_of(box, "long.png") == "400x3000"


def test_a_pdf_has_the_paper_of_the_pages_rule(box: Box) -> None:
    box.write("card.html", page("<p>Card", "@page { size: 148mm 105mm; margin: 0 }"))
    box.ok("shoot card.html card.pdf")
    assert "paper A6 landscape" in box.ok("check card.pdf")


def test_a_pdf_is_a4_when_the_page_asks_for_nothing(box: Box) -> None:
    box.write("letter.html", page("<p>Dear"))
    box.ok("shoot letter.html letter.pdf")
    assert "A4 portrait" in box.ok("check letter.pdf")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("console.error('too', 'bad')", "console error: too bad"),
        ("undefinedFunction()", "uncaught: ReferenceError: undefinedFunction is not defined"),
        ("Promise.reject(new Error('late'))", "uncaught: Error: late"),
        ("document.body.append(Object.assign(new Image, {src: 'no.png'}))", "no.png"),
        ("fetch('https://example.com/x').catch(() => 0)", "https://example.com/x"),
    ],
)
def test_problems_are_printed_and_make_it_fail(box: Box, script: str, message: str) -> None:
    box.write("bad.html", page(f"<p>x<script>{script}</script>"))
    result = box.run("shoot bad.html bad.png")
    assert result.status == 1
    assert message in result.output
    assert size_of(box, "bad.png") == "1280x800"


def test_problems_inside_other_processes_of_the_page_are_told_apart(box: Box) -> None:
    box.write(
        "warn.html", page("<script>console.warn('only a warning'); console.log('log')</script>")
    )
    assert box.run("shoot warn.html warn.png").status == 0


def test_a_page_that_never_rests_is_stopped(box: Box) -> None:
    box.write("busy.html", page("<script>while (true) {}</script>"))
    result = box.run("shoot busy.html busy.png --timeout 4", seconds=20)
    assert result.status == 2
    assert "in time" in result.output
    box.await_end_of("chromium")


def test_what_is_not_there_is_said(box: Box) -> None:
    result = box.run("shoot nowhere.html a.png")
    assert (result.status, result.output.strip()) == (2, "shoot: no such file: nowhere.html")


def test_javascript_can_act_before_the_picture(box: Box) -> None:
    box.write("click.html", page("<button onclick=\"this.textContent = 'done'\">go</button>"))
    script = "document.querySelector('button').click(); document.body.innerText"
    assert box.ok(f'shoot click.html click.png --js "{script}"').splitlines()[0] == "done"


def test_animations_and_time_are_given_their_wait(box: Box) -> None:
    box.write("late.html", page("<script>setTimeout(() => console.error('now'), 700)</script>"))
    assert box.run("shoot late.html late.png").status == 0
    assert box.run("shoot late.html late.png --wait 1200").status == 1
