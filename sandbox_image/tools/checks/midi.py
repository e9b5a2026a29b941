"""MIDI: length, notes, instruments; notes that hang or collide with themselves."""

from __future__ import annotations

from pathlib import Path

import mido

from checks.report import Report, Unreadable


def check(path: Path, report: Report) -> None:
    try:
        music = mido.MidiFile(path)
    except (OSError, EOFError, ValueError, KeyError, IndexError) as error:
        raise Unreadable(f"not a MIDI file: {error or type(error).__name__}") from None
    report.kind = "MIDI"
    notes, doubled, sounding = 0, 0, {}
    programs, tempos = set(), []
    for message in mido.merge_tracks(music.tracks):
        if message.type == "set_tempo":
            tempos.append(round(mido.tempo2bpm(message.tempo)))
        elif message.type == "program_change":
            programs.add(message.program)
        elif message.type in ("note_on", "note_off"):
            key = (message.channel, message.note)
            if message.type == "note_on" and message.velocity:
                notes += 1
                doubled += key in sounding
                sounding[key] = sounding.get(key, 0) + 1
            elif sounding.pop(key, 0) > 1:
                sounding[key] = 1
    report.seconds = round(music.length, 2) if music.type != 2 else None
    report.facts |= {
        "seconds": round(music.length, 2) if music.type != 2 else "?",
        "tracks": len(music.tracks),
        "notes": notes,
        "tempo": ", ".join(map(str, dict.fromkeys(tempos))) or "120 (none set)",
        "programs": ", ".join(map(str, sorted(programs))) or "none set",
    }
    if not notes:
        report.fail("no_notes", "there is not one note in it")
    if sounding:
        report.warn("hanging_notes", f"{len(sounding)} notes never end", number=len(sounding))
    if doubled:
        report.warn(
            "doubled_notes",
            f"{doubled} notes start while the same note of the same channel still sounds",
            number=doubled,
        )
