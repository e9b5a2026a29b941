"""How a deck looks: colours, typefaces, the style sheet, and drawn decoration for each look."""

from __future__ import annotations

from dataclasses import dataclass

from kit.colour import PALETTES, contrast, from_colours, mix, readable
from kit.page import families
from kit.type import face


@dataclass(frozen=True)
class Look:
    """A look's choice: roles of kit.type for headings and text, and whether its ground is dark."""

    heading: str
    heading_zh: str
    text: str
    weight: int = 700
    dark: bool = False


LOOKS = {
    "editorial": Look("serif", "serif", "sans", 600),
    "swiss": Look("sans", "sans", "sans", 900),
    "night": Look("sans", "sans", "sans", 700, dark=True),
    "soft": Look("round", "round", "sans", 700),
    "ink": Look("serif", "kai", "serif", 500),
}


class Dress:
    """The colours and faces of one deck."""

    def __init__(self, recipe):
        self.name, self.lang, self.seed = recipe["look"], recipe["lang"], recipe["seed"]
        look = LOOKS[self.name]
        designed = PALETTES[recipe["palette"]]
        palette = designed[recipe["seed"] % len(designed)]
        if recipe["colours"]:
            palette = from_colours(recipe["colours"], palette)
        self.paper, self.ink = (
            (palette.deep, palette.light) if look.dark else (palette.light, palette.deep)
        )
        self.primary, self.second, self.accent = palette.primary, palette.second, palette.accent
        self.head = face(
            look.heading_zh if self.lang == "zh" else look.heading, self.lang, look.weight
        )
        self.text = face(look.text, self.lang, 400)
        self.bold = face(look.text, self.lang, 700)
        self.role = look.text

    @property
    def cover(self):
        """The ground of the title slide, and a text colour that can be read on it."""
        if self.name == "swiss":
            ground = self.primary
            return ground, max(("#ffffff", self.ink), key=lambda c: contrast(c, ground))
        return self.paper, self.ink

    @property
    def room(self):
        """How wide the title may be, in pixels, beside the decoration of its slide."""
        return {"editorial": 660, "swiss": 750, "night": 760, "soft": 640, "ink": 1000}[self.name]

    def sheet(self):
        """The style sheet."""
        ground, on_ground = self.cover
        strong = readable(self.primary, self.paper, 4.5)
        accent = readable(self.accent, self.paper, 3.0)
        on_primary = max(("#ffffff", self.ink, self.paper), key=lambda c: contrast(c, self.primary))
        values = {
            "paper": self.paper, "ink": self.ink, "strong": strong, "accent": accent,
            "primary": self.primary, "second": self.second, "spark": self.accent,
            "on-primary": on_primary, "cover": ground, "on-cover": on_ground,
            "soft": readable(mix(self.ink, self.paper, 0.3), self.paper, 4.5),
            "line": mix(self.ink, self.paper, 0.8), "card": mix(self.paper, self.ink, 0.045),
            "bar": readable(mix(self.second, self.paper, 0.15), self.paper, 1.6),
        }  # fmt: skip
        root = "".join(f"--{name}:{value};" for name, value in values.items())
        root += f"--head:{families(self.head)},sans-serif;--text:{families(self.text)},sans-serif;"
        root += f"--weight:{self.head.weight};"
        return f":root{{{root}}}\n{BASE}\n{SHEETS[self.name]}"


