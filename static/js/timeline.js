// When what happened in a run happens again: in a time of its own, in which nobody waits for long.

const PATIENCE = 1500;

/** `events` as the feed tells them, in order. Times are milliseconds from the first one. */
export class Timeline {
  /** With `skip` no pause between two events is longer than people like to look at nothing. */
  constructor(events, { skip }) {
    this.events = events;
    this.real = [];
    this.times = [];
    let over = false;
    events.forEach((event, index) => {
      const gap = index && !over ? Math.max(0, Date.parse(event.at) - Date.parse(events[index - 1].at)) : 0;
      // A person was asked here, and may have slept over it.
      const asked = events[index - 1]?.kind === "run.paused";
      const worked = asked ? Math.min(gap, PATIENCE) : gap;
      this.real.push((this.real.at(-1) ?? 0) + worked);
      this.times.push((this.times.at(-1) ?? 0) + (skip ? Math.min(worked, PATIENCE) : worked));
      over ||= event.kind === "run.ended";
    });
  }

  get length() {
    return this.times.at(-1) ?? 0;
  }

  /** How many events have happened by then. */
  count(time) {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How long the run itself had worked by then. */
  worked(time) {
    const next = this.count(time);
    if (!next) return 0;
    if (next === this.times.length) return this.real.at(-1);
    const part = (time - this.times[next - 1]) / (this.times[next] - this.times[next - 1]);
    return this.real[next - 1] + part * (this.real[next] - this.real[next - 1]);
  }

  /** Where the same moment is in another timeline of these events. */
  moved(time, other) {
    const next = this.count(time);
    if (!next || next === this.times.length) return next ? other.length : 0;
    const part = (time - this.times[next - 1]) / (this.times[next] - this.times[next - 1]);
    return other.times[next - 1] + part * (other.times[next] - other.times[next - 1]);
  }

  /** What the model is typing then, as far as it has come: 0..1 of the event that comes next. */
  typing(time) {
    const next = this.count(time);
    const event = this.events[next];
    if (event?.kind !== "model.spoke" || !next) return null;
    const gap = this.times[next] - this.times[next - 1];
    return gap > 0 ? { data: event.data, part: (time - this.times[next - 1]) / gap } : null;
  }

  /** When files came, for marks on the way. */
  get marks() {
    return this.events.flatMap(({ kind, data }, index) => (kind === "artifact.saved" ? [{ time: this.times[index], path: data.path }] : []));
  }
}
