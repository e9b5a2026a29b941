"""The report's page: one HTML file whose charts are drawn by D3 to the width they get."""

from jinja2 import Environment

TEXT = {
    "en": {
        "findings": "What the numbers say", "charts": "Charts", "quality": "About the data",
        "table": "The data", "first": "The first {} of {} rows. Press a heading to sort.",
        "all": "All {} rows. Press a heading to sort.", "theme": "Light or dark",
        "median": "Median", "rows": "rows", "of": "of the total", "correlation": "Correlation",
        "made": "Every figure is computed from {}.",
    },
    "zh": {
        "findings": "数据说明了什么", "charts": "图表", "quality": "数据说明",
        "table": "数据表", "first": "前 {} 行，共 {} 行。点击表头可排序。",
        "all": "共 {} 行。点击表头可排序。", "theme": "浅色或深色",
        "median": "中位数", "rows": "行", "of": "占比", "correlation": "相关系数",
        "made": "所有数字均由 {} 计算得出。",
    },
}  # fmt: skip

STYLE = """
:root {
  --paper: #fcfcfa; --card: #ffffff; --ink: #1b2430; --soft: #5d6875; --line: #e3e5e4;
  --grid: #e9ebea; --fill: color-mix(in srgb, var(--main) 12%, transparent);
  --muted: #c3cad1; --tip: #1b2430; --tip-ink: #fff;
  --display: DISPLAY, "Iowan Old Style", Georgia, "Songti SC", SimSun, serif;
  --text: "Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "PingFang SC", "Microsoft YaHei",
    "Noto Sans CJK SC", system-ui, sans-serif;
}
:root[data-theme="dark"] {
  --paper: #12171d; --card: #191f27; --ink: #edf0f3; --soft: #a2adb8; --line: #2b343e;
  --grid: #262f38; --muted: #4c5864; --tip: #edf0f3; --tip-ink: #12171d; --main: MAIN_DARK;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 var(--text); }
main { max-width: 1120px; margin: 0 auto; padding: 56px 32px 72px; }
h1 { margin: 0 0 12px; max-width: 22em; font: 700 46px/1.12 var(--display);
  font-variant-numeric: lining-nums; text-wrap: balance; overflow-wrap: anywhere; }
:lang(zh) h1 { font-size: 40px; line-height: 1.3; }
.lede { margin: 0 0 34px; max-width: 44em; color: var(--soft); font-size: 18px;
  text-wrap: pretty; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(190px, 1fr)); gap: 0;
  margin: 0 0 44px; padding: 0; border-top: 2px solid var(--ink); }
.cards div { padding: 16px 20px 4px 0; }
.cards dt { color: var(--soft); font-size: 13.5px; line-height: 1.4; }
.cards dd { margin: 2px 0 0; font: 700 34px/1.2 var(--display); overflow-wrap: anywhere;
  font-variant-numeric: lining-nums; }
.cards dd.long { font-size: 25px; line-height: 1.6; }
.cards small { display: block; color: var(--soft); font: 400 13px/1.45 var(--text); }
h2 { margin: 52px 0 16px; font: 700 27px/1.25 var(--display); }
.findings { margin: 0; padding: 0; list-style: none; columns: 2; column-gap: 48px; }
.findings li { position: relative; margin: 0 0 14px; padding-left: 20px; break-inside: avoid;
  text-wrap: pretty; }
.findings li::before { content: ""; position: absolute; left: 0; top: .68em; width: 9px;
  height: 3px; background: var(--main); }
.charts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 44px 48px; }
figure { margin: 0; min-width: 0; }
figure.wide { grid-column: 1 / -1; }
figcaption b { display: block; font: 700 21px/1.3 var(--display); font-variant-numeric: lining-nums;
  text-wrap: balance; }
figcaption span { color: var(--soft); font-size: 14px; }
.plot { margin-top: 14px; }
.plot svg { display: block; width: 100%; overflow: visible; }
.plot text { font: 13px var(--text); fill: var(--soft); font-variant-numeric: tabular-nums; }
.plot .strong { fill: var(--ink); font-weight: 600; }
.plot .rule { stroke: var(--grid); }
.plot .base { stroke: var(--soft); }
.plot .knock { paint-order: stroke; stroke: var(--paper); stroke-width: 4px;
  stroke-linejoin: round; }
.plot [tabindex]:focus-visible { outline: 2px solid #2f7de1; outline-offset: 2px; }
#tip { position: fixed; z-index: 9; pointer-events: none; max-width: 260px; padding: 7px 11px;
  border-radius: 7px; background: var(--tip); color: var(--tip-ink); font: 13px/1.45 var(--text);
  box-shadow: 0 3px 14px rgb(0 0 0 / .22); opacity: 0; white-space: pre-line; }
.quality { margin: 0; padding-left: 1.1em; color: var(--soft); font-size: 15px; }
.scroll { overflow-x: auto; max-height: 560px; border: 1px solid var(--line); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; background: var(--card); }
th, td { padding: 8px 14px; text-align: left; white-space: nowrap; max-width: 340px;
  overflow: hidden; text-overflow: ellipsis; border-bottom: 1px solid var(--line); }
th { position: sticky; top: 0; padding: 0; background: var(--card);
  box-shadow: 0 1px 0 var(--line); }
th button { width: 100%; min-height: 40px; padding: 8px 14px; border: 0; background: none;
  color: inherit; font: 600 13.5px/1.3 var(--text); text-align: inherit; cursor: pointer; }
th[aria-sort="ascending"] button::after { content: " ↑"; }
th[aria-sort="descending"] button::after { content: " ↓"; }
.r { text-align: right; font-variant-numeric: tabular-nums; }
.hint, footer { color: var(--soft); font-size: 14px; }
footer { margin-top: 40px; padding-top: 14px; border-top: 1px solid var(--line); }
#theme { position: absolute; right: 20px; top: 18px; display: grid; place-items: center;
  width: 42px; height: 42px; border: 1px solid var(--line); border-radius: 50%;
  background: var(--card); color: var(--ink); cursor: pointer; }
#theme svg { width: 20px; fill: none; stroke: currentColor; stroke-width: 2; }
button:focus-visible { outline: 3px solid #2f7de1; outline-offset: 1px; }
.poster main { max-width: none; height: 100vh; padding: 52px 64px 36px; display: grid;
  grid-template-rows: auto auto auto 1fr auto; }
.poster #theme, .poster .hint { display: none; }
.poster h1 { max-width: none; font-size: 52px; }
.poster .lede { margin-bottom: 24px; max-width: none; }
.poster .cards { margin-bottom: 24px; }
.poster .charts { gap: 30px 64px; }
.poster .findings { columns: 1; margin-top: 26px; }
.poster footer { margin-top: 18px; }
@media (max-width: 760px) {
  main { padding: 30px 18px 48px; }
  h1, :lang(zh) h1 { font-size: 31px; padding-right: 44px; }
  .lede { font-size: 16.5px; }
  .cards { grid-template-columns: 1fr 1fr; }
  .cards dd { font-size: 26px; }
  .cards dd.long { font-size: 20px; }
  .findings { columns: 1; }
  .charts { grid-template-columns: minmax(0, 1fr); gap: 36px; }
}
@media print {
  @page { size: A4; margin: 15mm 14mm; }
  :root { --paper: #fff; --card: #fff; --ink: #111; --soft: #444; }
  .plot svg { height: auto; }
  * { print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  h1, :lang(zh) h1 { font-size: 30pt; }
  body { font-size: 10.5pt; }
  #theme, #tip, .hint { display: none; }
  figure, .cards, .findings li { break-inside: avoid; }
  .charts { gap: 8mm; }
  h2 { break-after: avoid; }
  .scroll { max-height: none; overflow: visible; border: 0; }
  table { font-size: 8.5pt; table-layout: fixed; }
  th, td { padding: 2px 6px; white-space: normal; }
  th { position: static; }
  tr { break-inside: avoid; }
}
"""

