"""The values of measures: how they are distributed, and which move together."""

import numpy as np
import pandas as pd


def spread(story, column):
    values = column.values.dropna()
    if len(values) < 25 or values.nunique() < 10:
        return
    words, unit, name = story.words, column.unit, story.name(column)
    low, high = values.quantile([0.25, 0.75])
    odd = values[(values < low - 3 * (high - low)) | (values > high + 3 * (high - low))]
    inside = values.drop(odd.index) if len(odd) else values
    edges = np.histogram_bin_edges(inside, bins=min(30, max(8, int(len(values) ** 0.5))))
    counts, edges = np.histogram(inside, edges)
    median = values.median()
    title = words.say(
        f"Half of the rows lie between {words.short(low, unit)} and {words.short(high, unit)}",
        f"一半的数据在 {words.short(low, unit)}到 {words.short(high, unit)}之间",
    )
    subtitle = words.say(f"Distribution of {name} over rows", f"{name}的分布（按行）")
    if len(odd):
        subtitle += words.say(
            f"; {len(odd)} far outliers not shown", f"；另有 {len(odd)} 个离群值未画出"
        )
        far = odd.loc[(odd - median).abs().idxmax()]
        row = odd.index[odd == far][0] + 1
        story.findings.append(
            words.say(
                f"{'1 row lies' if len(odd) == 1 else f'{len(odd)} rows lie'} far outside the "
                f"usual range of {name} (more than three quartile ranges away); the most extreme "
                f"is {words.short(far, unit)}, in row {row} of the data.",
                f"{name}有 {len(odd)} 个离群值（超出三倍四分位距），最极端的为"
                f" {words.short(far, unit)}，在数据的第 {row} 行。",
            )
        )
    story.chart(
        "hist", title, subtitle, unit=unit, median=float(median),
        edges=[float(e) for e in edges], counts=[int(c) for c in counts],
    )  # fmt: skip


def together(story, numbers, main):
    """The pair of measures that move together most."""
    best, strength = None, 0.35
    for other in [n for n in numbers if n is not main]:
        both = pd.DataFrame({"x": other.values, "y": main.values}).dropna()
        if len(both) < 10 or both["x"].nunique() < 5 or not both["x"].std() or not both["y"].std():
            continue
        r = both["x"].corr(both["y"])
        if strength < abs(r) < 0.9995:
            best, strength = (other, both, r), abs(r)
    if best is None:
        return
    words, (other, both, r) = story.words, best
    slope, start = np.polyfit(both["x"], both["y"], 1)
    more = both.sample(600, random_state=1) if len(both) > 600 else both
    shown = f"{r:.2f}".replace("-", "−")
    a, b = story.name(other), story.name(main)
    story.findings.append(
        words.say(
            f"{a} and {b} move {'together' if r > 0 else 'in opposite directions'} "
            f"(correlation {shown} over {len(both)} rows); that alone does not say why.",
            f"{a}与{b}{'同向' if r > 0 else '反向'}变化（相关系数 {shown}，{len(both)} 行）；"
            "相关并不说明因果。",
        )
    )
    story.chart(
        "scatter",
        words.say(
            f"{'More' if r > 0 else 'Less'} {b} where {a} is high",
            f"{a}越高，{b}越{'高' if r > 0 else '低'}",
        ),
        words.say(f"{b} against {a}, one dot per row", f"{b}与{a}，每点一行"),
        points=[[round(float(x), 6), round(float(y), 6)] for x, y in more.to_numpy()],
        line=[float(slope), float(start)], x=a, y=b, unit=main.unit, unit_x=other.unit,
        r=shown,
    )  # fmt: skip
