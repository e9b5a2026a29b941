"""Who or what has how much of a measure: groups, the highest rows, groups by period."""

import pandas as pd
from make_periods import step_of

ANSWERS = {"yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "是", "否", "有", "无"}
MOST_BARS = 12


def by_group(story, group, column):
    words, unit = story.words, column.unit
    how = "mean" if column.averaged else "sum"
    values = column.values.groupby(spelled(story, group)).agg(how).dropna()
    values = values.sort_values(ascending=False)
    if len(values) < 2:
        return
    name, kind = story.name(column), story.name(group)
    total = values.sum()
    rest = 0
    shown = values
    if len(values) > MOST_BARS:
        shown = values.iloc[: MOST_BARS - 1]
        rest = len(values) - len(shown)
    bars = [{"name": str(k), "value": round(float(v), 6)} for k, v in shown.items()]
    if rest and not column.averaged:
        bars.append({
            "name": words.say(f"{rest} others", f"其余 {rest} 项"),
            "value": round(float(values.iloc[MOST_BARS - 1 :].sum()), 6), "rest": True,
        })  # fmt: skip
    top, best = str(values.index[0]), values.iloc[0]
    if column.averaged or (values < 0).any() or total <= 0:
        title = words.say(f"{top} has the highest {name}", f"{top}的{name}最高")
        worst = str(values.index[-1])
        story.findings.append(
            words.say(
                f"By {kind}, {top} leads with {words.short(best, unit)}, {worst} comes last "
                f"with {words.short(values.iloc[-1], unit)}.",
                f"按{kind}看，{top}最高，为 {words.short(best, unit)}；{worst}最低，为"
                f" {words.short(values.iloc[-1], unit)}。",
            )
        )
    else:
        share = best / total
        title = words.say(
            f"{top} makes up {words.percent(share)} of {name}",
            f"{top}占{name}的 {words.percent(share)}",
        )
        three = values.iloc[:3].sum() / total
        more = ""
        if len(values) > 4:
            more = words.say(
                f" The first three of {len(values)} together: {words.percent(three)}.",
                f"前三项（共 {len(values)} 项）合计占 {words.percent(three)}。",
            )
        story.findings.append(
            words.say(
                f"By {kind}, {top} accounts for {words.percent(share)} of {name} "
                f"({words.short(best, unit)} of {words.short(total, unit)}).{more}",
                f"按{kind}看，{top}占{name}的 {words.percent(share)}"
                f"（{words.short(best, unit)} / {words.short(total, unit)}）。{more}",
            )
        )
        if len(story.cards) < 4:
            story.card(
                words.say(f"Largest {kind}", f"最大的{kind}"), top,
                words.say(
                    f"{words.percent(share)} of {name}", f"占{name} {words.percent(share)}"
                ),
            )  # fmt: skip
    subtitle = story.measure(column) + words.say(f" by {kind}", f"，按{kind}")
    story.chart("bars", title, subtitle, bars=bars, unit=unit, share=not column.averaged)


def spelled(story, group):
    """The group's values; "yes" and the like with the question that they answer."""
    if set(group.values.dropna().str.lower()) <= ANSWERS:
        return group.values.map(lambda v: f"{story.name(group)}: {v}", na_action="ignore")
    return group.values


def counts(story, group):
    words = story.words
    values = spelled(story, group).value_counts()
    bars = [{"name": str(k), "value": int(v)} for k, v in values.iloc[:MOST_BARS].items()]
    share = values.iloc[0] / values.sum()
    top, kind = str(values.index[0]), story.name(group)
    story.findings.append(
        words.say(
            f"{kind}: {top} is the most frequent with {values.iloc[0]} rows "
            f"({words.percent(share)}).",
            f"{kind}中{top}最多，共 {values.iloc[0]} 行（{words.percent(share)}）。",
        )
    )
    story.chart(
        "bars",
        words.say(f"{top} is the most frequent {kind}", f"{kind}以{top}最多"),
        words.say(f"Rows by {kind}", f"各{kind}的行数"),
        bars=bars, unit="", share=True,
    )  # fmt: skip


def extremes(story, column, labels, dates):
    """The highest rows, when rows are things with a name of their own."""
    named = [c for c in labels if c.values.nunique() == c.values.notna().sum() == len(c.values)]
    if named and not dates and len(column.values) >= 4:
        highest(story, column, named[0].values)


def rows(story, column, labels):
    """The highest rows of any table: by a name that each has, or else by their numbers."""
    count = range(1, len(column.values) + 1)
    numbered = [story.words.say(f"Row {n}", f"第 {n} 行") for n in count]
    highest(story, column, next((c.values for c in labels if c.values.notna().all()), numbered))


def highest(story, column, names):
    words, unit = story.words, column.unit
    ordered = column.values.dropna().sort_values(ascending=False).iloc[:MOST_BARS]
    bars = [{"name": str(names[i])[:40], "value": round(float(v), 6)} for i, v in ordered.items()]
    name = story.name(column)
    story.findings.append(
        words.say(
            f"{bars[0]['name']} has the highest {name}: {words.short(ordered.iloc[0], unit)}, "
            f"against a median of {words.short(column.values.median(), unit)}.",
            f"{bars[0]['name']}的{name}最高，为 {words.short(ordered.iloc[0], unit)}；"
            f"中位数为 {words.short(column.values.median(), unit)}。",
        )
    )
    subtitle = (
        words.say(f"{name}, the {len(bars)} highest", f"{name}，最高的 {len(bars)} 项")
        if len(bars) < len(column.values)
        else name
    )
    title = words.say(f"{bars[0]['name']}: highest {name}", f"{bars[0]['name']}的{name}最高")
    story.chart("bars", title, subtitle, bars=bars, unit=unit, share=False)


def grid(story, date, groups, column):
    """A heat map of groups and periods, when there are enough of both."""
    group = next((g for g in groups if 3 <= g.values.nunique() <= 12), None)
    step = step_of(date.values.dropna())
    if group is None or step not in ("MS", "QS", "YS"):
        return
    how = "mean" if column.averaged else "sum"
    frame = pd.DataFrame({"d": date.values, "g": group.values, "v": column.values}).dropna()
    frame["d"] = frame["d"].dt.to_period(step[0]).dt.to_timestamp()
    wide = frame.pivot_table(index="g", columns="d", values="v", aggfunc=how).iloc[:, -24:]
    if wide.shape[1] < 3 or wide.notna().to_numpy().mean() < 0.5:
        return
    wide = wide.loc[wide.sum(axis=1).sort_values(ascending=False).index]
    words = story.words
    row, when = wide.stack().idxmax()
    title = words.say(
        f"The strongest cell: {row}, {words.period(when, step)}",
        f"最高的一格：{row}，{words.period(when, step)}",
    )
    subtitle = story.measure(column) + words.say(
        f" by {story.name(group)} and period", f"，按{story.name(group)}和时间"
    )
    story.chart(
        "heat", title, subtitle, unit=column.unit,
        rows=[str(k) for k in wide.index],
        columns=[words.period(d, step) for d in wide.columns],
        ticks=[str(d.year if step == "YS" else d.month if step == "MS" else f"Q{d.quarter}")
               for d in wide.columns],
        values=[
            [None if pd.isna(v) else round(float(v), 4) for v in row] for row in wide.to_numpy()
        ],
    )  # fmt: skip
