"""What the report's page does: its charts drawn to the width they get, hints, sorting."""

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
