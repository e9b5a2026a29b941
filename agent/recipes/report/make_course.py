"""How a measure goes over time."""

import numpy as np
import pandas as pd
from make_periods import complete, points, step_of

MOST_LINES = 5
MOST_NAMED = 12


def over_time(story, date, column, groups, second=False):
    words, unit = story.words, column.unit
    step = step_of(date.values.dropna())
    how = "mean" if column.averaged else "sum"
    frame = pd.DataFrame({"date": date.values, "value": column.values}).dropna()
    series = frame.set_index("date")["value"].resample(step).agg(how)
    whole = complete(series, frame["date"], step)
    if len(whole) < len(series) and not second:
        story.quality.append(
            words.say(
                f"Periods that the data covers only in part are not charted: data runs from "
                f"{words.period(frame['date'].min(), 'D')} to "
                f"{words.period(frame['date'].max(), 'D')}.",
                f"首尾不完整的时段没有画入图中：数据从{words.period(frame['date'].min(), 'D')}"
                f"到{words.period(frame['date'].max(), 'D')}。",
            )
        )
    gaps = set() if column.averaged else lacking(story, date, column, step, whole.index, second)
    series = whole[[moment not in gaps for moment in whole.index]].dropna()
    if len(series) < 3:
        return
    name = story.name(column)
    peak, low = series.idxmax(), series.idxmin()
    half = max(1, len(series) // 3)
    first, last = series.iloc[:half].mean(), series.iloc[-half:].mean()
    fit = np.corrcoef(np.arange(len(series)), series)[0, 1] if series.std() else 0
    steady = abs(fit) >= 0.5 and len(series) >= 6 and first > 0
    title = words.say(
        f"{name} peaked {words.when(peak, step)}",
        f"{name}在{words.when(peak, step)}达到最高",
    )
    if steady:
        change = last / first - 1
        title = words.say(
            f"{name} {'rose' if change > 0 else 'fell'} {words.percent(abs(change))}",
            f"{name}{'上升' if change > 0 else '下降'}了 {words.percent(abs(change))}",
        )
        story.findings.append(
            words.say(
                f"{name} {'rose' if change > 0 else 'fell'} by {words.percent(abs(change))} "
                f"from the first third of the period (average {words.short(first, unit)} "
                f"{words.every(step)}) to the last (average {words.short(last, unit)}).",
                f"{name}从前三分之一时段的平均 {words.short(first, unit)}"
                f"（{words.every(step)}）{'上升' if change > 0 else '下降'}到"
                f"后三分之一时段的平均 {words.short(last, unit)}，"
                f"变化 {words.percent(abs(change))}。",
            )
        )
    story.findings.append(
        words.say(
            f"{name} was highest {words.when(peak, step)} with "
            f"{words.short(series[peak], unit)} and lowest {words.when(low, step)} with "
            f"{words.short(series[low], unit)}.",
            f"{name}最高出现在{words.when(peak, step)}，为 {words.short(series[peak], unit)}；"
            f"最低在{words.when(low, step)}，为 {words.short(series[low], unit)}。",
        )
    )
    if not second:
        change_card(story, series, step, unit)
        if step == "MS" and len(series) >= 24 and not column.averaged:
            years(story, series, name, unit)
    lines = [{"name": name, "points": points(series)}]
    group = next((g for g in groups if 2 <= g.values.nunique() <= MOST_LINES), None)
    if group is not None and not second:
        parts = pd.DataFrame(
            {"date": date.values, "value": column.values, "group": group.values}
        ).dropna()
        wide = parts.pivot_table(index="date", columns="group", values="value", aggfunc=how)
        wide = wide.resample(step).agg(how)
        wide = wide.dropna(how="all") if column.averaged else wide.fillna(0)
        wide = wide.loc[wide.index.isin(series.index)]
        order = wide.sum().sort_values(ascending=False).index
        lines = [{"name": str(k), "points": points(wide[k].dropna())} for k in order]
    subtitle = f"{story.measure(column)}{words.say(' ', '，')}{words.every(step)}"
    if len(lines) > 1:
        subtitle += words.say(f", by {story.name(group)}", f"，按{story.name(group)}分")
    story.chart(
        "line", title, subtitle, lines=lines, unit=unit, step=step, zero=not column.averaged
    )


def lacking(story, date, column, step, periods, second):
    """Periods of which a sum would lack a missing value; none if that is most of them."""
    missing = pd.Series(1, index=date.values[column.values.isna() & date.values.notna()])
    counted = missing.sort_index().resample(step).sum() if len(missing) else missing
    found = [moment for moment in counted.index[counted > 0] if moment in periods]
    if not found or len(found) > len(periods) / 3:
        return set()
    if not second:
        named = [story.words.period(moment, step) for moment in found[:MOST_NAMED]]
        story.quality.append(
            story.words.say(
                f"Not charted, because values are missing there: {', '.join(named)}.",
                f"因缺少数值而没有画入图中：{'、'.join(named)}。",
            )
        )
    return set(found)


def years(story, series, name, unit):
    words = story.words
    now, before = series.iloc[-12:].sum(), series.iloc[-24:-12].sum()
    if before > 0:
        change = now / before - 1
        story.findings.insert(
            0,
            words.say(
                f"The last twelve months bring {words.short(now, unit)} of {name}, "
                f"{words.percent(abs(change))} {'more' if change > 0 else 'less'} than the "
                f"twelve months before ({words.short(before, unit)}).",
                f"最近十二个月{name}为 {words.short(now, unit)}，比之前十二个月"
                f"（{words.short(before, unit)}）{'增长' if change > 0 else '减少'} "
                f"{words.percent(abs(change))}。",
            ),
        )


def change_card(story, series, step, unit):
    words = story.words
    if len(series) >= 2 and series.iloc[-2] > 0:
        change = series.iloc[-1] / series.iloc[-2] - 1
        sign = "+" if change > 0 else ""
        story.card(
            words.say(
                f"Latest, {words.period(series.index[-1], step)}",
                f"最近一期（{words.period(series.index[-1], step)}）",
            ),
            words.short(series.iloc[-1], unit),
            words.say(
                f"{sign}{words.percent(change)} on the period before",
                f"较上一期 {sign}{words.percent(change)}",
            ),
        )