SCRIPT = r"""
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const T = data.text, root = document.documentElement, zh = data.lang === 'zh';
const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => { root.dataset.theme = dark.matches ? 'dark' : 'light'; };
if (data.theme === 'auto') { setTheme(); dark.addEventListener('change', setTheme); }
else root.dataset.theme = data.theme;
document.getElementById('theme').addEventListener('click', () => {
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  draw();
});

const compact = new Intl.NumberFormat(zh ? 'zh-CN' : 'en', {
  notation: 'compact', maximumSignificantDigits: 3 });
const exact = new Intl.NumberFormat(zh ? 'zh-CN' : 'en', { maximumFractionDigits: 2 });
const withUnit = (text, unit) => !unit ? text : unit === '%' ? `${text}%`
  : /^[$€£¥￥₹]|^US\$/.test(unit) ? `${unit}${text}`
    : `${text}${/^[\u3400-\u9fff]/.test(unit) ? '' : ' '}${unit}`;
const short = (value, unit) => withUnit(compact.format(value).replace('-', '−'),
  unit === '%' ? unit : '');
const full = (value, unit) => withUnit(exact.format(value), unit);
const color = (name) => getComputedStyle(root).getPropertyValue(name).trim();
const hues = () => [color('--main'), ...data.hues];

const tip = document.getElementById('tip');
function hint(selection, text) {
  selection.on('pointermove', (event, d) => showTip(text(d), event.clientX, event.clientY))
    .on('pointerleave blur', () => { tip.style.opacity = 0; })
    .on('focus', (event, d) => {
      const box = event.target.getBoundingClientRect();
      showTip(text(d), box.x + box.width / 2, box.y);
    });
}
function showTip(text, x, y) {
  tip.textContent = text;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(innerWidth - box.width - 8, x + 14))}px`;
  tip.style.top = `${Math.max(8, y - box.height - 12)}px`;
  tip.style.opacity = 1;
}
const ruler = document.createElement('canvas').getContext('2d');
function measure(text, weight = 400) {
  ruler.font = `${weight} 13px ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(text).width;
}
function fitted(text, room) {
  if (measure(text) <= room) return text;
  let cut = text.length;
  while (cut > 1 && measure(`${text.slice(0, cut)}…`) > room) cut -= 1;
  return `${text.slice(0, cut)}…`;
}
function canvas(figure, height) {
  const plot = figure.querySelector('.plot'), width = plot.clientWidth;
  plot.replaceChildren();
  const svg = d3.select(plot).append('svg').attr('viewBox', `0 0 ${width} ${height}`)
    .attr('height', height).attr('role', 'img')
    .attr('aria-label', figure.querySelector('figcaption').innerText.replace('\n', '. '));
  return { svg, width, height };
}
function rules(svg, scale, left, right, unit, count = 4) {
  for (const value of scale.ticks(count)) {
    const y = Math.round(scale(value)) + 0.5;
    svg.append('line').attr('class', value === 0 ? 'base' : 'rule')
      .attr('x1', left).attr('x2', right).attr('y1', y).attr('y2', y);
    svg.append('text').attr('x', left).attr('y', y - 5).attr('class', 'knock')
      .text(short(value, unit));
  }
}
const dated = {
  D: zh ? d3.timeFormat('%-m月%-d日') : d3.timeFormat('%-d %b'),
  MS: zh ? d3.timeFormat('%Y年%-m月') : d3.timeFormat('%b %Y'), YS: d3.timeFormat('%Y'),
  QS: (d) => (zh ? `${d.getFullYear()}年${Math.floor(d.getMonth() / 3) + 1}季度`
    : `Q${Math.floor(d.getMonth() / 3) + 1} ${d.getFullYear()}`),
};
dated['W-SUN'] = dated.D;
const fullDate = zh ? d3.timeFormat('%Y年%-m月%-d日') : d3.timeFormat('%-d %b %Y');
const named = (step, d) => (step === 'D' || step === 'W-SUN' ? fullDate(d) : dated[step](d));

const kinds = {
  line(figure, chart, room) {
    const tall = figure.classList.contains('wide') ? 330 : 270;
    const { svg, width, height } = canvas(figure, room ?? tall);
    const parse = d3.timeParse('%Y-%m-%d');
    const lines = chart.lines.map((line) => ({
      name: line.name, points: line.points.map(([d, v]) => [parse(d), v]) }));
    const many = lines.length > 1;
    const widest = d3.max(lines, (l) => measure(l.name, 600));
    const gutter = many ? Math.min(width * 0.24, 18 + widest) : 58;
    const every = lines.flatMap((l) => l.points);
    const x = d3.scaleTime(d3.extent(every, (p) => p[0]), [46, width - gutter]);
    const [low, high] = d3.extent(every, (p) => p[1]);
    const floor = chart.zero ? Math.min(0, low) : low - (high - low) * 0.12;
    const y = d3.scaleLinear([floor, high], [height - 28, 16]).nice(4);
    rules(svg, y, 0, width - gutter, chart.unit);
    const ticks = x.ticks(Math.max(2, Math.floor((width - gutter) / 110)));
    const span = x.domain()[1] - x.domain()[0];
    const mark = span > 864e5 * 900 ? d3.timeFormat('%Y') : span > 864e5 * 70
      ? (d) => (d.getMonth() === 0 ? d3.timeFormat('%Y')(d)
        : zh ? `${d.getMonth() + 1}月` : d3.timeFormat('%b')(d)) : dated.D;
    let last = '';
    for (const tick of ticks) {
      const label = mark(tick);
      if (label !== last) svg.append('text').attr('x', x(tick)).attr('y', height - 6)
        .attr('text-anchor', 'middle').text(label);
      last = label;
    }
    const path = d3.line((p) => x(p[0]), (p) => y(p[1]));
    const shades = hues();
    if (!many && chart.zero) {
      svg.append('path').attr('fill', color('--main')).attr('fill-opacity', 0.1).attr('d',
        d3.area((p) => x(p[0]), y(Math.max(y.domain()[0], Math.min(0, y.domain()[1]))),
          (p) => y(p[1]))(lines[0].points));
    }
    lines.slice().reverse().forEach((line) => svg.append('path').attr('fill', 'none')
      .attr('stroke', shades[lines.indexOf(line)]).attr('stroke-width', 2.6)
      .attr('stroke-linejoin', 'round').attr('d', path(line.points)));
    const ends = lines.map((line, i) => {
      const [date, value] = line.points.at(-1);
      return { ...line, i, x: x(date), y: y(value), at: y(value), value };
    }).sort((a, b) => a.y - b.y);
    for (let pass = 0; pass < 40; pass += 1) {
      ends.slice(1).forEach((end, i) => {
        const over = 17 - (end.y - ends[i].y);
        if (over > 0) { end.y += over / 2; ends[i].y -= over / 2; }
      });
      ends.forEach((end) => { end.y = Math.max(10, Math.min(height - 32, end.y)); });
    }
    for (const end of ends) {
      svg.append('circle').attr('cx', end.x).attr('cy', end.at).attr('r', 4)
        .attr('fill', shades[end.i]);
      svg.append('text').attr('x', width - gutter + 12).attr('y', end.y + 4.5)
        .attr('class', 'strong')
        .style('fill', many ? shades[end.i] : null)
        .text(many ? fitted(end.name, gutter - 12) : short(end.value, chart.unit));
    }
    if (!many) {
      const peak = d3.greatest(lines[0].points, (p) => p[1]);
      if (peak !== lines[0].points.at(-1)) {
        const near = x(peak[0]) > width * 0.7;
        svg.append('circle').attr('cx', x(peak[0])).attr('cy', y(peak[1])).attr('r', 4)
          .attr('fill', color('--main'));
        svg.append('text').attr('x', x(peak[0]) + (near ? -8 : 8)).attr('y', y(peak[1]) - 7)
          .attr('text-anchor', near ? 'end' : 'start').attr('class', 'strong knock')
          .text(`${short(peak[1], chart.unit)} · ${dated[chart.step](peak[0])}`);
      }
    }
    const dates = [...new Set(every.map((p) => +p[0]))].sort((a, b) => a - b);
    const cursor = svg.append('line').attr('class', 'base').attr('y1', 12).attr('y2', height - 26)
      .attr('visibility', 'hidden');
    svg.append('rect').attr('width', width).attr('height', height).attr('fill', 'transparent')
      .on('pointermove', (event) => {
        const at = x.invert(d3.pointer(event)[0]), date = dates[d3.bisectCenter(dates, at)];
        cursor.attr('x1', x(date)).attr('x2', x(date)).attr('visibility', 'visible');
        const values = lines.map((l) => [l.name, l.points.find((p) => +p[0] === date)?.[1]])
          .filter((pair) => pair[1] !== undefined).sort((a, b) => b[1] - a[1]);
        showTip([named(chart.step, new Date(date)), ...values.map(([name, value]) =>
          `${many ? `${name}: ` : ''}${full(value, chart.unit)}`)].join('\n'),
        event.clientX, event.clientY);
      }).on('pointerleave', () => { cursor.attr('visibility', 'hidden'); tip.style.opacity = 0; });
  },

  bars(figure, chart, room) {
    const bars = chart.bars;
    const step = room ? Math.min(42, room / bars.length) : bars.length > 8 ? 29 : 34;
    const width = figure.querySelector('.plot').clientWidth;
    const names = Math.min(width * 0.36, 10 + d3.max(bars, (b) => measure(b.name)));
    const total = d3.sum(bars, (b) => b.value);
    const label = (b) => short(b.value, chart.unit)
      + (chart.share && total > 0 ? ` · ${d3.format('.0%')(b.value / total)}` : '');
    const { svg } = canvas(figure, bars.length * step + 6);
    const low = Math.min(0, d3.min(bars, (b) => b.value));
    const far = 14 + d3.max(bars, (b) => measure(label(b), 600));
    const x = d3.scaleLinear([low, Math.max(0, d3.max(bars, (b) => b.value))],
      [names + (low < 0 ? far : 0), width - far]);
    const rows = svg.selectAll('g').data(bars).join('g').attr('tabindex', 0)
      .attr('transform', (b, i) => `translate(0 ${i * step})`);
    rows.append('rect').attr('width', width).attr('height', step).attr('fill', 'transparent');
    rows.append('text').attr('x', names - 10).attr('y', step / 2 + 4.5).attr('text-anchor', 'end')
      .style('fill', color('--ink')).text((b) => fitted(b.name, names - 10));
    rows.append('rect').attr('x', (b) => Math.min(x(0), x(b.value))).attr('y', step * 0.14)
      .attr('height', step * 0.72).attr('rx', 2)
      .attr('width', (b) => Math.max(1, Math.abs(x(b.value) - x(0))))
      .attr('fill', (b, i) => (b.rest ? color('--muted') : color('--main')))
      .attr('fill-opacity', (b, i) => (i === 0 || b.rest ? 1 : 0.62));
    rows.append('text').attr('class', (b, i) => (i === 0 ? 'strong' : ''))
      .attr('x', (b) => (b.value < 0 ? x(b.value) - 7 : x(b.value) + 7)).attr('y', step / 2 + 4.5)
      .attr('text-anchor', (b) => (b.value < 0 ? 'end' : 'start')).text(label);
    svg.append('line').attr('class', 'base').attr('x1', x(0)).attr('x2', x(0)).attr('y1', 0)
      .attr('y2', bars.length * step);
    hint(rows, (b) => `${b.name}\n${full(b.value, chart.unit)}`
      + (chart.share && total > 0 ? `\n${T.of}: ${d3.format('.1%')(b.value / total)}` : ''));
  },

  hist(figure, chart, room) {
    const { svg, width, height } = canvas(figure, room ?? 270);
    const x = d3.scaleLinear([chart.edges[0], chart.edges.at(-1)], [46, width - 14]);
    const y = d3.scaleLinear([0, d3.max(chart.counts)], [height - 28, 30]).nice(4);
    rules(svg, y, 0, width, '');
    const bins = svg.selectAll('g').data(chart.counts).join('g').attr('tabindex', 0);
    bins.append('rect').attr('x', (c, i) => x(chart.edges[i]) + 0.75).attr('y', (c) => y(c))
      .attr('width', (c, i) => Math.max(1, x(chart.edges[i + 1]) - x(chart.edges[i]) - 1.5))
      .attr('height', (c) => y(0) - y(c)).attr('fill', color('--main')).attr('fill-opacity', 0.72);
    hint(bins, (c) => {
      const i = bins.nodes().findIndex((node) => node.matches(':hover, :focus'));
      return i < 0 ? `${c} ${T.rows}` : `${full(chart.edges[i], chart.unit)} – `
        + `${full(chart.edges[i + 1], chart.unit)}\n${chart.counts[i]} ${T.rows}`;
    });
    for (const tick of x.ticks(Math.max(3, Math.floor(width / 110)))) {
      svg.append('text').attr('x', x(tick)).attr('y', height - 6).attr('text-anchor', 'middle')
        .text(short(tick, chart.unit));
    }
    const middle = x(chart.median);
    svg.append('line').attr('x1', middle).attr('x2', middle).attr('y1', 14).attr('y2', y(0))
      .attr('stroke', color('--ink')).attr('stroke-width', 1.5).attr('stroke-dasharray', '4 3');
    svg.append('text').attr('x', middle + (middle > width * 0.6 ? -7 : 7)).attr('y', 20)
      .attr('text-anchor', middle > width * 0.6 ? 'end' : 'start').attr('class', 'strong knock')
      .text(`${T.median} ${short(chart.median, chart.unit)}`);
  },

  scatter(figure, chart, room) {
    const { svg, width, height } = canvas(figure, room ?? 300);
    const x = d3.scaleLinear(d3.extent(chart.points, (p) => p[0]), [50, width - 14]).nice(5);
    const y = d3.scaleLinear(d3.extent(chart.points, (p) => p[1]), [height - 44, 14]).nice(4);
    rules(svg, y, 0, width, chart.unit);
    for (const tick of x.ticks(Math.max(3, Math.floor(width / 110)))) {
      svg.append('text').attr('x', x(tick)).attr('y', height - 24).attr('text-anchor', 'middle')
        .text(short(tick, chart.unit_x));
    }
    svg.append('text').attr('x', width - 14).attr('y', height - 5).attr('text-anchor', 'end')
      .attr('class', 'strong').text(`${chart.x} →`);
    const crowd = chart.points.length > 200;
    const dots = svg.selectAll('circle').data(chart.points).join('circle')
      .attr('cx', (p) => x(p[0])).attr('cy', (p) => y(p[1])).attr('r', crowd ? 3 : 4)
      .attr('fill', color('--main')).attr('fill-opacity', crowd ? 0.35 : 0.55);
    hint(dots, (p) => `${chart.x}: ${full(p[0], chart.unit_x)}\n`
      + `${chart.y}: ${full(p[1], chart.unit)}`);
    const [slope, start] = chart.line, ends = d3.extent(chart.points, (p) => p[0]);
    svg.append('line').attr('x1', x(ends[0])).attr('x2', x(ends[1]))
      .attr('y1', y(start + slope * ends[0])).attr('y2', y(start + slope * ends[1]))
      .attr('stroke', color('--ink')).attr('stroke-width', 1.8).attr('stroke-dasharray', '6 4');
    svg.append('text').attr('x', width - 14).attr('y', slope > 0 ? height - 54 : 24)
      .attr('text-anchor', 'end').attr('class', 'strong knock').text(`${T.correlation} ${chart.r}`);
  },

  heat(figure, chart, room) {
    const width = figure.querySelector('.plot').clientWidth;
    const names = Math.min(width * 0.3, 12 + d3.max(chart.rows, (name) => measure(name)));
    const cell = (width - names) / chart.columns.length;
    const high = room ? Math.min(40, (room - 26) / chart.rows.length) : 34;
    const { svg } = canvas(figure, chart.rows.length * high + 26);
    const values = chart.values.flat().filter((v) => v !== null);
    const shade = d3.scaleLinear([d3.min(values), d3.max(values)],
      [color('--grid'), color('--main')]).interpolate(d3.interpolateLab);
    const every = Math.ceil(24 / cell);
    chart.ticks.forEach((tick, i) => i % every === 0 && svg.append('text')
      .attr('x', names + (i + 0.5) * cell).attr('y', 13).attr('text-anchor', 'middle').text(tick));
    chart.rows.forEach((row, r) => {
      svg.append('text').attr('x', names - 10).attr('y', 26 + (r + 0.5) * high + 4)
        .attr('text-anchor', 'end').style('fill', color('--ink')).text(fitted(row, names - 12));
      const cells = svg.selectAll(`.r${r}`).data(chart.values[r]).join('g').attr('tabindex', 0);
      cells.append('rect').attr('x', (v, i) => names + i * cell + 1).attr('y', 26 + r * high + 1)
        .attr('width', cell - 2).attr('height', high - 2).attr('rx', 2)
        .attr('fill', (v) => (v === null ? 'transparent' : shade(v)))
        .attr('stroke', (v) => (v === null ? color('--grid') : 'none'));
      if (cell > 46) {
        cells.append('text').attr('x', (v, i) => names + (i + 0.5) * cell)
          .attr('y', 26 + (r + 0.5) * high + 4.5).attr('text-anchor', 'middle')
          .style('fill', (v) => (v !== null && d3.lab(shade(v)).l < 62 ? '#fff' : '#1b2430'))
          .text((v) => (v === null ? '' : short(v, chart.unit)));
      }
      cells.each(function each(v, i) {
        const value = v === null ? '–' : full(v, chart.unit);
        hint(d3.select(this), () => `${row} · ${chart.columns[i]}\n${value}`);
      });
    });
  },
};

function draw() {
  document.querySelectorAll('figure').forEach((figure) => {
    const chart = data.charts[+figure.dataset.chart];
    let room;
    if (document.body.classList.contains('poster')) {
      const below = figure.querySelector('.findings')?.offsetHeight ?? 0;
      room = innerHeight - figure.querySelector('.plot').getBoundingClientRect().top - 84 - below;
    }
    kinds[chart.kind](figure, chart, room);
  });
}
let width = 0;
new ResizeObserver(() => {
  if (width !== innerWidth) { width = innerWidth; draw(); }
}).observe(document.body);
let screenTheme;
addEventListener('beforeprint', () => {
  screenTheme = root.dataset.theme;
  root.dataset.theme = 'light';
  draw();
});
addEventListener('afterprint', () => { root.dataset.theme = screenTheme; draw(); });

const body = document.querySelector('tbody');
document.querySelectorAll('th button').forEach((button, column) => {
  button.addEventListener('click', () => {
    const head = button.parentElement, down = head.getAttribute('aria-sort') === 'ascending';
    document.querySelectorAll('th').forEach((th) => th.removeAttribute('aria-sort'));
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const rows = [...body.rows], value = (row) => row.cells[column].dataset.v ?? '';
    const numeric = head.dataset.kind === 'number';
    rows.sort((a, b) => {
      const [p, q] = [value(a), value(b)];
      if (p === '' || q === '') return (p === '') - (q === '');
      return (numeric ? p - q : p.localeCompare(q, root.lang)) * (down ? -1 : 1);
    });
    body.append(...rows);
  });
});
"""

