"""Pictures and sounds that are still being made, as every sandbox shows them."""

import time

import pytest

from agent import DockerSandbox, SandboxUnavailable
from agent.errors import FileChanged
from agent.sandbox import Printed
from agent.sandbox.channel import Channel
from agent.sandbox.guest import GuestSandbox
from agent.testing import MemorySandbox
from sandbox_image.guest.glimpse import is_whole, sound_head
from sandbox_image.guest.protocol import Kind, pack, pack_json
from tests.agent.pieces import png, wav
from tests.agent.sandbox.answers import Answers
from tests.agent.sandbox.commands import output

LIMIT = 1 << 20


@pytest.fixture(params=[MemorySandbox, pytest.param(DockerSandbox, marks=pytest.mark.engine)])
def sandbox(request):
    with request.param() as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def container():
    with DockerSandbox() as sandbox:
        yield sandbox


def seen(sandbox, media, limit=LIMIT):
    """The next glimpse, also of what was written just before."""
    found = sandbox.glimpse(media, limit)
    return found and (found.path, b"".join(found.chunks))


def test_the_newest_whole_picture_is_seen_once_and_again_when_it_is_another(sandbox):
    assert sandbox.glimpse("image", LIMIT) is None
    sandbox.write("/workspace/frames/1.png", [png(10)])
    assert seen(sandbox, "image") == ("frames/1.png", png(10))
    assert sandbox.glimpse("image", LIMIT) is None
    sandbox.write("/workspace/frames/2.png", [png(20)])
    assert seen(sandbox, "image") == ("frames/2.png", png(20))
    sandbox.write("/workspace/frames/2.png", [png(30)])
    assert seen(sandbox, "image") == ("frames/2.png", png(30))
    assert sandbox.glimpse("audio", LIMIT) is None


def test_half_a_picture_what_is_hidden_given_large_or_finished_is_passed_over(sandbox):
    sandbox.write("/workspace/1.png", [png(10)])
    sandbox.write("/workspace/2.png", [png(20)[:-5]])
    sandbox.write("/workspace/input/3.png", [png(30)])
    sandbox.write("/workspace/.cache/4.png", [png(40)])
    sandbox.write("/workspace/output/5.png", [png(50)])
    sandbox.write("/workspace/6.png", [png(60)[:-12], bytes(2000), png(60)[-12:]])
    assert seen(sandbox, "image", limit=1000) == ("1.png", png(10))


def test_of_a_sound_that_is_being_written_all_is_seen_that_has_come(sandbox):
    sandbox.write("/workspace/piece.wav", [wav(b"abcd" * 1000)])
    assert seen(sandbox, "audio") == ("piece.wav", wav(b"abcd" * 1000, told=4000))
    sandbox.write("/workspace/piece.wav", [wav(b"abcd" * 3000)])
    assert seen(sandbox, "audio") == ("piece.wav", wav(b"abcd" * 3000, told=12000))
    assert sandbox.read("/workspace/piece.wav", LIMIT) == wav(b"abcd" * 3000)


def test_a_glimpse_takes_nothing_from_a_command_that_prints(sandbox):
    sandbox.write("/workspace/1.png", [png(10)])
    steps = "; ".join(f"echo {n}" for n in range(300))
    printed, found = b"", []
    for item in sandbox.run(steps, 20):
        if glimpse := sandbox.glimpse("image", LIMIT):
            found.append(b"".join(glimpse.chunks))
        printed += item.data if isinstance(item, Printed) else b""
    assert printed.split() == [str(n).encode() for n in range(300)]
    assert found == [png(10)]


@pytest.mark.engine
def test_what_somebody_still_writes_into_the_output_folder_is_seen_and_told_again_as_it_grows(
    container,
):
    output(container, f"printf '{octal(wav(b'a' * 900))}' >/tmp/head")
    output(container, "exec 7>output/piece.wav; cat /tmp/head >&7")
    assert seen(container, "audio") == ("output/piece.wav", wav(b"a" * 900, told=900))
    output(container, "printf b >&7")
    assert container.glimpse("audio", LIMIT) is None
    output(container, "printf '%900s' >&7")
    _path, sound = seen(container, "audio")
    assert sound == wav(b"a" * 900 + b"b" + b" " * 900, told=1801)
    output(container, "exec 7>&-; rm output/piece.wav")
    assert container.glimpse("audio", LIMIT) is None