BASE = """
*{box-sizing:border-box;margin:0}
html,body{height:100%;background:#15161a}
body{font-family:var(--text);color:var(--ink);-webkit-font-smoothing:antialiased}
.frame{position:relative;width:1280px;height:720px;overflow:hidden;margin:0 auto 24px}
.slide{position:absolute;left:0;top:0;width:1280px;height:720px;overflow:hidden;
 background:var(--paper);
 color:var(--ink);transform-origin:0 0;-webkit-print-color-adjust:exact;
 print-color-adjust:exact}
.art{position:absolute;inset:0;width:100%;height:100%}
.pad{position:absolute;left:80px;right:80px;top:58px;bottom:76px;display:flex;
 flex-direction:column;
 font-size:calc(30px*var(--k,1));line-height:1.4}
body{font-variant-numeric:lining-nums}
h1,h2{font-family:var(--head);font-weight:var(--weight);line-height:1.14;text-wrap:balance}
h2{font-size:56px;margin-bottom:.5em;padding-right:60px}
h1::before{content:"";display:block;width:96px;height:10px;margin-bottom:.42em;
 background:var(--spark)}
.body{flex:1 1 auto;display:flex;flex-direction:column;justify-content:safe center;
 min-height:0;padding-bottom:18px}
footer{position:absolute;left:80px;right:80px;bottom:26px;display:flex;
 justify-content:space-between;
 font-size:18px;color:var(--soft)}
.sub{margin-top:.8em;font-size:1.2em;opacity:.86;max-width:26em}
ol,ul{list-style:none;padding:0}
.list{flex:1;display:flex;flex-direction:column;justify-content:space-evenly}
.list li{position:relative;padding-left:1.4em;text-wrap:pretty}
.list li::before{content:"";position:absolute;left:0;top:.46em;width:.5em;height:.5em;
 background:var(--accent)}
.list b,.cards b,.rows b{font-weight:700;color:var(--strong)}
.cards i,.rows i,.agenda i{font:normal var(--weight) 1em/1 var(--head);color:var(--accent)}
.cards{flex:1;display:grid;grid-template-columns:repeat(var(--n),1fr);grid-auto-rows:1fr;gap:26px}
.cards li{background:var(--card);padding:30px 34px;min-width:0;font-size:var(--size);
 line-height:1.3;display:flex;flex-direction:column;
 justify-content:space-between;gap:.4em;text-wrap:balance}
.cards i{font-size:1.4em}
.cards b{display:block;font-size:1.08em;margin-bottom:.2em}
.rows{flex:1;display:flex;flex-direction:column}
.rows li{flex:1;display:grid;grid-template-columns:1.7em 1fr;align-items:center;font-size:1.2em;
 line-height:1.3;border-top:2px solid var(--line);padding:.2em 0;text-wrap:pretty}
.rows i{font-size:1.5em}
.rows b{margin-right:.3em}
.agenda{flex:1;display:grid;grid-template-columns:repeat(var(--n),1fr);grid-auto-flow:column;
 column-gap:70px;grid-template-rows:repeat(var(--rows),1fr)}
.agenda li{display:flex;gap:.9em;align-items:center;padding:.15em 0;line-height:1.2;
 border-bottom:2px solid var(--line);font-size:1.12em}
.agenda i{min-width:1.5em}
.time{display:grid;grid-template-columns:repeat(var(--n),1fr);gap:30px;position:relative;
 padding-top:54px;line-height:1.32}
.time::before{content:"";position:absolute;left:0;right:0;top:14px;
 border-top:4px solid var(--line)}
.time li{position:relative;font-size:1.1em}
.time li::before{content:"";position:absolute;left:0;top:-54px;width:32px;height:32px;
 border-radius:50%;background:var(--accent)}
.time b{display:block;font:var(--weight) 1.5em/1.2 var(--head);color:var(--strong);
 margin-bottom:.3em}
.say{font-family:var(--head);font-weight:var(--weight);font-size:1.8em;line-height:1.32;
 max-width:22em;text-wrap:balance}
.quote .say::before{content:"“";display:block;font-size:3.2em;line-height:.8;height:.55em;
 color:var(--accent)}
.who{margin-top:1.1em;color:var(--soft)}.who::before{content:"— "}
.huge{font:var(--weight) 7em/1 var(--head);color:var(--strong);letter-spacing:-.02em}
.number .sub{font-size:1.35em;line-height:1.3;max-width:22em}
.figures{flex:1;display:grid;grid-template-columns:repeat(var(--n),1fr);gap:30px}
.figures li{border-top:8px solid var(--accent);padding-top:2.2em;font-size:1.1em;line-height:1.3;
 min-width:0}
.figures b{display:block;font:var(--weight) 2.5em/1.1 var(--head);color:var(--strong)}
.prompts{flex:1;display:flex;flex-direction:column;gap:20px}
.prompts li{flex:1;border:3px dashed var(--line);padding:.5em .9em;color:var(--soft);
 line-height:1.3}
.plot{width:100%;height:auto;max-height:100%;overflow:visible}
.plot text{font-family:var(--text);fill:var(--ink)}.plot .tick{fill:var(--soft)}.plot .value{
 font-weight:700}
.plot .grid{stroke:var(--line);stroke-width:1}.plot .axis{stroke:var(--soft);stroke-width:1.5}
.plot .bar{fill:var(--bar)}.plot .strong{fill:var(--accent)}
.plot .curve{fill:none;stroke:var(--strong);stroke-width:4;stroke-linejoin:round}
.plot .area{fill:var(--bar);opacity:.22}.plot .dot{fill:var(--accent)}
table{border-collapse:collapse;width:100%;font-size:.9em;line-height:1.25}
th{text-align:left;color:var(--strong);border-bottom:2px solid var(--strong);padding:.42em .6em}
td{border-bottom:1px solid var(--line);padding:.42em .6em}
th.num,td.num{text-align:right;font-variant-numeric:tabular-nums}
.note{margin-top:.9em;font-size:.72em;color:var(--soft)}
.shot{flex:1;min-height:0;display:flex;justify-content:center}
.shot img{max-width:100%;max-height:440px;object-fit:contain}
.title,.closing{background:var(--cover);color:var(--on-cover)}
.title .pad,.closing .pad{justify-content:center}
.title footer,.closing footer{display:none}
:lang(zh) .pad{line-height:1.5}:lang(zh) h1,:lang(zh) h2{line-height:1.26}
:lang(zh) .who::before{content:"——"}
"""

