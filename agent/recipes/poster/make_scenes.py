"""Which picture suits which words, with the type and palettes that go with it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import make_days as days
import make_forms as forms
import make_nature as nature
from make_layout import Style


@dataclass(frozen=True)
class Scene:
    """A designed poster: the words it answers to, its moods of palette, its type, its painter."""

    name: str
    words: str
    moods: tuple
    style: Style
    paint: Callable


GENERAL = ("orbit", "tiles")

SCENES = (
    Scene(
        "lanterns",
        r"spring festival|lunar new year|chinese new year|mid-autumn|lantern|春节|新春"
        r"|元宵|灯会|中秋|年会|春晚|联欢|除夕|庙会|国庆|喜庆",
        ("festive",),
        Style("serif", 700, "middle", spacing=1.1, columns=True),
        days.lanterns,
    ),
    Scene(
        "sea",
        r"ocean|\bsea\b|marine|harbou?r|beach|coast|sail|swim|surf|water|reef|island|海"
        r"|潮|港|帆|游泳|水下|航",
        ("ocean",),
        Style("serif", 700, art_below=True, dark_top=False, strip="accent"),
        nature.sea,
    ),
    Scene(
        "night",
        r"night|star(?:s|ry|gaz)|astronom|moon|film|cinema|movie|gala|ball\b|awards|christmas|halloween"
        r"|dream|camp|夜|星|月|天文|电影|圣诞|露营|梦",
        ("night", "dusk"),
        Style("serif", 700, "middle"),
        nature.night,
    ),
    Scene(
        "peaks",
        r"mountain|hik(?:e|ing)|trail|outdoor|climb|travel|trek|valley|autumn|forest"
        r"|park|landscape|adventure|山|徒步|登|旅|户外|森林|秋|郊",
        ("dusk", "earth"),
        Style("sans", 900, dark_top=False),
        nature.peaks,
    ),
    Scene(
        "garden",
        r"garden|flower|plant|botan|spring|wedding|tea\b|nature|green|earth day|herb"
        r"|poetry|reading|book|花|园|春|茶|植物|绿|诗|读书|阅读|婚",
        ("blossom", "fresh", "earth"),
        Style("serif", 700, "middle", dark_top=False),
        nature.garden,
    ),
    Scene(
        "sound",
        r"music|concert|jazz|band|choir|song|sing|piano|guitar|orchestra|\bdj\b|dance"
        r"|festival|sound|vinyl|opera|音乐|演唱|歌|乐队|合唱|钢琴|吉他|舞|交响|民谣|爵士",
        ("night", "dusk", "tech"),
        Style("display", 700, capitals=True, spacing=0.98),
        forms.sound,
    ),
    Scene(
        "fruit",
        r"food|market|fruit|farm|cook|kitchen|restaurant|bakery|picnic|harvest|juice"
        r"|taste|lunch|dinner|breakfast|美食|市集|集市|水果|农|厨|餐|烘焙|丰收|小吃|野餐"
        r"|食",
        ("warm",),
        Style("round", 700, dark_top=False, dark_low=False, strip="primary", aside=True),
        days.fruit,
    ),
    Scene(
        "lanes",
        r"sport|run(?:ning)?\b|marathon|race|athlet|football|soccer|basketball|tennis"
        r"|cycling|gym|fitness|match|tournament|运动|跑|马拉松|球赛|联赛|锦标赛|足球"
        r"|篮球|田径|健身|体育",
        ("bold", "tech"),
        Style("display", 700, capitals=True, spacing=0.96, strip="accent", aside=True),
        days.lanes,
    ),
    Scene(
        "orbit",
        r"space|science|physics|tech|\bai\b|data|comput|robot|coding|hack|research"
        r"|engineer|startup|summit|conference|innovation|future|宇宙|航天|科学|科技|物理"
        r"|技术|人工智能|数据|编程|机器人|创新|峰会|大会|论坛|未来",
        ("tech", "night"),
        Style("sans", 900, aside=True),
        forms.orbit,
    ),
    Scene(
        "tiles",
        r"design|art\b|arts\b|school|workshop|kids|children|exhibition|craft"
        r"|architecture|fair|open day|club|设计|艺术|美术|学校|校园|工作坊|展|儿童|手工"
        r"|开放日|社团",
        ("play", "bold", "calm"),
        Style("sans", 900, dark_top=False, dark_low=False, spacing=1.02, aside=True),
        forms.tiles,
    ),
)  # fmt: skip


def choose(title, request, rest, seed):
    """The scene that the words speak for: the title's most, then the request's, then the rest's.

    Designs for any conference or school event weigh less than those for a subject. Where no word
    helps, a general one by the seed.
    """

    def votes(scene):
        def found(text):
            return len({m.lower() for m in re.findall(scene.words, text, re.IGNORECASE)})

        total = 3 * found(title) + 2 * found(request) + 0.5 * min(3, found(rest))
        return total * (0.3 if scene.name in GENERAL else 1)

    best = max(SCENES, key=votes)
    if votes(best):
        return best
    general = [scene for scene in SCENES if scene.name in (*GENERAL, "peaks", "garden")]
    return general[seed % len(general)]
