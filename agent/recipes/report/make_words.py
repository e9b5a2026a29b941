"""Numbers and periods in words."""

from dataclasses import dataclass


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
