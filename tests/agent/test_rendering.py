"""What printed lines say of how far a command has come, and what they do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.rendering import NOTE_CHARS, Reader

FFMPEG = (
    "Input #0, wav, from 'a.wav':\n  Duration: 00:00:30.00, bitrate: 1536 kb/s\n"
    "frame=  120 fps= 30 q=28.0 size=     256KiB time=00:00:12.00 bitrate= 174kbits/s speed=1x\r"
    "frame=  240 fps= 30 q=28.0 size=     512KiB time=00:00:24.00 bitrate= 174kbits/s speed=1x\r"
)


def told(*pieces):
    reader = Reader()
    said = [reader.read(piece) for piece in pieces]
    return [(one.fraction, one.note) for one in said if one]


@pytest.mark.parametrize(
    ("line", "fraction", "note"),
    [
        ("Rendering:  45%|████▌     | 45/100 [00:04<00:05,  9.9it/s]\r", 0.45, "Rendering 45/100"),
        ("t:  45%|████▌     | 203/450 [00:04<00:05,  9.9it/s, now=None]\r", 0.45, "t 203/450"),
        ("[#####     ] 45 %\r", 0.45, ""),
        ("45.5%\n", 0.455, ""),
        ("frame 120/450\n", 0.2667, "frame 120/450"),
        ("Frame 120 of 450 done\n", 0.2667, "Frame 120 of 450"),
        ("Rendering 3 of 12\n", 0.25, "Rendering 3 of 12"),
        ("Rendering scene_3.png (3/12)...\n", 0.25, "Rendering scene_3.png (3/12)"),
        ("[3/12] castle.png\n", 0.25, "[3/12]"),
        ("120/480 frames\n", 0.25, "120/480 frames"),
        ("Progress: 45.0% eta 12 s\n", 0.45, "Progress"),
        ("45% done\n", 0.45, ""),
        ("渲染进度:45%\n", 0.45, "渲染进度"),
        ("第 3/12 帧\n", 0.25, "第 3/12"),
        ("\x1b[32mRendering\x1b[0m 45%\n", 0.45, "Rendering"),
    ],
)
def test_lines_of_progress_are_read(line, fraction, note):
    assert told(line) == [(fraction, note)]


@pytest.mark.parametrize(
    "line",
    [
        "100% cotton\n",
        "The poster is 80% blue\n",
        "It was made on 5/3/2026\n",
        "Rendered on 5/3/2026\n",
        "Mix 1/2 cup of flour\n",
        "1/2 cup\n",
        "aspect 16/9\n",
        "2 of 3 people agree\n",
        "Rendering 1080p at 30/1001 fps\n",
        "frame 12/4\n",
        "frame 1/1\n",
        "Progress: 450%\n",
        "Rendering done: 100%\n",
        "Downloading numpy-2.0.tar.gz 45% |####    |\n",
        "Receiving objects:  45% (450/1000)\r",
        "loss 0.45 accuracy 88%\n",
        "/tmp/frame/120/450/x.png\n",
        "frame 120/450",
        "x" * 300 + " frame 120/450\n",
    ],
)
def test_other_numbers_are_not_taken_for_progress(line):
    assert told(line) == []


def test_ffmpeg_is_measured_by_the_length_of_what_it_reads():
    assert told(FFMPEG) == [(0.8, "0:24 / 0:30")]
    assert told(*FFMPEG.splitlines(keepends=True)) == [(0.4, "0:12 / 0:30"), (0.8, "0:24 / 0:30")]
    progress = (
        "frame=120\nfps=30\nout_time_us=12000000\nout_time=00:00:12.000000\nprogress=continue\n"
    )
    assert told("  Duration: 00:00:30.00, start: 0\n" + progress) == [(0.4, "0:12 / 0:30")]


def test_of_what_has_no_known_end_only_the_time_is_told():
    piped = FFMPEG.replace("00:00:30.00", "N/A")
    assert told(piped) == [(None, "0:24")]
    assert told(FFMPEG.replace("00:00:30.00", "00:00:00.04")) == [(None, "0:24")]


def test_the_share_does_not_fall_and_other_counts_wait_for_the_end():
    pieces = [
        "scene 1/4\n",
        *(f"frame {n}/30\n" for n in range(1, 31)),
        "scene 2/4\nscene 1/4\n",
        "scene 3/4\n",
    ]
    assert [share for share, _ in told(*pieces)] == [0.25, 0.5, 0.75]


def test_what_follows_a_full_bar_begins_again():
    pieces = ["chunk: 50%|#\r", "chunk: 100%|#\r", "t: 0%|\r", "t: 10%|#\r", "t: 100%|#\r"]
    assert [share for share, _ in told(*pieces)] == [0.5, 1.0, 0.0, 0.1, 1.0]


@given(st.lists(st.text(alphabet="ab \r\n0159%/|:[]=fr.m\x1b█", max_size=40)))
def test_any_text_gives_a_share_or_nothing(pieces):
    at = 0.0
    for share, note in told(*pieces):
        assert share is None or 0 <= share <= 1
        assert share is None or share >= at or at >= 0.98
        assert len(note) <= NOTE_CHARS
        at = at if share is None else share


@given(st.data())
def test_it_does_not_matter_where_the_output_is_cut(data):
    text = FFMPEG + "frame 3/9\r[####  ] 45%\n" + data.draw(st.text(alphabet="frame 0123/%\r\n|"))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert told(*pieces)[-1:] == told(text)[-1:]
