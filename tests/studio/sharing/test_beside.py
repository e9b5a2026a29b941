"""Which files a page needs beside itself."""

from __future__ import annotations

import json
import posixpath
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.artifacts.models import Version
from studio.runs.models import Run
from studio.sharing import beside as module
from studio.sharing.beside import beside, names
from tests.studio.conftest import save


def page_of(run: Run, path: str) -> Version:
    return Version.objects.select_related("artifact").get(run=run, artifact__path=path)


@pytest.mark.django_db
def test_names_are_followed_from_file_to_file(run: Run) -> None:
    for path, text in {
        "site/index.html": "<script type=module src=js/app.js></script><img src='a%20b.png'>",
        "site/js/app.js": "import './util.js'; fetch('data/points.json')",
        "site/js/util.js": "new Worker('../worker.js')",
        "site/worker.js": "",
        "site/data/points.json": json.dumps({"next": "data/more.json"}),
        "site/data/more.json": "",
        "site/a b.png": "",
        "site/b.png": "",
        "points.json": "",
        "util.js": "",
        "site/js/data.json": "",
    }.items():
        save(run, path, text.encode())
    assert beside(page_of(run, "site/index.html")) == {
        "site/js/app.js",
        "site/js/util.js",
        "site/worker.js",
        "site/data/points.json",
        "site/data/more.json",
        "site/a b.png",
    }


@pytest.mark.django_db
def test_what_is_written_anew_in_the_same_run_is_read_anew(run: Run) -> None:
    save(run, "data.json", b"{}")
    save(run, "index.html", b"nothing")
    assert beside(page_of(run, "index.html")) == frozenset()
    save(run, "index.html", b"fetch('data.json')")
    assert beside(page_of(run, "index.html")) == {"data.json"}


@pytest.mark.django_db
def test_what_is_no_page_loads_nothing(run: Run) -> None:
    save(run, "list.txt", b"secret.txt")
    save(run, "secret.txt", b"")
    assert beside(page_of(run, "list.txt")) == frozenset()


NAME = st.from_regex(r"[^\x00-\x1f\x7f-\x9f/\\\\\"'`<>?#%&\u2028\u2029]{1,40}", fullmatch=True)


@given(st.lists(NAME, min_size=1, max_size=3), NAME)
def test_a_name_between_quotes_is_found_and_none_that_is_not_there(
    parts: list[str], other: str
) -> None:
    path = posixpath.normpath("/".join(parts))
    assert path in names(f'<img src="{path}">')
    assert path in names(f"fetch('./{path}?v=1')")
    assert path in names(f'<a href="{quote(path)}">')
    if other not in f'<img src="{path}">':
        assert other not in names(f'<img src="{path}">')


@given(st.text(max_size=300))
def test_whatever_a_file_says_can_be_read(said: str) -> None:
    assert all(names(said))


@pytest.mark.parametrize("longer", ["data.json", "xa.json", "b/a.json", "a.json5", "a.json.gz"])
def test_a_part_of_a_longer_name_is_another_file(longer: str) -> None:
    assert "a.json" not in names(f"fetch('{longer}')")


@pytest.mark.parametrize(
    "said",
    [
        "url(a.png)",
        "![a](a.png)",
        '<img srcset="a.png 2x, b.png">',
        '{"a": "img\\/..\\/a.png"}',
        "mtllib a.png",
        "@import 'a.png';",
    ],
)
def test_names_are_found_as_each_language_writes_them(said: str) -> None:
    assert "a.png" in names(said)


@pytest.mark.django_db
def test_what_is_read_of_all_files_together_has_an_end(run: Run, monkeypatch) -> None:
    monkeypatch.setattr(module, "READ_BYTES", 1000)
    save(run, "index.html", b"a.js b.js" + b" " * 2000)
    for name in ("a.js", "b.js"):
        save(run, name, b"c.js")
    save(run, "c.js", b"")
    assert beside(page_of(run, "index.html")) == {"a.js", "b.js"}
