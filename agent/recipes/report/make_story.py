"""What a report tells, as it is put together."""

import re


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
        name = self.name(column)
        unit = f" ({column.unit})" if column.unit and column.unit != "%" else ""
        return self.words.say(
            f"{'Average' if column.averaged else 'Total'} {name}{unit}",
            f"{name}{'平均值' if column.averaged else '合计'}{unit}",
        )

    def name(self, column):
        """The column's heading without its unit."""
        return re.sub(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*$", "", column.name)
