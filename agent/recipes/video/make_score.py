"""The notes of a film's music, and the MIDI file of them."""

from __future__ import annotations

import random

import mido


class Score:
    """Notes with times in seconds, written as a MIDI file for fluidsynth."""

    def __init__(self, seed):
        self.notes = []
        self.channels = {}
        self.dice = random.Random(seed)

    def play(self, program, start, length, pitch, velocity, level=90, pan=64):
        """One note; program -1 is the drum kit. Each program gets a channel of its own."""
        if start < 0:
            return
        if program not in self.channels:
            free = [c for c in range(16) if c != 9]
            channel = 9 if program < 0 else free[sum(p >= 0 for p in self.channels)]
            self.channels[program] = (channel, level, pan)
        human = self.dice.uniform(-0.006, 0.006)
        loud = round(max(1, min(127, velocity + self.dice.uniform(-5, 5))))
        self.notes.append(
            (
                max(0.0, start + human),
                max(0.05, length),
                round(pitch),
                loud,
                self.channels[program][0],
            )
        )

    def save(self, path):
        track = mido.MidiTrack([mido.MetaMessage("set_tempo", tempo=500000)])
        for program, (channel, level, pan) in self.channels.items():
            if program >= 0:
                track.append(mido.Message("program_change", channel=channel, program=program))
            for control, value in ((7, level), (10, pan), (91, 52)):
                track.append(
                    mido.Message("control_change", channel=channel, control=control, value=value)
                )
        moments = []
        for start, length, pitch, velocity, channel in self.notes:
            moments.append((start, 1, channel, pitch, velocity))
            moments.append((start + length, 0, channel, pitch, 0))
        now = 0
        for moment, on, channel, pitch, velocity in sorted(moments):
            tick = round(moment * 960)
            track.append(
                mido.Message(
                    "note_on" if on else "note_off",
                    channel=channel,
                    note=pitch,
                    velocity=velocity,
                    time=tick - now,
                )
            )
            now = tick
        mido.MidiFile(ticks_per_beat=480, tracks=[track]).save(path)
