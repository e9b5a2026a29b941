"""Writes a piece as a Standard MIDI File: tempo map, key, metre, one track a player."""

import random

import mido

PPQ = 480
KEY_NAMES = {
    "major": ["Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#"],
    "minor": ["Abm", "Ebm", "Bbm", "Fm", "Cm", "Gm", "Dm", "Am", "Em", "Bm", "F#m", "C#m", "G#m",
              "D#m", "A#m"],
}  # fmt: skip


def write(piece, parts, path, humanise=0):
    """Save `piece`; with `humanise` (a seed) time and touch vary as a player's do."""
    rng = random.Random(humanise)
    file = mido.MidiFile(type=1, ticks_per_beat=PPQ, charset="utf-8")
    file.tracks.append(_conductor(piece))
    end = round(piece.bars * piece.bar * PPQ)
    for part in parts:
        events = [
            (0, 0, mido.Message("program_change", program=part.program, channel=part.channel))
        ]
        for control, value in ((7, volume(part.gain)), (10, part.pan)):
            message = mido.Message(
                "control_change", control=control, value=value, channel=part.channel
            )
            events.append((0, 0, message))
        if part.pedal:
            events += _pedal(piece, part.channel)
        for start, length, pitch, velocity in part.notes:
            drift, touch = 0.0, 0
            if humanise:
                drift, touch = rng.gauss(0, 0.009), round(rng.gauss(0, 2.5))
                drift -= 0.006 * (part.channel == 0)
            on = max(0, round((start + drift) * PPQ))
            off = max(on + 20, round((start + length + drift * 0.5) * PPQ) - 4)
            velocity = max(8, min(120, velocity + touch))
            note = {"note": pitch, "channel": part.channel}
            events.append((on, 2, mido.Message("note_on", velocity=velocity, **note)))
            events.append(
                (min(off, end + PPQ * 8), 1, mido.Message("note_off", velocity=40, **note))
            )
        file.tracks.append(_track(part.name, events))
    file.save(path)


def volume(gain):
    """The channel volume that changes the usual 100 by so many dB."""
    return max(1, min(127, round(100 * 10 ** (gain / 40))))


def _conductor(piece):
    numerator, denominator = map(int, piece.metre.split("/"))
    name = KEY_NAMES[piece.key.mode][piece.key.fifths + 7]
    events = [
        (0, 0, mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator)),
        (0, 0, mido.MetaMessage("key_signature", key=name)),
    ]
    pulse = 1.5 if piece.metre == "6/8" else 1.0
    for index, speed in enumerate(piece.pace):
        crotchets = piece.bpm * speed * pulse
        tempo = mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(crotchets))
        if index == 0 or speed != piece.pace[index - 1]:
            events.append((round(index * pulse * PPQ), 1, tempo))
    for section in piece.sections:
        tick = round(section.bar * piece.bar * PPQ)
        events.append((tick, 2, mido.MetaMessage("marker", text=section.name)))
    for chord in piece.chords:
        tick = round(chord.start * PPQ)
        events.append((tick, 3, mido.MetaMessage("text", text=chord.symbol)))
    return _track(piece.title, events)


def _pedal(piece, channel):
    """The pedal changes with every chord and lifts after the last."""
    events = []
    for chord in piece.chords:
        tick = round(chord.start * PPQ)
        down = mido.Message("control_change", control=64, value=100, channel=channel)
        up = mido.Message("control_change", control=64, value=0, channel=channel)
        events += [(max(0, tick - 10), 3, up), (tick + 30, 3, down)]
    end = round(piece.bars * piece.bar * PPQ)
    return [*events, (end + 2 * PPQ, 3, up)]


def _track(name, events):
    track = mido.MidiTrack([mido.MetaMessage("track_name", name=name)])
    last = 0
    for tick, _, message in sorted(events, key=lambda event: event[:2]):
        track.append(message.copy(time=tick - last))
        last = tick
    track.append(mido.MetaMessage("end_of_track"))
    return track
