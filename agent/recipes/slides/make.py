"""Makes the deck of recipe.json: a self-contained web page that presents, and a PDF of it."""

from __future__ import annotations

import datetime
import json
import re
import subprocess
import sys
from html import escape, unescape
from pathlib import Path

import make_art
import make_chart
import make_deck
import make_source
from kit.lines import fit
from kit.page import web_fonts
from kit.script import run
from make_look import Dress
from make_present import SCRIPT, SHEET, WORDS

OUTPUT = Path("output")
MEASURE = """
document.fonts.ready.then(()=>{
const found=[...document.querySelectorAll('.pad')].map(pad=>{
const body=pad.querySelector('.body'),parts=[pad,...pad.querySelectorAll('*')];
const over=()=>pad.scrollHeight>pad.clientHeight+1||
parts.some(e=>e.clientWidth&&e.scrollWidth>e.clientWidth+1)||
!!body&&body.scrollHeight>body.clientHeight+1;
const largest=pad.parentNode.matches('.title,.closing')?1:1.5;
const fit=(wrap,least)=>{parts.forEach(e=>{e.style.overflowWrap=wrap});
let k=largest;pad.style.setProperty('--k',k);
while(over()&&k>least){k-=.04;pad.style.setProperty('--k',k)}
return over()?0:k};
return +(fit('normal',.9)||fit('anywhere',.66)).toFixed(2)});
console.error('fit '+JSON.stringify(found))})
"""
READABLE = 0.9
"""The scale below which text is too small for a room; a table may go down to `DENSE`."""
DENSE = 0.72
LEAD = re.compile(r"^([^:：]{2,32}?)\s*(?:[:：]|\s[—–]\s|——)\s*(?=\S)(.+)$")


def _lead(point, colon=""):
    """A point with what stands before its colon in bold; `colon` is put back after it."""
    found = LEAD.match(point)
    if not found or re.search(r"https?$|\d$", found[1]):
        return escape(point)
    return f"<b>{escape(found[1])}{colon}</b> {escape(found[2])}"


def _points(slide):
    """Panels or rows that fill the page where the points are few and short; else a list."""
    points = slide["points"]
    count = len(points)
    longest = max(len(p) * (2 if re.search(r"[\u3400-\u9fff]", p) else 1) for p in points)
    items = "".join(
        f"<li><i>{k}</i><div>{_lead(point)}</div></li>" for k, point in enumerate(points, 1)
    )
    short = longest <= 48 and count <= 6
    if (short and (count > 4 or slide["turn"])) or (count == 2 and longest <= 130):
        columns = count if count < 4 else 2 if count == 4 else 3
        size = {2: 1.5, 3: 1.3}.get(count, 1.16)
        return f'<ol class="cards" style="--n:{columns};--size:{size}em">{items}</ol>'
    if longest <= 100 and count <= 4:
        return f'<ol class="rows">{items}</ol>'
    colon = "：" if any("：" in point for point in points) else ":"
    return '<ul class="list">' + "".join(f"<li>{_lead(p, colon)}</li>" for p in points) + "</ul>"


def _agenda(slide):
    count = len(slide["points"])
    columns = 2 if count > 5 else 1
    items = "".join(
        f"<li><i>{k:02d}</i><span>{escape(point)}</span></li>"
        for k, point in enumerate(slide["points"], slide["first"])
    )
    return f'<ol class="agenda" style="--n:{columns};--rows:{-(-count // columns)}">{items}</ol>'


def _pairs(kind):
    def body(slide):
        pairs = slide["points"]
        items = "".join(f"<li><b>{escape(a)}</b>{escape(b)}</li>" for a, b in pairs)
        return f'<ol class="{kind}" style="--n:{len(pairs)}">{items}</ol>'

    return body


def _row(cells, tag, numeric):
    inner = "".join(
        f"<{tag}{' class=num' if k in numeric else ''}>{escape(cell)}</{tag}>"
        for k, cell in enumerate(cells)
    )
    return f"<tr>{inner}</tr>"


def _table(slide):
    note = f'<p class="note">{escape(slide["text"])}</p>' if slide["text"] else ""
    head = _row(slide["heads"], "th", slide["numeric"])
    body = "".join(_row(cells, "td", slide["numeric"]) for cells in slide["rows"])
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{note}"


def _prompts(slide):
    items = "".join(f"<li>{escape(point)}</li>" for point in slide["points"])
    return f'<ul class="prompts">{items}</ul>'


def _said(slide):
    who = f'<p class="who">{escape(slide["source"])}</p>' if slide.get("source") else ""
    return f'<p class="say">{escape(slide["text"])}</p>{who}'


def _number(slide):
    label = f'<p class="sub">{escape(slide["label"])}</p>' if slide["label"] else ""
    return f'<p class="huge">{escape(slide["value"])}</p>{label}'


def _picture(slide):
    label = escape(slide["label"])
    note = f'<p class="note">{label}</p>' if slide["label"] != slide["title"] else ""
    return f'<div class="shot"><img src="{slide["source"]}" alt="{label}"></div>{note}'


BODIES = {
    "points": _points,
    "agenda": _agenda,
    "timeline": _pairs("time"),
    "figures": _pairs("figures"),
    "table": _table,
    "prompts": _prompts,
    "statement": _said,
    "quote": _said,
    "number": _number,
    "picture": _picture,
}