@pytest.mark.engine
def test_links_old_files_and_a_crowd_of_files_are_passed_over_in_little_time(container):
    output(
        container,
        f"printf '{octal(png(1))}' >1.png; mkdir away crowd; mv 1.png away; ln -s away a;"
        "ln -s away/1.png b.png; mkfifo c.png; touch -d -1hour away/1.png;"
        "touch -d +1hour d.png; cd crowd; seq -f '%g.png' 20000 | xargs touch; cd ..",
    )
    container.settle()
    before = container.usage().cpu_seconds
    for _ in range(20):
        assert container.glimpse("image", LIMIT) is None
    assert container.usage().cpu_seconds - before < 2
    output(container, "rm -rf crowd away a b.png c.png d.png")


@pytest.mark.engine
def test_of_a_picture_that_is_rewritten_all_the_time_nothing_is_seen_but_whole_ones(container):
    whole = [png(shade) for shade in (10, 20)]
    # Half of it stays long enough to be looked at, and so does all of it.
    lines = [
        f"printf '{octal(one[:40])}' >x.png; sleep 0.05; printf '{octal(one[40:])}' >>x.png"
        for one in whole
    ]
    output(
        container,
        f"(while :; do {lines[0]}; sleep 0.05; {lines[1]}; sleep 0.05; done) >/dev/null 2>&1 &"
        "WRITER=$!",
    )
    found, looks, deadline = set(), 0, time.monotonic() + 60
    while (len(found) < 2 or looks < 300) and time.monotonic() < deadline:
        looks += 1
        try:
            if glimpse := container.glimpse("image", LIMIT):
                found.add(b"".join(glimpse.chunks))
        except FileChanged:
            continue
    output(container, "kill $WRITER; rm x.png")
    assert found == set(whole)


def octal(data):
    return "".join(f"\\{byte:03o}" for byte in data)


def test_what_ends_too_early_is_no_whole_picture():
    def whole(data):
        return is_whole(lambda length, at: data[at : at + length], len(data))

    webp = b"RIFF" + (24).to_bytes(4, "little") + b"WEBP" + bytes(20)
    thumbnail = b"\xff\xd8\xff\xe1\x00\x08abcd\xff\xd9"
    jpeg = thumbnail + b"\xff\xda\x00\x02scan\xff\xd9"
    for picture in (png(1), webp, jpeg[:8] + b"abcd" + jpeg[12:]):
        assert whole(picture)
        assert not any(whole(picture[:end]) for end in range(len(picture)))
    assert not whole(thumbnail)


def test_what_is_no_sound_or_has_none_yet_is_not_shown():
    assert sound_head(wav(b""), 44) is None
    assert sound_head(b"RIFF\0\0\0\0WAVELIST\xff\xff\xff\xff", 20) is None
    assert sound_head(b"#!/bin/sh", 9) is None
    for head in (b"fLaC", b"OggS", b"ID3\4", b"\xff\xfb\x90"):
        assert sound_head(head, 4) == b""
    assert sound_head(wav(b"abcd", told=4), 48) == b""


def data(payload):
    return lambda request: pack(Kind.DATA, request, payload)


def done(request):
    return pack_json(Kind.DONE, request)


def asked(*frames):
    sandbox = GuestSandbox()
    sandbox.open(Channel(Answers(*frames)))
    return sandbox


@pytest.mark.parametrize(
    "head", [b"\xff", b"[]", b"{}", b'{"path": 1, "size": 1}', b'{"path": ""}']
)
def test_a_glimpse_that_does_not_say_properly_what_it_is_breaks_the_sandbox(head):
    with pytest.raises(SandboxUnavailable):
        asked(data(head), data(b"x"), done).glimpse("image", 10)


def test_more_bytes_than_were_asked_for_are_refused():
    sandbox = asked(data(b'{"path": "a.png", "size": 1}'), data(b"x" * (1 << 18)), done)
    with pytest.raises(Exception, match="more than the limit"):
        list(sandbox.glimpse("image", 10).chunks)
    assert sandbox.glimpse("image", 1 << 18).path == "a.png"
