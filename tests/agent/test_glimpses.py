"""Glimpses on their way into the store: how often, and what becomes of those that cannot be had."""

import pytest

from agent import Agent
from agent.capture import Capture
from agent.errors import FileChanged
from agent.events import Event
from agent.glimpses import LIMITS, Glimpses
from agent.hints import Glimpse, Rendering
from agent.limits import Limits
from agent.testing import MemorySandbox, ScriptedModel, bash, submit
from tests.agent.pieces import png, wav


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def sandbox():
    return MemorySandbox()


@pytest.fixture
def capture(sandbox, store):
    return Capture(sandbox, store, Limits())


@pytest.fixture
def glimpses(sandbox, store, capture, clock):
    return Glimpses(sandbox, store, capture, clock)


def test_the_newest_picture_and_sound_are_stored_and_told(glimpses, sandbox, store, clock):
    sandbox.files["/workspace/a\n.png"] = png(1)
    sandbox.files["/workspace/b.wav"] = wav(b"sound")
    assert list(glimpses.look()) == []
    clock.now = 2
    picture, sound = glimpses.look()
    assert (picture.path, picture.media, picture.size) == ("a�.png", "image", len(png(1)))
    assert b"".join(store.open(picture.digest)) == png(1)
    assert (sound.path, sound.media) == ("b.wav", "audio")
    assert b"".join(store.open(sound.digest)) == wav(b"sound", told=5)


def test_what_is_among_the_files_already_is_not_shown_as_being_made(
    glimpses, sandbox, capture, clock
):
    sandbox.write("/workspace/output/piece.wav", [wav(b"sound", told=5)])
    assert [each.path for each in capture.take(sandbox.settle())] == ["piece.wav"]
    sandbox.files["/workspace/draft.wav"] = wav(b"sound", told=5)
    clock.now = 2
    assert list(glimpses.look()) == []
    sandbox.files["/workspace/draft.wav"] = wav(b"other sound", told=11)
    clock.now = 4
    assert [each.path for each in glimpses.look()] == ["draft.wav"]


def test_it_looks_every_two_seconds(glimpses, sandbox, clock):
    told = []
    for tenth in range(0, 101, 5):
        clock.now = tenth / 10
        sandbox.files["/workspace/a.png"] = png(tenth)
        told += [clock.now for _ in glimpses.look()]
    assert told == [2, 4, 6, 8, 10]


def test_after_a_look_that_took_long_or_much_it_waits_longer(glimpses, sandbox, clock):
    clock.now = 2
    sandbox.files["/workspace/a.png"] = png(1)
    for _ in glimpses.look():
        clock.now += 0.2
    clock.now = 12.1
    sandbox.files["/workspace/a.png"] = png(2)
    assert list(glimpses.look()) == []
    clock.now = 12.3
    sandbox.files["/workspace/a.png"] = png(2)[:-12] + bytes(1_000_000) + png(2)[-12:]
    assert len(list(glimpses.look())) == 1
    sandbox.files["/workspace/a.png"] = png(3)
    clock.now = 16.2
    assert list(glimpses.look()) == []
    clock.now = 16.4
    assert len(list(glimpses.look())) == 1


def test_on_a_machine_so_busy_that_a_look_takes_seconds_it_looks_every_ten(
    glimpses, sandbox, clock
):
    told = []
    for second in range(2, 60):
        clock.now = max(clock.now, second)
        sandbox.files["/workspace/a.png"] = png(second)
        for _ in glimpses.look():
            told.append(clock.now)
            clock.now += 3
    assert told == [2, 15, 28, 41, 54]


class Changing(MemorySandbox):
    """Its pictures are written to while they are read."""

    def glimpse(self, media, limit):
        seen = super().glimpse(media, limit)
        return seen and type(seen)(seen.path, seen.size, self.broken())

    def broken(self):
        yield b"half"
        raise FileChanged("a.png was written to")


def test_what_changes_meanwhile_or_finds_no_room_is_left_out(store, clock):
    sandbox = Changing()
    sandbox.files["/workspace/a.png"] = png(1)
    glimpses = Glimpses(sandbox, store, Capture(sandbox, store, Limits()), clock)
    clock.now = 2
    assert list(glimpses.look()) == []
    assert not [path for path in store.root.rglob("*") if path.is_file()]


def test_nobody_is_shown_what_nobody_watches(sandbox, capture, clock):
    glimpses = Glimpses(sandbox, None, capture, clock)
    sandbox.files["/workspace/a.png"] = png(1)
    clock.now = 2
    assert list(glimpses.look()) == []
    assert sandbox.glimpse("image", LIMITS["image"])


def test_a_command_tells_how_far_it_has_come_and_the_next_one_begins_anew(store):
    model = ScriptedModel(
        [bash("echo frame 3/4; echo frame 4/4"), bash("echo frame 1/4"), submit("Done.")]
    )
    items = list(Agent(model, MemorySandbox(), store).run("Make a film."))
    said = [item for item in items if isinstance(item, Rendering)]
    assert [one.fraction for one in said] == [0.75, 1.0, 0.25]
    assert not [item for item in items if isinstance(item, Glimpse)]
    assert not any(isinstance(one, Event) for one in said)