def _headline(text, dress):
    """The `<h1>` of a title slide, as large as the room beside the decoration allows."""
    one, several = (
        fit(text, dress.head, dress.room, 420, 116, spacing=1.16, most_lines=most)
        for most in (1, 4)
    )
    # A Chinese line has no spaces to break at: better a little smaller than cut within a word.
    setting = one if dress.lang == "zh" and one.size > 56 else several
    lines = "<br>".join(escape(line) for line in setting.lines)
    return f'<h1 style="font-size:{setting.size:.0f}px">{lines}</h1>'


def _slide(slide, number, title, dress, size):
    kind = slide["kind"]
    if kind in make_art.COVERS:
        sub = f'<p class="sub">{escape(slide["text"])}</p>' if slide["text"] else ""
        inner = _headline(slide["title"], dress) + sub
    else:
        drawn = kind == "chart"
        turned = {**slide, "turn": number % 2}
        body = make_chart.draw(slide, dress.lang, dress.role) if drawn else BODIES[kind](turned)
        heading = f"<h2>{escape(slide['title'])}</h2>" if slide["title"] else ""
        inner = f'{heading}<div class="body">{body}</div>'
    return (
        f'<div class="frame"><section class="slide {kind}" aria-label="{number}">'
        f'{make_art.behind(dress, kind, number)}<div class="pad" style="--k:{size:g}">{inner}</div>'
        f"<footer><span>{escape(title)}</span><span>{number}</span></footer></section></div>"
    )


def page(deck, title, dress, sizes, script):
    """The whole page. `sizes` are the scales of the slides' text; `script` runs at its end."""
    numbered = enumerate(zip(deck, sizes, strict=True), 1)
    slides = "\n".join(_slide(slide, k, title, dress, size) for k, (slide, size) in numbered)
    markup = r'<svg class="art".*?</svg>|data:image[^"]*|<[^>]+>'
    plain = unescape(re.sub(markup, " ", slides, flags=re.DOTALL))
    text = "".join(sorted(set(plain + "“—…·0123456789")))
    fonts = web_fonts([(dress.head, text), (dress.text, text), (dress.bold, text)])
    words = WORDS[dress.lang]
    controls = "".join(
        f'<button type="button" data-do="{act}" aria-label="{words[act]}">{sign}</button>'
        for act, sign in (("back", "‹"), ("over", "▦"), ("next", "›"))
    )
    return f"""<!doctype html>
<html lang="{"zh-CN" if dress.lang == "zh" else "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{escape(title)}</title>
<style>
{fonts}
{dress.sheet()}{SHEET}</style>
</head>
<body>
<main>
{slides}
</main>
<nav aria-label="{words["nav"]}">{controls}</nav>
<div id="bar"></div>
<p id="live" aria-live="polite"></p>
<script>{script}</script>
</body>
</html>
"""


def _measured(deck, title, dress):
    """For each slide the scale at which its text fits, 0 if it does not at any."""
    draft = Path("draft.html")
    draft.write_text(page(deck, title, dress, [1] * len(deck), MEASURE), "utf-8")
    shot = subprocess.run(
        ["shoot", str(draft), "draft.png"], capture_output=True, text=True, check=False
    )
    found = re.search(r"fit (\[[\d.,]*\])", shot.stdout + shot.stderr)
    if not found:
        sys.exit(f"the browser could not measure the slides: {shot.stdout}{shot.stderr}")
    return json.loads(found[1])


def fitted(deck, title, dress):
    """(deck, sizes): text scaled to what the browser measures, too full slides cut in two."""
    while True:
        sizes = _measured(deck, title, dress)
        cut = []
        for slide, size in zip(deck, sizes, strict=True):
            least = DENSE if slide["kind"] in ("table", "chart") else READABLE
            parts = make_deck.halved(slide, dress.lang) if size < least else None
            cut += parts or [slide]
        if len(cut) == len(deck):  # what still does not fit is one endless word or cell
            return deck, [size or 0.66 for size in sizes]
        deck = cut


def _subtitle(recipe):
    parts = [recipe["speaker"]]
    if recipe["date"]:
        year, month, day = recipe["date"]
        if recipe["lang"] == "zh":
            parts.append((f"{year}年" if year else "") + f"{month}月{day}日")
        else:
            name = datetime.date(2000, month, 1).strftime("%B")
            parts.append(f"{day} {name} {year or ''}".strip())
    return " · ".join(part for part in parts if part)


def make(recipe):
    OUTPUT.mkdir(exist_ok=True)
    title, subtitle = recipe["title"], _subtitle(recipe)
    if recipe["input"]:
        found, below, content = make_source.read(recipe["input"], recipe["lang"])
        title, subtitle = title or found, " · ".join(filter(None, (below, subtitle)))
    else:
        content = make_deck.outlined(recipe)
    dress = Dress(recipe)
    deck = make_deck.dressed(recipe, title, subtitle, content)
    print(f"{len(deck)} slides, look: {recipe['look']}", flush=True)
    deck, sizes = fitted(deck, title, dress)
    html, pdf = (OUTPUT / recipe["files"][role] for role in ("html", "pdf"))
    html.write_text(page(deck, title, dress, sizes, SCRIPT), "utf-8")
    print(f"{html}: {len(deck)} slides, smallest text at {min(sizes):.0%}", flush=True)
    subprocess.run(["shoot", str(html), str(pdf)], check=True)
    print(f"{pdf}: printed")


run(make)