SHEETS = {
    "editorial": """
h2{padding-top:.42em;position:relative}
h2::before{content:"";position:absolute;left:0;top:0;width:64px;
 border-top:5px solid var(--accent)}
.title .pad,.closing .pad{right:520px}
.cards li{background:none;border-top:6px solid var(--strong);padding:26px 10px 10px 0}
.list li::before{width:.7em;height:4px;top:.66em}
""",
    "swiss": """
.slide:not(.title):not(.closing)::before{content:"";position:absolute;left:0;top:0;bottom:0;
 width:18px;background:var(--primary)}
h2{letter-spacing:-.01em}
.title .pad,.closing .pad{right:430px}
.cards li{border-left:10px solid var(--accent)}
.prompts li{border-style:solid;border-width:0 0 3px;padding-left:0}
""",
    "night": """
.slide{background:radial-gradient(circle at 85% 0%,
 color-mix(in srgb,var(--primary) 55%,var(--paper)),var(--paper) 62%)}
.cards li{background:color-mix(in srgb,var(--second) 16%,transparent);
 border:1px solid color-mix(in srgb,var(--second) 45%,transparent);border-radius:18px}
.list li::before{border-radius:50%}
.title .pad,.closing .pad{right:330px}
""",
    "soft": """
.cards li{border-radius:32px;background:color-mix(in srgb,var(--second) 22%,#fff)}
.list li::before{border-radius:50%}
.prompts li{border-radius:22px}
.agenda li{border-bottom-style:dotted;border-bottom-width:3px}
.title .pad,.closing .pad{right:480px}
.figures li{border-top:0;background:color-mix(in srgb,var(--second) 22%,#fff);
 border-radius:32px;padding:1em}
""",
    "ink": """
h2{display:flex;align-items:center;gap:.5em}
h2::before{content:"";flex:none;width:.42em;height:.42em;background:var(--accent);
 transform:rotate(45deg)}
.title .pad{bottom:300px}.closing .pad{bottom:240px}
.title .pad,.closing .pad{align-items:center;text-align:center}
h1::before{display:none}
.cards li{background:rgba(255,255,255,.45);border:1px solid var(--line)}
.list li::before{border-radius:50%;width:.4em;height:.4em;top:.5em}
""",
}
