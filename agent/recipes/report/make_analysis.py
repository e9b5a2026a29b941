"""Chooses the charts that suit a table, and has them tell what can be said about it.

Nothing is guessed: every sentence is put together from numbers that were computed from the table.
"""

import re
from dataclasses import replace

from kit.script import Unusable
from make_course import over_time
from make_groups import by_group, counts, extremes, grid, rows
from make_notes import notes
from make_periods import step_of
from make_story import Story
from make_values import spread, together
from make_words import Words

MAIN = (
    r"(?i)revenue|sales|amount|total|turnover|income|profit|value|销售额|营业额|金额|总额|收入|营收|利润"
    r"|销量|产值|成交"
)


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
    count_cards(story, main, dates)
    if main:
        if dates:
            over_time(story, dates[0], main, groups)
        for measure in [main, *(n for n in numbers if n is not main)][:3]:
            extremes(story, measure, labels, dates)
        for group in by_relevance(groups, wish)[:3]:
            by_group(story, group, main)
        if dates and groups:
            grid(story, dates[0], groups, main)
        spread(story, main)
        together(story, numbers, main)
        if dates:
            for other in [n for n in numbers if n is not main][:2]:
                over_time(story, dates[0], other, [], second=True)
        if not story.charts and main.values.nunique() < main.values.notna().sum() / 2:
            counts(story, as_kinds(main))
        elif not story.charts:
            rows(story, main, labels)
    else:
        for group in by_relevance(groups, wish)[:4]:
            counts(story, group)
    notes(story)
    return story


def main_measure(numbers, wish):
    """The measure the request names, else one that is usually meant, else the first."""
    named = [n for n in numbers if plain(n.name) and plain(n.name) in wish.lower()]
    usual = [n for n in numbers if re.search(MAIN, n.name)]
    return next(iter(named or usual or numbers), None)


def by_relevance(groups, wish):
    """Groups that the request names first, then those with few kinds."""
    return sorted(groups, key=lambda g: (plain(g.name) not in wish.lower(), g.values.nunique()))


def as_kinds(column):
    """A column of few different numbers, such as marks, as one of categories."""
    return replace(column, values=column.values.map("{:g}".format, na_action="ignore"))


def plain(name):
    return re.sub(r"\s*[(（\[].*$", "", name).strip().lower()


def count_cards(story, main, dates):
    words, count = story.words, len(story.table.cells)
    if main:
        value = main.values.mean() if main.averaged else main.values.sum()
        story.card(story.measure(main), words.short(value, main.unit))
    note = ""
    if dates:
        days = dates[0].values.dropna()
        step = step_of(days)
        note = f"{words.period(days.min(), step)} – {words.period(days.max(), step)}"
    story.card(words.say("Rows", "数据行数"), f"{count:,}", note)
    if main and not main.averaged and not dates:
        story.card(
            words.say(f"Median {story.name(main)}", f"{story.name(main)}中位数"),
            words.short(main.values.median(), main.unit),
        )