PAGE = """<!doctype html>
<html lang="{{ 'zh-CN' if lang == 'zh' else 'en' }}" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<link rel="icon" href="data:,">
<style>{{ fonts | safe }}:root { --main: {{ main }}; }
{{ style | safe }}</style>
</head>
<body{% if poster %} class="poster"{% endif %}>
<main>
<header>
<button id="theme" type="button" aria-label="{{ t.theme }}" title="{{ t.theme }}">
<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/>
<path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor"/></svg></button>
<h1>{{ title }}</h1>
<p class="lede">{{ lede }}</p>
</header>
<dl class="cards">{% for card in cards %}
<div><dt>{{ card.label }}</dt>
<dd{% if card.value | length > 11 %} class="long"{% endif %}>{{ card.value }}
{% if card.note %}<small>{{ card.note }}</small>{% endif %}</dd></div>{% endfor %}
</dl>
{% if not poster %}<section><h2>{{ t.findings }}</h2>
<ul class="findings">{% for finding in findings %}
<li>{{ finding }}</li>{% endfor %}
</ul></section>
<h2>{{ t.charts }}</h2>{% else %}<div></div>{% endif %}
<section class="charts" aria-label="{{ t.charts }}">{% for chart in charts %}
<figure data-chart="{{ loop.index0 }}"{% if chart.wide %} class="wide"{% endif %}>
<figcaption><b>{{ chart.title }}</b><span>{{ chart.subtitle }}</span></figcaption>
<div class="plot"></div>{% if poster and loop.last %}<ul class="findings">
{% for finding in findings[:4] %}<li>{{ finding }}</li>{% endfor %}</ul>{% endif %}</figure>
{%- endfor %}
</section>
{% if not poster %}<section><h2>{{ t.quality }}</h2>
<ul class="quality">{% for note in quality %}<li>{{ note }}</li>{% endfor %}</ul></section>
<section><h2>{{ t.table }}</h2><p class="hint">{{ shown }}</p>
<div class="scroll" tabindex="0" role="region" aria-label="{{ t.table }}"><table>
<thead><tr>{% for column in columns %}
<th scope="col" data-kind="{{ column.kind }}"{% if column.kind == 'number' %} class="r"{% endif %}>
<button type="button">{{ column.name }}</button></th>{% endfor %}</tr></thead>
<tbody>{% for row in rows %}<tr>{% for cell in row %}
<td data-v="{{ cell.sort }}"{% if cell.right %} class="r"{% endif %}>{{ cell.text }}</td>
{%- endfor %}</tr>
{% endfor %}</tbody></table></div></section>{% endif %}
<footer>{{ made }}</footer>
</main>
<div id="tip" role="status"></div>
<script>{{ d3 | safe }}</script>
<script type="application/json" id="data">{{ data | safe }}</script>
<script>{{ script | safe }}</script>
</body>
</html>
"""


def page(**values):
    """The HTML; `values` fill the template, everything in it escaped but libraries and data."""
    template = Environment(autoescape=True, trim_blocks=True).from_string(PAGE)
    return template.render(style=values.pop("css"), script=SCRIPT, **values)
