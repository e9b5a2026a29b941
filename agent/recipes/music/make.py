"""Composes a piece from recipe.json and writes its sound, MIDI and sheets."""

import tempfile
from pathlib import Path

import make_midi
import make_sheet
import make_sound
from kit.script import run
from make_compose import compose
from make_numbered import numbered
from make_parts import arrange

OUTPUT = Path("output")


def make(parameters):
    files = {role: OUTPUT / name for role, name in parameters["files"].items()}
    OUTPUT.mkdir(exist_ok=True)
    piece = compose(parameters)
    form = " ".join(section.name for section in piece.sections)
    print(f"{piece.bars} bars at {piece.bpm:.1f} beats a minute: {form}", flush=True)
    parts = arrange(piece, parameters["instruments"])
    make_midi.write(piece, parts, files["midi"])
    print(f"{files['midi']}: {sum(len(p.notes) for p in parts)} notes", flush=True)
    lang, under = parameters["lang"], parameters["instruments"][-1]
    if "numbered_pdf" in files:
        numbered(piece, parameters["subtitle"], lang, files["numbered_pdf"], files["numbered_png"])
        print(f"{files['numbered_pdf']}: numbered notation", flush=True)
    make_sheet.staff(
        piece, parameters["subtitle"], lang, under, files["staff_pdf"], files["staff_png"]
    )
    print(f"{files['staff_pdf']}: staff notation", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        played = Path(folder, "played.mid")
        make_midi.write(piece, parts, played, humanise=parameters["seed"] or 1)
        facts = make_sound.render(
            played, piece.style, piece.seconds, files["wav"], parameters["seed"]
        )
    print(
        "{}: {seconds:.1f} s, {loudness:.1f} LUFS, peak {peak:.1f} dBTP".format(
            files["wav"], **facts
        )
    )


run(make)
