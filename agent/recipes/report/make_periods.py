"""The periods that dates are counted by."""

# Name, days, and how many of them a chart bears.
PERIODS = (
    ("D", 1, 70),
    ("W-SUN", 7, 55),
    ("MS", 30.4, 120),
    ("QS", 91.3, 120),
    ("YS", 365.25, 400),
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
