"""Make a poster: editable SVG and a print PNG. Usage: make.py recipe.json"""

from dataclasses import replace
from pathlib import Path

import make_content
import make_scenes
import numpy as np
from kit.colour import PALETTES, from_colours
from kit.script import run
from kit.svg import Drawing, collisions, contrasts, png
from make_layout import Plan


def draw(parameters, content, scene):
    """The poster as a drawing, in the units of its size."""
    size, lang = parameters["size"], parameters["lang"]
    rng = np.random.default_rng(parameters["seed"])
    moods = [palette for mood in scene.moods for palette in PALETTES[mood]]
    palette = moods[rng.integers(len(moods))]
    if content.colours:
        palette = from_colours(content.colours, palette)
    drawing = Drawing(size["width"], size["height"], size["unit"], title=content.title, lang=lang)
    plan = Plan(content, scene.style, palette, size["width"], size["height"], lang)
    scene.paint(drawing, plan, rng)
    plan.set(drawing)
    return drawing, plan, palette


def make_readable(drawing, palette):
    """Measure every line against the picture under it; recolour what is hard to read."""
    measured = contrasts(drawing)
    weak = [label for label, ratio in measured if ratio < 4.5]
    for colour in (palette.light, palette.deep, "#ffffff", "#000000"):
        if not weak:
            break
        others = {id(label): ratio for label, ratio in measured}
        trial = {id(label): replace_fill(label, colour) for label in weak}
        before = drawing.labels
        drawing.labels = [trial.get(id(label), label) for label in before]
        again = contrasts(drawing)
        keep = []
        for old, (new, ratio) in zip(before, again, strict=True):
            keep.append((new, ratio) if ratio > others[id(old)] else (old, others[id(old)]))
        measured = keep
        drawing.labels = [label for label, _ in measured]
        weak = [label for label, ratio in measured if ratio < 4.5]
    return min(ratio for _, ratio in measured)


def replace_fill(label, colour):
    return replace(label, fill=colour, markup=label.markup.replace(label.fill, colour))


def make(parameters):
    content = make_content.read(parameters)
    scene = make_scenes.choose(
        content.title, parameters["about"], content.words(), parameters["seed"]
    )
    print(f"theme: {scene.name}; title: {content.title}", flush=True)
    drawing, plan, palette = draw(parameters, content, scene)
    least = make_readable(drawing, palette)
    print(f"type: {len(drawing.labels)} lines, least contrast {least:.1f}:1", flush=True)
    for finding in collisions(drawing, 0.4 * plan.margin):
        print(f"finding: {finding}", flush=True)
    out = Path("output")
    out.mkdir(exist_ok=True)
    svg = out / parameters["files"]["svg"]
    svg.write_text(drawing.svg(fonts=True), encoding="utf-8")
    print(f"{svg.name}: {svg.stat().st_size // 1024} KB, live text, fonts inside", flush=True)
    pixels = parameters["pixels"]
    image = out / parameters["files"]["png"]
    png(drawing.svg(), image, pixels["width"], pixels["height"], pixels["dpi"])
    print(f"{image.name}: {pixels['width']} × {pixels['height']} px", flush=True)


run(make)
