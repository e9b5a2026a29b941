"""Music: a composed piece as sound, MIDI and sheet."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from agent.recipes import reading
from agent.recipes.music import terms
from agent.recipes.music.terms import CHINESE_NAMES, DUSK, STYLES
from agent.recipes.recipe import Recipe
from agent.recipes.request import Lang, Request

SECONDS = 60.0
SHORTEST, LONGEST = 6.0, 600.0
SLOWEST, FASTEST = 36.0, 208.0


def parameters(request: Request) -> dict[str, Any]:
    """What `make.py` composes from.

    `tempo` is [slowest, fastest] in beats a minute, both the same where one was asked for;
    `bars` is 0 unless a number of bars was asked for, which then decides the length.
    """
    chosen = _style(request)
    style = STYLES[chosen]
    rng = random.Random(request.seed)
    instruments = _instruments(request, style)
    mode: terms.Mode = request.latest(terms.mode) or style.mode
    usual = [k for k in style.keys if k.mode == mode] or [terms.Key(t, mode) for t in "ACDG"]
    key = request.latest(terms.key) or rng.choice(usual)
    metre = request.latest(terms.metre) or style.metre
    title = request.title or _title(request, rng)
    return {
        "lang": request.lang,
        "title": title,
        "subtitle": _subtitle(request.lang, chosen, key, instruments),
        "seed": request.seed,
        "seconds": min(LONGEST, max(SHORTEST, request.seconds or SECONDS)),
        "bars": request.latest(terms.bars) or 0,
        "style": chosen,
        "tonic": key.tonic,
        "mode": key.mode,
        "metre": metre,
        "tempo": _tempo(request, style.tempo, metre != style.metre),
        "instruments": list(instruments),
        "pentatonic": chosen == "chinese" or instruments[0] in terms.CHINESE,
        "files": _files(request, title),
    }


def _instruments(request: Request, style: terms.Style) -> tuple[str, ...]:
    """As named; one that plays single notes is accompanied unless a solo is asked for."""
    named = request.latest(terms.instruments)
    if not named:
        return style.instruments
    # The melody goes to an instrument that sings one line, the chords to one that can play them.
    named = tuple(sorted(named, key=lambda name: name not in terms.SINGLE))
    if named[-1] not in terms.SINGLE or request.latest(terms.solo):
        return named
    return (*named, "guzheng" if named[0] in terms.CHINESE else "piano")


def _style(request: Request) -> str:
    """As named; Chinese instruments in the first request make a calm piece a Chinese one."""
    named = request.latest(terms.style) or "calm"
    instruments = Request(request.chain[:1]).latest(terms.instruments) or ()
    chinese = any(name in terms.CHINESE for name in instruments)
    return "chinese" if chinese and named == "calm" else named


def _tempo(request: Request, usual: tuple[int, int], other_metre: bool) -> list[float]:
    asked = request.latest(terms.tempo)
    low, high = (asked, asked) if asked else (usual[0], usual[1])
    if other_metre and not asked:
        low, high = 72, 96
    factor = 1.0
    for text in request.chain[1:]:
        factor *= terms.faster(text) or 1.0
    return [round(min(FASTEST, max(SLOWEST, bpm * factor)), 1) for bpm in (low, high)]


def _title(request: Request, rng: random.Random) -> str:
    """A name that fits the first request, so that follow-ups keep it."""
    first = Request(request.chain[:1])
    style = STYLES[_style(first)]
    dusk = "dusk" in first.moods and style is STYLES["calm"]
    titles = DUSK if dusk else style.titles
    return rng.choice(titles[request.lang == "zh"])


def _players(instruments: Sequence[str], lang: Lang) -> str:
    if lang == "zh":
        return "、".join(CHINESE_NAMES[name] for name in instruments)
    return " and ".join([", ".join(instruments[:-1]), instruments[-1]][len(instruments) < 2 :])


def _key_name(tonic: str, mode: str, lang: Lang) -> str:
    sign = {"b": ("-flat", "降"), "#": ("-sharp", "升")}.get(tonic[1:], ("", ""))
    if lang == "zh":
        return f"{sign[1]}{tonic[0]} {'大调' if mode == 'major' else '小调'}"
    return f"{tonic[0]}{sign[0]} {mode}"


def _subtitle(lang: Lang, style: str, key: terms.Key, instruments: Sequence[str]) -> str:
    """The line below the title of a sheet."""
    where, players = _key_name(key.tonic, key.mode, lang), _players(instruments, lang)
    if lang == "zh":
        return f"{STYLES[style].names[1].removeprefix('一首')} · {players} · {where}"
    kind = STYLES[style].names[0].removeprefix("a ")
    return f"{kind} for {players} in {where}"


def _files(request: Request, title: str) -> dict[str, str]:
    name = re.sub(r"[^\w一-鿿-]+", "-", title).strip("-") or "music"
    files = {"wav": f"{name}.wav", "midi": f"{name}.mid"}
    if request.lang == "zh" or request.latest(_numbered):
        label = "简谱" if request.lang == "zh" else "numbered"
        files |= {"numbered_pdf": f"{name}-{label}.pdf", "numbered_png": f"{name}-{label}.png"}
    label = "五线谱" if request.lang == "zh" else "lead-sheet"
    return files | {"staff_pdf": f"{name}-{label}.pdf", "staff_png": f"{name}-{label}.png"}


def _numbered(text: str) -> bool | None:
    return True if reading.find("jianpu|numbered notation|简谱", text) else None


def describe(parameters: Mapping[str, Any], lang: Lang) -> str:
    p = parameters
    low, high = p["tempo"]
    beat = "♩." if p["metre"] == "6/8" else "♩"
    tempo = f"{beat} = {low:.0f}" if low == high else f"{beat} = {low:.0f}–{high:.0f}"
    key, players = _key_name(p["tonic"], p["mode"], lang), _players(p["instruments"], lang)
    if lang == "zh":
        length = f"{p['bars']} 小节" if p["bars"] else f"{p['seconds']:g} 秒"
        kind = STYLES[p["style"]].names[1]
        return f"《{p['title']}》，{kind}，{players}，{key}，{p['metre']} 拍，{tempo}，{length}。"
    length = f"{p['bars']} bars" if p["bars"] else f"{p['seconds']:g} seconds"
    kind = STYLES[p["style"]].names[0]
    return f"“{p['title']}”, {kind} for {players} in {key}, {p['metre']}, {tempo}, {length}."


def summary(parameters: Mapping[str, Any], lang: Lang) -> str:
    if lang == "zh":
        return (
            f"乐曲写好了：{describe(parameters, lang)}"
            "包括录音（WAV）、可编辑的 MIDI 和乐谱，三者出自同一份数据。"
            "可以接着说：换成 D 大调、快一点、改为 90 秒、"
            "用古筝和笛子、换一首、标题改成……"
        )
    return (
        f"The music is ready: {describe(parameters, lang)} There is the sound (WAV), the MIDI "
        "to edit and the sheet, all from the same notes. A follow-up can change it: in D major, "
        "faster, 90 seconds, for violin and piano, another one, titled …"
    )


RECIPE = Recipe(
    name="music",
    noun={"en": "a piece of music", "zh": "一首乐曲"},
    example={
        "en": "“a calm piano piece for dusk in A minor, one minute”",
        "zh": "“写一首一分钟的古筝曲，D 大调，宁静，配简谱”",
    },
    words={
        r"\bmusic\b(?! (?:festival|school|theatre|store|shop|party|class))": 0.6,
        "音乐(?!节|会|厅|学|课|盒)": 0.6,
        r"\b(?:compose|composition|melody|melodies|tune|soundtrack)\b": 0.9,
        r"\b(?:lullaby|waltz|nocturne|sonata)\b": 0.9,
        r"\b(?:piano|guitar|violin|flute|harp|cello|string) (?:piece|music|song|solo)\b": 0.9,
        r"\bpiece of music\b|\bsheet music\b|\blead sheet\b|\bmidi\b|\bsong\b": 0.85,
        r"\bmarch\b(?!\s*\d)(?=.*\b(?:major|minor|bpm|brass|bars|seconds?|minutes?)\b)": 0.8,
        "作曲|谱曲|谱一|乐曲|曲子|旋律|纯音乐|背景音乐|配乐|简谱": 0.9,
        "圆舞曲|摇篮曲|进行曲|小夜曲": 0.9,
        "[一二两三几]首(?!诗)|(?:钢琴|古筝|笛子|吉他|二胡|提琴)曲|写首": 0.8,
        r"\bin [A-G](?:[ -]?(?:sharp|flat|#|b))? (?:major|minor)\b|[A-G][大小]调": 0.7,
    },
    parameters=parameters,
    describe=describe,
    summary=summary,
)
