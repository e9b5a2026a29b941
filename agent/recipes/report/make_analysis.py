"""Chooses the charts that suit a table and computes what can be said about it.

Nothing is guessed: every sentence is put together from numbers that were computed here.
"""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
from kit.script import Unusable

MAIN = (
    r"(?i)revenue|sales|amount|total|turnover|income|profit|value|销售额|营业额|金额|总额|收入|营收|利润"
    r"|销量|产值|成交"
)
ANSWERS = {"yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "是", "否", "有", "无"}
# Name, days, and how many of them a chart bears.
PERIODS = (
    ("D", 1, 70),
    ("W-SUN", 7, 55),
    ("MS", 30.4, 120),
    ("QS", 91.3, 120),
    ("YS", 365.25, 400),
)
MOST_BARS = 12
MOST_LINES = 5


@dataclass
class Words:
    """Says everything in one language; numbers the way its readers write them."""

    zh: bool

    def say(self, english, chinese):
        return chinese if self.zh else english

    def short(self, value, unit=""):
        """Three digits and a scale word: 1.24M, 124万."""
        value, size = float(value), abs(float(value))
        scales = (
            ((1e8, "亿"), (1e4, "万")) if self.zh else ((1e9, "B"), (1e6, "M"), (1e4, "K"))
        )  # fmt: skip
        if unit == "%":
            return f"{value:.3g}%"
        divisor, word = next(((d, w) for d, w in scales if size >= d), (1, ""))
        if not word and self.zh is False and size >= 1000:
            text = f"{value:,.0f}"
        else:
            scaled = value / (1000 if word == "K" else divisor)
            text = f"{scaled:,.0f}" if abs(scaled) >= 1000 else f"{float(f'{scaled:.3g}'):,g}"
        shown = f"{text}{word}".replace("-", "−")
        return self.with_unit(shown, unit)

    def with_unit(self, shown, unit):
        if unit in tuple("$€£¥￥₹") or unit == "US$":
            sign, bare = ("−", shown[1:]) if shown.startswith("−") else ("", shown)
            return f"{sign}{unit}{bare}"
        gap = "" if unit and unit[0] >= "\u3400" else " "
        return f"{shown}{gap}{unit}".strip()

    def percent(self, share):
        size = abs(share * 100)
        return f"{share * 100:.{0 if size >= 10 else 1}f}%".replace("-", "−")

    def period(self, date, step):
        if step == "YS":
            return self.say(f"{date.year}", f"{date.year}年")
        if step == "QS":
            return self.say(f"Q{date.quarter} {date.year}", f"{date.year}年第{date.quarter}季度")
        if step == "MS":
            return self.say(f"{date:%b %Y}", f"{date.year}年{date.month}月")
        return self.say(f"{date.day} {date:%b %Y}", f"{date.year}年{date.month}月{date.day}日")

    def when(self, date, step):
        """The period with its preposition."""
        period = self.period(date, step)
        if step == "W-SUN":
            return self.say(f"in the week to {period}", f"截至{period}的一周")
        return self.say(f"{'on' if step == 'D' else 'in'} {period}", period)

    def every(self, step):
        return self.say(
            {"D": "per day", "W-SUN": "per week", "MS": "per month", "QS": "per quarter",
             "YS": "per year"}[step],
            {"D": "按日", "W-SUN": "按周", "MS": "按月", "QS": "按季度", "YS": "按年"}[step],
        )  # fmt: skip


def analyse(table, wish, zh):
    """Key figures, charts, findings and notes of the table; `wish` is the request's text.

    Raises:
        Unusable: there is nothing to chart.
    """
    words = Words(zh)
    numbers = [c for c in table.kind("number") if c.values.notna().sum() >= 2]
    groups = [c for c in table.kind("category") if 2 <= c.values.nunique() < c.values.notna().sum()]
    dates = [c for c in table.kind("date") if c.values.nunique() >= 3]
    labels = table.kind("text", "category")
    if not numbers and not groups:
        raise Unusable(
            words.say(
                "the table has no numeric column and no column with repeated categories",
                "表中没有数值列，也没有可分组的类别列",
            )
        )
    main = main_measure(numbers, wish)
    story = Story(words, table)
    story.count_cards(main, dates)
    if main:
        if dates:
            story.over_time(dates[0], main, groups)
        for measure in [main, *(n for n in numbers if n is not main)][:3]:
            story.extremes(measure, labels, dates)
        for group in by_relevance(groups, wish)[:3]:
            story.by_group(group, main)
        if dates and groups:
            story.grid(dates[0], groups, main)
        story.spread(main, dates)
        story.together(numbers, main)
        if dates:
            for other in [n for n in numbers if n is not main][:2]:
                story.over_time(dates[0], other, [], second=True)
    else:
        for group in by_relevance(groups, wish)[:4]:
            story.counts(group)
    story.notes()
    return story


def main_measure(numbers, wish):
    """The measure the request names, else one that is usually meant, else the first."""
    named = [n for n in numbers if plain(n.name) and plain(n.name) in wish.lower()]
    usual = [n for n in numbers if re.search(MAIN, n.name)]
    return next(iter(named or usual or numbers), None)


def by_relevance(groups, wish):
    """Groups that the request names first, then those with few kinds."""
    return sorted(groups, key=lambda g: (plain(g.name) not in wish.lower(), g.values.nunique()))


def plain(name):
    return re.sub(r"\s*[(（\[].*$", "", name).strip().lower()


class Story:
    """Collects what the report shows, in the order in which it is told."""

    def __init__(self, words, table):
        self.words, self.table = words, table
        self.cards, self.charts, self.findings, self.quality = [], [], [], []

    def card(self, label, value, note=""):
        self.cards.append({"label": label, "value": value, "note": note})

    def chart(self, kind, title, subtitle, **data):
        self.charts.append({"kind": kind, "title": title, "subtitle": subtitle, **data})

    def measure(self, column):
        """How a measure is put together: "total sales" or "average price"."""
        name = re.sub(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*$", "", column.name)
        unit = f" ({column.unit})" if column.unit and column.unit != "%" else ""
        return self.words.say(
            f"{'Average' if column.averaged else 'Total'} {name}{unit}",
            f"{name}{'平均值' if column.averaged else '合计'}{unit}",
        )

    def name(self, column):
        return re.sub(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*$", "", column.name)

    def count_cards(self, main, dates):
        words, rows = self.words, len(self.table.cells)
        if main:
            value = main.values.mean() if main.averaged else main.values.sum()
            self.card(self.measure(main), words.short(value, main.unit))
        note = ""
        if dates:
            days = dates[0].values.dropna()
            step = step_of(days)
            note = f"{words.period(days.min(), step)} – {words.period(days.max(), step)}"
        self.card(words.say("Rows", "数据行数"), f"{rows:,}", note)
        if main and not main.averaged and not dates:
            self.card(
                words.say(f"Median {self.name(main)}", f"{self.name(main)}中位数"),
                words.short(main.values.median(), main.unit),
            )

    def over_time(self, date, column, groups, second=False):
        words, unit = self.words, column.unit
        step = step_of(date.values.dropna())
        how = "mean" if column.averaged else "sum"
        frame = pd.DataFrame({"date": date.values, "value": column.values}).dropna()
        series = frame.set_index("date")["value"].resample(step).agg(how)
        whole = complete(series, frame["date"], step)
        if len(whole) < len(series) and not second:
            self.quality.append(
                words.say(
                    f"Periods that the data covers only in part are not charted: data runs from "
                    f"{words.period(frame['date'].min(), 'D')} to "
                    f"{words.period(frame['date'].max(), 'D')}.",
                    f"首尾不完整的时段没有画入图中：数据从{words.period(frame['date'].min(), 'D')}"
                    f"到{words.period(frame['date'].max(), 'D')}。",
                )
            )
        gaps = set() if column.averaged else self.gaps(date, column, step, whole.index, second)
        series = whole[[moment not in gaps for moment in whole.index]].dropna()
        if len(series) < 3:
            return
        name = self.name(column)
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
            self.findings.append(
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
        self.findings.append(
            words.say(
                f"{name} was highest {words.when(peak, step)} with "
                f"{words.short(series[peak], unit)} and lowest {words.when(low, step)} with "
                f"{words.short(series[low], unit)}.",
                f"{name}最高出现在{words.when(peak, step)}，为 {words.short(series[peak], unit)}；"
                f"最低在{words.when(low, step)}，为 {words.short(series[low], unit)}。",
            )
        )
        if not second:
            self.change_card(series, step, unit)
            if step == "MS" and len(series) >= 24 and not column.averaged:
                self.years(series, name, unit)
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
        subtitle = f"{self.measure(column)}{words.say(' ', '，')}{words.every(step)}"
        if len(lines) > 1:
            subtitle += words.say(f", by {self.name(group)}", f"，按{self.name(group)}分")
        self.chart(
            "line", title, subtitle, lines=lines, unit=unit, step=step, zero=not column.averaged
        )

    def gaps(self, date, column, step, periods, second):
        """Periods of which a sum would lack a missing value; none if that is most of them."""
        missing = pd.Series(1, index=date.values[column.values.isna() & date.values.notna()])
        counted = missing.sort_index().resample(step).sum() if len(missing) else missing
        found = [moment for moment in counted.index[counted > 0] if moment in periods]
        if not found or len(found) > len(periods) / 3:
            return set()
        if not second:
            named = [self.words.period(moment, step) for moment in found[:MOST_BARS]]
            self.quality.append(
                self.words.say(
                    f"Not charted, because values are missing there: {', '.join(named)}.",
                    f"因缺少数值而没有画入图中：{'、'.join(named)}。",
                )
            )
        return set(found)

    def years(self, series, name, unit):
        words = self.words
        now, before = series.iloc[-12:].sum(), series.iloc[-24:-12].sum()
        if before > 0:
            change = now / before - 1
            self.findings.insert(
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

    def change_card(self, series, step, unit):
        words = self.words
        if len(series) >= 2 and series.iloc[-2] > 0:
            change = series.iloc[-1] / series.iloc[-2] - 1
            sign = "+" if change > 0 else ""
            self.card(
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

    def by_group(self, group, column):
        words, unit = self.words, column.unit
        how = "mean" if column.averaged else "sum"
        values = column.values.groupby(self.spelled(group)).agg(how).dropna()
        values = values.sort_values(ascending=False)
        if len(values) < 2:
            return
        name, kind = self.name(column), self.name(group)
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
            self.findings.append(
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
            self.findings.append(
                words.say(
                    f"By {kind}, {top} accounts for {words.percent(share)} of {name} "
                    f"({words.short(best, unit)} of {words.short(total, unit)}).{more}",
                    f"按{kind}看，{top}占{name}的 {words.percent(share)}"
                    f"（{words.short(best, unit)} / {words.short(total, unit)}）。{more}",
                )
            )
            if len(self.cards) < 4:
                self.card(
                    words.say(f"Largest {kind}", f"最大的{kind}"), top,
                    words.say(
                        f"{words.percent(share)} of {name}", f"占{name} {words.percent(share)}"
                    ),
                )  # fmt: skip
        subtitle = self.measure(column) + words.say(f" by {kind}", f"，按{kind}")
        self.chart("bars", title, subtitle, bars=bars, unit=unit, share=not column.averaged)

    def spelled(self, group):
        """The group's values; "yes" and the like with the question that they answer."""
        if set(group.values.dropna().str.lower()) <= ANSWERS:
            return group.values.map(lambda v: f"{self.name(group)}: {v}", na_action="ignore")
        return group.values

    def counts(self, group):
        words = self.words
        values = self.spelled(group).value_counts()
        bars = [{"name": str(k), "value": int(v)} for k, v in values.iloc[:MOST_BARS].items()]
        share = values.iloc[0] / values.sum()
        top, kind = str(values.index[0]), self.name(group)
        self.findings.append(
            words.say(
                f"{kind}: {top} is the most frequent with {values.iloc[0]} rows "
                f"({words.percent(share)}).",
                f"{kind}中{top}最多，共 {values.iloc[0]} 行（{words.percent(share)}）。",
            )
        )
        self.chart(
            "bars",
            words.say(f"{top} is the most frequent {kind}", f"{kind}以{top}最多"),
            words.say(f"Rows by {kind}", f"各{kind}的行数"),
            bars=bars, unit="", share=True,
        )  # fmt: skip

    def extremes(self, column, labels, dates):
        """The ten highest rows, when rows are things with a name of their own."""
        named = [c for c in labels if c.values.nunique() == c.values.notna().sum() == len(c.values)]
        if not named or dates or len(column.values) < 4:
            return
        words, unit = self.words, column.unit
        ordered = column.values.dropna().sort_values(ascending=False).iloc[:MOST_BARS]
        bars = [
            {"name": str(named[0].values[i])[:40], "value": round(float(v), 6)}
            for i, v in ordered.items()
        ]
        name = self.name(column)
        self.findings.append(
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
        self.chart("bars", title, subtitle, bars=bars, unit=unit, share=False)

    def grid(self, date, groups, column):
        """A month-by-group heat map, when there are enough of both."""
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
        words = self.words
        row, when = wide.stack().idxmax()
        title = words.say(
            f"The strongest cell: {row}, {words.period(when, step)}",
            f"最高的一格：{row}，{words.period(when, step)}",
        )
        subtitle = self.measure(column) + words.say(
            f" by {self.name(group)} and period", f"，按{self.name(group)}和时间"
        )
        self.chart(
            "heat", title, subtitle, unit=column.unit,
            rows=[str(k) for k in wide.index],
            columns=[words.period(d, step) for d in wide.columns],
            ticks=[str(d.year if step == "YS" else d.month if step == "MS" else f"Q{d.quarter}")
                   for d in wide.columns],
            values=[
                [None if pd.isna(v) else round(float(v), 4) for v in row] for row in wide.to_numpy()
            ],
        )  # fmt: skip

    def spread(self, column, dates):
        values = column.values.dropna()
        if len(values) < 25 or values.nunique() < 10:
            return
        words, unit, name = self.words, column.unit, self.name(column)
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
            self.findings.append(
                words.say(
                    f"{len(odd)} row{'s' * (len(odd) != 1)} lie far outside the usual range of "
                    f"{name} (more than three quartile ranges away); the most extreme is "
                    f"{words.short(far, unit)}, in row {odd.index[odd == far][0] + 2}.",
                    f"{name}有 {len(odd)} 个离群值（超出三倍四分位距），最极端的为"
                    f" {words.short(far, unit)}，在第 {odd.index[odd == far][0] + 2} 行。",
                )
            )
        self.chart(
            "hist", title, subtitle, unit=unit, median=float(median),
            edges=[float(e) for e in edges], counts=[int(c) for c in counts],
        )  # fmt: skip

    def together(self, numbers, main):
        """The pair of measures that move together most."""
        best, strength = None, 0.35
        for other in [n for n in numbers if n is not main]:
            both = pd.DataFrame({"x": other.values, "y": main.values}).dropna()
            if (
                len(both) < 10
                or both["x"].nunique() < 5
                or not both["x"].std()
                or not both["y"].std()
            ):
                continue
            r = both["x"].corr(both["y"])
            if strength < abs(r) < 0.9995:
                best, strength = (other, both, r), abs(r)
        if best is None:
            return
        words, (other, both, r) = self.words, best
        slope, start = np.polyfit(both["x"], both["y"], 1)
        more = both.sample(600, random_state=1) if len(both) > 600 else both
        shown = f"{r:.2f}".replace("-", "−")
        a, b = self.name(other), self.name(main)
        self.findings.append(
            words.say(
                f"{a} and {b} move {'together' if r > 0 else 'in opposite directions'} "
                f"(correlation {shown} over {len(both)} rows); that alone does not say why.",
                f"{a}与{b}{'同向' if r > 0 else '反向'}变化（相关系数 {shown}，{len(both)} 行）；"
                "相关并不说明因果。",
            )
        )
        self.chart(
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

    def notes(self):
        words, table = self.words, self.table
        add = self.quality.append
        rows, total = len(table.cells), len(table.cells) * len(table.columns)
        missing = [c for c in table.columns if c.missing]
        add(
            words.say(
                f"{rows:,} rows and {len(table.columns)} columns were read ({table.source}).",
                f"共读取 {rows:,} 行、{len(table.columns)} 列（{table.source}）。",
            )
        )
        if missing:
            worst = sorted(missing, key=lambda c: -c.missing)[:4]
            listed = words.say(", ", "、").join(
                f"{c.name} {c.missing:,} ({words.percent(c.missing / rows)})" for c in worst
            )
            cells = sum(c.missing for c in missing)
            add(
                words.say(
                    f"{cells:,} of {total:,} cells are missing or unusable: {listed}. "
                    "They are left out of every figure, not filled in.",
                    f"{total:,} 个单元格中有 {cells:,} 个缺失或不可用：{listed}。"
                    "统计时跳过，未作填补。",
                )
            )
        else:
            add(words.say("No cell is missing.", "没有缺失值。"))
        for column in table.columns:
            if column.odd:
                kinds = {"number": ("a number", "数字"), "date": ("a date", "日期")}[column.kind]
                seen = words.say(", ", "、").join(
                    f"“{o[:24]}”" for o in dict.fromkeys(column.odd[:3])
                )
                add(
                    words.say(
                        f"{column.name}: {len(column.odd)} cells are not {kinds[0]}, e.g. {seen}.",
                        f"{column.name}：{len(column.odd)} 个单元格不是{kinds[1]}，如 {seen}。",
                    )
                )
        if table.duplicates:
            add(
                words.say(
                    f"{table.duplicates:,} rows repeat an earlier row exactly; they are counted.",
                    f"有 {table.duplicates:,} 行与之前的行完全相同，仍计入统计。",
                )
            )
        if table.ragged:
            add(
                words.say(
                    f"{table.ragged:,} rows have more or fewer cells than the header.",
                    f"有 {table.ragged:,} 行的单元格数与表头不一致。",
                )
            )


def step_of(dates):
    """The finest period that a chart bears and that has data in most of its turns."""
    span = max(1, (dates.max() - dates.min()).days)
    for step, days, most in PERIODS:
        filled = dates.value_counts().sort_index().resample(step).sum() > 0
        if filled.mean() >= 0.7 and span / days <= most:
            return step
    return "YS"


def complete(series, dates, step):
    """The periods that the dates cover whole: a month of three days would look like a fall.

    The first may not begin, nor the last end, much further inside its period than the others do.
    """
    if step == "D" or len(series) < 4:
        return series
    days = next(days for name, days, _ in PERIODS if name == step)
    turns = dates.dt.to_period(step.removesuffix("S"))
    late = (dates - turns.dt.start_time).dt.days.groupby(turns).min()
    early = (turns.dt.end_time - dates).dt.days.groupby(turns).min()
    first = int(late.iloc[0] > late.iloc[1:].median() + days / 5)
    last = int(early.iloc[-1] > early.iloc[:-1].median() + days / 5)
    return series.iloc[first : len(series) - last]


def points(series):
    return [[f"{date:%Y-%m-%d}", round(float(value), 6)] for date, value in series.items()]
