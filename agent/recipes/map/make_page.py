"""The map's page: one HTML file with Leaflet, the basemap and the fonts inside."""

from jinja2 import Environment

TEXT = {
    "en": {
        "days": "Days", "all": "All", "map": "Map", "stops": "Stops", "in": "Zoom in",
        "out": "Zoom out", "fit": "Show everything", "theme": "Light or dark", "close": "Close",
        "previous": "Previous stop", "next": "Next stop", "panel": "Show or hide the list",
        "square": "Square",
        "grid": "Grid squares: {} km", "route": "Order of stops, straight lines",
        "route_far": "Order of stops, great circles", "known": "Other well-known sights",
        "sight": "Position from a built-in list, good to about 300 m",
        "city": "Centre of the town", "missing": "Not found offline",
        "missing_how": "Give coordinates, for example “{} 48.2100, 16.3600”.",
        "remarks": "Left out", "credit": "Natural Earth · GeoNames",
        "note": "Works without a network. Coastlines and borders are simplified.",
        "note_city": "Works without a network. Coastlines are good to about 1 km: a place on the "
        "shore may seem to lie in the water.",
        "toward": "{far} to {name}",
    },
    "zh": {
        "days": "日程", "all": "全部", "map": "地图", "stops": "地点", "in": "放大",
        "out": "缩小", "fit": "显示全部", "theme": "浅色或深色", "close": "关闭",
        "previous": "上一站", "next": "下一站", "panel": "展开或收起列表",
        "square": "方格",
        "grid": "方格边长 {} 公里", "route": "游览顺序（直线）",
        "route_far": "行程顺序（大圆航线）", "known": "其他知名景点",
        "sight": "位置取自内置景点表，误差约 300 米",
        "city": "城市中心位置", "missing": "离线未找到",
        "missing_how": "请给出坐标，例如“{} 30.2500, 120.1500”。",
        "remarks": "未采用", "credit": "Natural Earth · GeoNames",
        "note": "无需联网即可使用。海岸线与边界经过简化。",
        "note_city": "无需联网即可使用。海岸线精度约 1 公里，岸边的地点可能看起来落在水中。",
        "toward": "距{name} {far}",
    },
}  # fmt: skip

STYLE = """
:root {
  --paper: #fffdf9; --ink: #1f2733; --soft: #4a5461; --line: #e4ded2; --water: #b7d3e2;
  --coast: #8fb6cb; --land: #f5f0e6; --border: #b9ab93; --grid: #7d8b96; --town: #4d5864;
  --nation: #73664d; --shadow: 0 2px 10px rgb(30 40 55 / .16); --chip: #f6f2ea;
  --display: DISPLAY, "Iowan Old Style", "Palatino Linotype", Georgia, "Songti SC", SimSun, serif;
  --text: "Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "PingFang SC", "Microsoft YaHei",
    "Noto Sans CJK SC", system-ui, sans-serif;
}
:root[data-theme="dark"] {
  --paper: #171d25; --ink: #eef1f4; --soft: #a3afbb; --line: #2e3843; --water: #132330;
  --coast: #34566b; --land: #252d35; --border: #5d6a75; --grid: #93a4b0; --town: #b6c2cc;
  --nation: #8d9ba8; --shadow: 0 2px 12px rgb(0 0 0 / .5); --chip: #212a34;
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body {
  display: grid; grid-template-columns: minmax(320px, 26vw) 1fr; background: var(--paper);
  color: var(--ink); font: 15px/1.5 var(--text); overflow: hidden;
}
#panel { overflow-y: auto; padding: 34px 28px 40px; background: var(--paper); z-index: 2;
  box-shadow: 1px 0 0 var(--line); scrollbar-width: thin; }
#handle { display: none; }
h1 { margin: 0 0 10px; font: 700 37px/1.12 var(--display); font-variant-numeric: lining-nums;
  text-wrap: balance; overflow-wrap: anywhere; }
:lang(zh) h1 { font-size: 31px; line-height: 1.28; letter-spacing: .01em; }
.lede { margin: 0 0 22px; color: var(--soft); text-wrap: pretty; }
.chips { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 28px; }
.chip { min-height: 40px; padding: 6px 14px; border: 1px solid var(--line); border-radius: 10px;
  background: var(--chip); color: inherit; font: 600 13.5px/1.3 var(--text); cursor: pointer; }
.chip::before { content: ""; display: block; width: 22px; height: 4px; margin: 0 auto 4px;
  border-radius: 2px; background: var(--c, var(--soft)); }
.chip[aria-pressed="true"] { background: var(--ink); border-color: var(--ink);
  color: var(--paper); }
button:focus-visible, .leaflet-marker-icon:focus-visible, #map:focus-visible {
  outline: 3px solid #2f7de1; outline-offset: 2px; }
.day { margin: 0 0 34px; }
.day[hidden] { display: none; }
h2 { margin: 0 0 2px; color: var(--t); font: 700 23px/1.3 var(--display);
  font-variant-numeric: lining-nums; }
.sum { margin: 0 0 14px; color: var(--soft); font-size: 13px; }
.day ol { list-style: none; margin: 0; padding: 0; }
.stop { display: grid; grid-template-columns: 34px 1fr auto; gap: 0 14px; width: 100%;
  padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: left;
  cursor: pointer; border-radius: 8px; }
.stop .n { position: relative; }
.num { display: grid; place-items: center; width: 30px; height: 30px; border-radius: 50%;
  background: var(--c); color: #fff; font: 700 13px/1 var(--text); border: 2px solid var(--paper);
  box-shadow: 0 0 0 1.5px var(--c); margin: 2px; }
.stop b { font-size: 16px; line-height: 1.35; padding-top: 5px; overflow-wrap: anywhere; }
.stop:hover b, .stop[aria-current="true"] b { color: var(--t); }
.stop .ref { padding-top: 8px; color: var(--soft); font-size: 12.5px;
  font-variant-numeric: tabular-nums; }
.stop .when { color: var(--t); font-weight: 650; font-size: 13px; }
.stop .note { grid-column: 2 / 4; color: var(--soft); font-size: 14px; }
.leg { display: grid; grid-template-columns: 34px 1fr; gap: 0 14px; min-height: 34px;
  color: var(--soft); font-size: 13px; align-items: center; }
.leg::before { content: ""; justify-self: center; height: 100%; min-height: 34px;
  border-left: 3px dotted var(--c); }
.aside { margin: 0 0 18px; padding: 12px 14px; border: 1px solid var(--line); border-radius: 10px;
  background: var(--chip); font-size: 13.5px; }
.aside h3 { margin: 0 0 4px; font-size: 13.5px; }
.aside ul { margin: 0; padding-left: 1.2em; }
.aside p { margin: 4px 0 0; color: var(--soft); }
.fine { color: var(--soft); font-size: 12.5px; margin: 0; }
#map { position: relative; height: 100%; background: var(--water); z-index: 1;
  font-family: var(--text); }
#map .land { fill: var(--land); fill-opacity: 1; stroke: var(--coast); stroke-width: 1.2; }
#map .halo { fill: none; stroke: var(--coast); stroke-opacity: .22; stroke-width: 9;
  stroke-linejoin: round; }
#map.city .land { filter: blur(5px); }
#map .water { fill: var(--water); fill-opacity: 1; stroke: var(--coast); stroke-width: .8; }
#map .river { fill: none; stroke: var(--coast); stroke-width: 1.1; }
#map .border { fill: none; stroke: var(--border); stroke-width: 1.1; stroke-dasharray: 5 3; }
#map .grid { stroke: var(--grid); stroke-opacity: .26; stroke-width: .8; fill: none; }
#map .route { fill: none; stroke: var(--c); stroke-width: 3.4; stroke-linecap: round;
  stroke-dasharray: 9 7; }
#map .casing { fill: none; stroke: var(--paper); stroke-opacity: .8; stroke-width: 7;
  stroke-linecap: round; }
.leaflet-container a { color: inherit; }
.leaflet-container .leaflet-control-attribution { background: none; color: var(--soft);
  font-size: 11px; padding: 2px 8px; }
.leaflet-control-scale-line { background: none; border: 2px solid var(--ink); border-top: 0;
  color: var(--ink); font: 600 12px/1.4 var(--text); text-shadow: none; padding: 0 6px 2px; }
.labels { position: absolute; pointer-events: none; left: 0; top: 0; }
.labels span { position: absolute; white-space: nowrap; line-height: 1.2;
  paint-order: stroke; text-shadow: 0 0 3px var(--land), 0 0 3px var(--land),
  0 0 2px var(--land), 0 0 5px var(--land); }
.labels .s { font-weight: 650; font-size: 14px; color: var(--ink); }
.labels .t { font-size: 12.5px; color: var(--town); }
.labels .big { font-size: 14px; font-weight: 600; }
.labels .k { font-size: 12px; font-style: italic; color: var(--soft); }
:lang(zh) .labels .k { font-style: normal; }
.labels .c { font: 600 14px/1.2 var(--display); letter-spacing: .22em; color: var(--nation);
  text-transform: uppercase; }
.labels i { position: absolute; width: 5px; height: 5px; margin: -2.5px; border-radius: 50%;
  background: var(--town); box-shadow: 0 0 0 1.5px var(--land); }
.labels i.k { background: none; border: 1.5px solid var(--soft); width: 7px; height: 7px;
  margin: -3.5px; }
.edge { position: absolute; z-index: 650; pointer-events: none; color: var(--soft);
  font: 600 11px/1 var(--text); text-shadow: 0 0 3px var(--land), 0 0 3px var(--land); }
.pin { display: grid; place-items: center; width: 30px; height: 30px; border-radius: 50%;
  background: var(--c); color: #fff; border: 2.5px solid #fff; font: 700 14px/1 var(--text);
  box-shadow: 0 1px 5px rgb(0 0 0 / .4); position: relative; z-index: 1; }
.leaflet-marker-icon:hover .pin, .leaflet-marker-icon.on .pin { scale: 1.18; }
.off { display: none !important; }
.stem { position: absolute; left: 15px; top: 15px; height: 2px; background: var(--c);
  transform-origin: 0 50%; }
.stem::after { content: ""; position: absolute; right: -3px; top: -2px; width: 6px; height: 6px;
  border-radius: 50%; background: var(--c); }
.leaflet-popup-content-wrapper, .leaflet-popup-tip { background: var(--paper); color: var(--ink);
  box-shadow: var(--shadow); }
.leaflet-popup-content-wrapper { border-radius: 14px; }
.leaflet-popup-content { margin: 16px 18px 14px; font: 14px/1.5 var(--text); min-width: 210px; }
.leaflet-popup-content h3 { margin: 0 0 4px; font: 700 20px/1.25 var(--display); }
.leaflet-popup-content p { margin: 0 0 6px; }
.pop-day { color: var(--t); font-weight: 650; font-size: 13px; }
.pop-soft { color: var(--soft); font-size: 12.5px; }
.pop-nav { display: flex; gap: 8px; margin-top: 10px; }
.pop-nav button { flex: 1; min-height: 38px; border: 1px solid var(--line); border-radius: 9px;
  background: var(--chip); color: inherit; font: 600 13px/1 var(--text); cursor: pointer; }
.pop-nav button:disabled { opacity: .4; cursor: default; }
#legend { position: absolute; right: 16px; bottom: 30px; z-index: 700; padding: 12px 16px;
  border-radius: 12px; background: color-mix(in srgb, var(--paper) 94%, transparent);
  box-shadow: var(--shadow); font-size: 13px; max-width: 290px; }
#legend div { display: flex; align-items: center; gap: 10px; min-height: 23px; }
#legend svg { flex: none; width: 28px; height: 8px; overflow: visible; }
#tools { position: absolute; right: 16px; top: 16px; z-index: 700; display: grid; gap: 8px; }
#tools button { display: grid; place-items: center; width: 42px; height: 42px; border: 0;
  border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shadow);
  cursor: pointer; font: 400 21px/1 var(--text); }
#tools svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; }
@media screen and (max-width: 720px) {
  body { display: block; }
  #map { position: fixed; inset: 0; }
  #panel { position: fixed; inset: auto 0 0; height: 46%; padding: 0 20px 24px;
    border-radius: 18px 18px 0 0; box-shadow: 0 -4px 18px rgb(0 0 0 / .2);
    transition: height .25s ease; }
  #panel.up { height: 88%; }
  #panel.down { height: 108px; overflow: hidden; }
  #handle { display: block; position: sticky; top: 0; width: 100%; height: 30px; border: 0;
    background: var(--paper); cursor: pointer; z-index: 3; }
  #handle::before { content: ""; display: block; width: 44px; height: 5px; margin: auto;
    border-radius: 3px; background: var(--line); }
  h1, :lang(zh) h1 { font-size: 25px; margin-bottom: 6px; }
  .lede { margin-bottom: 14px; font-size: 14px; }
  .chips { flex-wrap: nowrap; overflow-x: auto; margin: 0 -20px 18px; padding: 2px 20px; }
  .chip { flex: none; }
  #legend { display: none; }
  #map .leaflet-bottom { bottom: 46%; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media print {
  @page { size: A4; margin: 14mm; }
  html, body { display: block; height: auto; overflow: visible; background: #fff; }
  body { display: flex; flex-direction: column; }
  #map { order: -1; position: relative; inset: auto; flex: none; width: 680px; height: 500px;
    margin: 0 0 8mm; border: 1px solid #bbb; break-inside: avoid; print-color-adjust: exact; }
  #panel, #panel.up, #panel.down { position: static; height: auto; padding: 0; box-shadow: none;
    overflow: visible; columns: 2; column-gap: 10mm; }
  #panel header { column-span: all; }
  .num, .pin { print-color-adjust: exact; }
  #tools, .chips, #handle, .leaflet-popup { display: none !important; }
  .stop, .aside { break-inside: avoid; }
}
"""

SCRIPT = r"""
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const T = data.text, phone = matchMedia('(max-width: 720px)');
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const escape = (s) => String(s).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = (name) => { root.dataset.theme = name; };
if (data.theme === 'auto') {
  theme(dark.matches ? 'dark' : 'light');
  dark.addEventListener('change', () => theme(dark.matches ? 'dark' : 'light'));
} else theme(data.theme);

const [w, s, e, n] = data.area, home = L.latLngBounds(data.home);
const map = L.map('map', {
  zoomControl: false, zoomSnap: 0.25, zoomDelta: 0.75, wheelPxPerZoomLevel: 110, maxZoom: 17,
  maxBounds: [[s, w], [n, e]], maxBoundsViscosity: 1, renderer: L.svg({ padding: 0.6 }),
  zoomAnimation: !still, fadeAnimation: !still, worldCopyJump: false,
});
map.fitBounds(home, { animate: false });
map.attributionControl.setPrefix(false).addAttribution(escape(T.credit));
L.control.scale({ imperial: false, maxWidth: 130 }).addTo(map);
map.createPane('base').style.zIndex = 210;
map.createPane('routes').style.zIndex = 420;
const layer = (shape, className) => shape && L.geoJSON(shape, {
  pane: 'base', interactive: false, style: { className, weight: 1 },
}).addTo(map);
layer(data.base.land, 'halo'); layer(data.base.land, 'land');
layer(data.base.lakes, 'water'); layer(data.base.rivers, 'river');
layer(data.base.borders, 'border');
for (const line of data.grid.lines) {
  L.polyline(line, { pane: 'base', interactive: false, className: 'grid' }).addTo(map);
}
if (data.city) map.getContainer().classList.add('city');

let shown = null, open = -1;
const routes = data.days.map((day) => day.route.length < 2 ? null : L.layerGroup([
  L.polyline(day.route, { pane: 'routes', interactive: false, className: 'casing' }),
  L.polyline(day.route, { pane: 'routes', interactive: false, className: `route d${day.index}` }),
]).addTo(map));
const stops = data.stops.map((stop, index) => {
  const marker = L.marker([stop.lat, stop.lon], {
    keyboard: true, riseOnHover: true, icon: L.divIcon({
      className: `d${stop.day}`, iconSize: [30, 30],
      html: `<span class="pin">${stop.number}</span>`,
    }),
  }).addTo(map);
  marker.bindPopup(() => card(index), { offset: [0, -10], autoPanPadding: [30, 30] });
  marker.on('popupopen', () => mark(index)).on('popupclose', () => mark(-1));
  const element = marker.getElement();
  element.setAttribute('role', 'button');
  element.setAttribute('aria-label', `${stop.number}. ${stop.name}`);
  return { ...stop, marker, element };
});
const visible = (stop) => shown === null || stop.day === shown;

function card(index) {
  const stop = stops[index], day = data.days[stop.day], box = document.createElement('div');
  box.className = `d${stop.day}`;
  const rows = [
    `<p class="pop-day">${escape([day.label, stop.time].filter(Boolean).join(' · '))}</p>`,
    `<h3>${stop.number}. ${escape(stop.name)}</h3>`,
    stop.note && `<p>${escape(stop.note)}</p>`,
    stop.leg && `<p>${escape(stop.leg)}</p>`,
    `<p class="pop-soft">${stop.lat.toFixed(4)}, ${stop.shownLon.toFixed(4)}` +
      `${stop.ref ? ` · ${escape(T.square)} ${stop.ref}` : ''}` +
      `${stop.hint ? `<br>${escape(stop.hint)}` : ''}</p>`,
  ];
  box.innerHTML = rows.filter(Boolean).join('');
  const nav = document.createElement('div');
  nav.className = 'pop-nav';
  for (const [step, label] of [[-1, T.previous], [1, T.next]]) {
    const button = document.createElement('button');
    button.textContent = label;
    const list = stops.map((_, i) => i).filter((i) => visible(stops[i]));
    const target = list[list.indexOf(index) + step];
    button.disabled = target === undefined;
    button.onclick = () => go(target);
    nav.append(button);
  }
  box.append(nav);
  return box;
}
function go(index) {
  const stop = stops[index];
  if (phone.matches) { $('#panel').className = 'down'; }
  if (!map.getBounds().pad(-0.1).contains(stop.marker.getLatLng())) {
    map.panTo(stop.marker.getLatLng(), { animate: !still });
  }
  stop.marker.openPopup();
}
function mark(index) {
  open = index;
  all('.stop').forEach((b) => b.setAttribute('aria-current', String(+b.dataset.stop === index)));
  stops.forEach((stop, i) => stop.element.classList.toggle('on', i === index));
}

function view() {
  const list = stops.filter(visible).map((stop) => stop.marker.getLatLng());
  const low = phone.matches && $('#panel').className !== 'down' ? innerHeight * 0.46 : 0;
  const bounds = shown === null ? home : L.latLngBounds(list).pad(0.25);
  map.fitBounds(bounds, {
    paddingTopLeft: [46, 56], paddingBottomRight: [phone.matches ? 46 : 70, 46 + low],
    maxZoom: data.city ? 15 : 11, animate: !still,
  });
}
function show(day) {
  shown = day;
  map.closePopup();
  all('.chip').forEach((chip) => chip.setAttribute('aria-pressed',
    String(chip.dataset.day === String(day ?? 'all'))));
  all('.day').forEach((section) => {
    section.hidden = day !== null && +section.dataset.day !== day;
  });
  stops.forEach((stop) => stop.element.classList.toggle('off', !visible(stop)));
  routes.forEach((route, i) => route && (day === null || i === day
    ? route.addTo(map) : route.remove()));
  view();
  redraw();
}

// Labels: pins first, then the names of stops, then towns by size, each only where there is room.
const labels = document.createElement('div');
labels.className = 'labels';
map.createPane('names').style.zIndex = 450;
map.getPane('names').append(labels);
const ruler = document.createElement('canvas').getContext('2d');
const sizes = { s: 14, t: 12.5, big: 14, k: 12, c: 14 };
function width(text, kind) {
  ruler.font = `600 ${sizes[kind]}px ${getComputedStyle(document.body).fontFamily}`;
  return ruler.measureText(text).width * (kind === 'c' ? 1.1 : 1)
    + (kind === 'c' ? text.length * 3.2 : 0) + 4;
}
function redraw() {
  labels.replaceChildren();
  const size = map.getSize(), taken = [];
  const free = (box, margin = 2) => taken.every((b) => box[2] + margin < b[0]
    || b[2] + margin < box[0] || box[3] + margin < b[1] || b[3] + margin < box[1]);
  const spots = spread(stops.filter(visible));
  for (const { x, y } of spots) taken.push([x - 16, y - 16, x + 16, y + 16]);
  for (const part of all('#tools, #legend')) {
    const { offsetLeft: x, offsetTop: y, offsetWidth: dx, offsetHeight: dy } = part;
    taken.push([x, y, x + dx, y + dy]);
  }
  const ways = along(size), crosses = (box) => ways.some(([x, y]) =>
    x > box[0] && x < box[2] && y > box[1] && y < box[3]);
  const place = (text, x, y, kind, gap, tries) => {
    const wide = width(text, kind), high = sizes[kind] * 1.2;
    const boxes = [
      [x + gap, y - high / 2], [x - gap - wide, y - high / 2],
      [x - wide / 2, y + gap * 0.9], [x - wide / 2, y - gap * 0.9 - high],
      [x + gap * 0.7, y + gap * 0.5], [x - gap * 0.7 - wide, y - gap * 0.5 - high],
    ];
    const fits = (box) => box[0] > 34 && box[1] > 18 && box[2] < size.x - 4 && box[3] < size.y - 4
      && free(box);
    const options = (tries ? boxes.slice(0, tries) : [[x - wide / 2, y - high / 2]])
      .map(([left, top]) => [left, top, left + wide, top + high]).filter(fits);
    const box = options.find((option) => !crosses(option)) ?? (kind === 's' && options[0]);
    if (box) {
      const [left, top] = box;
      taken.push(box);
      const name = document.createElement('span'), at = map.containerPointToLayerPoint([left, top]);
      name.className = kind === 'big' ? 't big' : kind;
      name.textContent = text;
      name.style.translate = `${at.x}px ${at.y}px`;
      labels.append(name);
      return true;
    }
    return false;
  };
  const dot = (x, y, kind) => {
    const at = map.containerPointToLayerPoint([x, y]), point = document.createElement('i');
    point.className = kind;
    point.style.translate = `${at.x}px ${at.y}px`;
    labels.append(point);
  };
  for (const { x, y, stop } of spots) place(stop.name, x, y, 's', 20, 6);
  const inside = (p) => p.x > 0 && p.y > 0 && p.x < size.x && p.y < size.y;
  const names = new Set(data.stops.map((stop) => stop.name));
  let count = 0;
  const most = size.x * size.y / (data.city ? 26000 : 22000);
  for (const [name, lat, lon, people] of data.base.towns) {
    const p = map.latLngToContainerPoint([lat, lon]);
    const spot = [p.x - 4, p.y - 4, p.x + 4, p.y + 4];
    if (count >= most || names.has(name) || !inside(p) || !free(spot) || crosses(spot)) continue;
    if (place(name, p.x, p.y, people > 8e5 ? 'big' : 't', 7, 4)) { dot(p.x, p.y, 't'); count += 1; }
  }
  for (const [name, lat, lon] of data.base.landmarks) {
    const p = map.latLngToContainerPoint([lat, lon]);
    const spot = [p.x - 5, p.y - 5, p.x + 5, p.y + 5];
    if (names.has(name) || !inside(p) || !free(spot) || crosses(spot)) continue;
    if (place(name, p.x, p.y, 'k', 8, 4)) dot(p.x, p.y, 'k');
  }
  for (const [name, lat, lon] of data.base.countries) {
    const p = map.latLngToContainerPoint([lat, lon]);
    if (inside(p)) place(name, p.x, p.y, 'c', 0, 0);
  }
  edges(size);
}
// Pins that would hide each other move apart; a stem leads back to the place.
function spread(list) {
  const spots = list.map((stop) => {
    const home = map.latLngToContainerPoint(stop.marker.getLatLng());
    return { stop, home, x: home.x, y: home.y };
  });
  for (let round = 0; round < 80; round += 1) {
    let moved = false;
    spots.forEach((a, i) => spots.slice(i + 1).forEach((b, j) => {
      let dx = b.x - a.x, dy = b.y - a.y, gap = Math.hypot(dx, dy);
      if (gap >= 31) return;
      if (gap < 0.5) { const t = 2.4 * (i + j + 1); dx = Math.cos(t); dy = Math.sin(t); gap = 1; }
      const push = (31.5 - gap) / 2 / gap;
      a.x -= dx * push; a.y -= dy * push; b.x += dx * push; b.y += dy * push;
      moved = true;
    }));
    if (!moved) break;
  }
  for (const { stop, home, x, y } of spots) {
    const pin = $('.pin', stop.element), dx = x - home.x, dy = y - home.y;
    const away = Math.hypot(dx, dy);
    stop.element.querySelector('.stem')?.remove();
    pin.style.translate = away > 1.5 ? `${dx}px ${dy}px` : '';
    if (away > 12) {
      const stem = document.createElement('span');
      stem.className = 'stem';
      stem.style.width = `${away}px`;
      stem.style.translate = `${dx}px ${dy}px`;
      stem.style.transform = `rotate(${Math.atan2(-dy, -dx)}rad)`;
      stop.element.prepend(stem);
    }
  }
  return spots;
}
// Points every few pixels along the routes in view, which names keep clear of.
function along(size) {
  const points = [];
  data.days.forEach((day, index) => {
    if (shown !== null && shown !== index) return;
    const way = day.route.map((at) => map.latLngToContainerPoint(at));
    way.slice(1).forEach((to, i) => {
      const from = way[i], steps = Math.min(600, Math.ceil(from.distanceTo(to) / 7));
      for (let step = 0; step <= steps; step += 1) {
        const x = from.x + (to.x - from.x) * step / steps;
        const y = from.y + (to.y - from.y) * step / steps;
        if (x > 0 && y > 0 && x < size.x && y < size.y) points.push([x, y]);
      }
    });
  });
  return points;
}
function edges(size) {
  all('.edge').forEach((mark) => mark.remove());
  const add = (text, style) => {
    const mark = document.createElement('span');
    mark.className = 'edge';
    mark.textContent = text;
    mark.setAttribute('aria-hidden', 'true');
    Object.assign(mark.style, style);
    map.getContainer().append(mark);
  };
  for (const [text, lon] of data.grid.columns) {
    const x = map.latLngToContainerPoint([map.getCenter().lat, lon]).x;
    if (x > 24 && x < size.x - 70) add(text, { left: `${x}px`, top: '7px', translate: '-50%' });
  }
  for (const [text, lat] of data.grid.rows) {
    const y = map.latLngToContainerPoint([lat, map.getCenter().lng]).y;
    if (y > 24 && y < size.y - 60) add(text, { left: '8px', top: `${y}px`, translate: '0 -50%' });
  }
}
map.on('zoomstart', () => { labels.style.opacity = 0; });
map.on('zoomend moveend resize', () => { labels.style.opacity = 1; redraw(); });
map.on('move', () => edges(map.getSize()));

const fewest = () => map.setMinZoom(map.getBoundsZoom([[s, w], [n, e]], true));
fewest(); view(); redraw();
map.on('resize', () => { fewest(); });
all('.chip').forEach((chip) => chip.addEventListener('click', () =>
  show(chip.dataset.day === 'all' ? null : +chip.dataset.day)));
all('.stop').forEach((button) => button.addEventListener('click', () => go(+button.dataset.stop)));
$('#handle').addEventListener('click', () => {
  const panel = $('#panel');
  panel.className = { '': 'up', up: 'down', down: '' }[panel.className];
  $('#handle').setAttribute('aria-expanded', String(panel.className !== 'down'));
});
$('#tools').addEventListener('click', (event) => {
  const act = event.target.closest('button')?.dataset.act;
  if (act === 'in') map.zoomIn();
  if (act === 'out') map.zoomOut();
  if (act === 'fit') show(null);
  if (act === 'theme') theme(root.dataset.theme === 'dark' ? 'light' : 'dark');
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') map.closePopup();
});
// The browser lays out for paper only after `beforeprint`: the map gets its size on paper now.
function resized(width, height) {
  Object.assign(map.getContainer().style, { width, height });
  map.invalidateSize({ animate: false });
  view();
}
let screenTheme;
addEventListener('beforeprint', () => {
  screenTheme = root.dataset.theme;
  theme('light');
  resized('680px', '500px');
});
addEventListener('afterprint', () => { theme(screenTheme); resized('', ''); });
"""

PAGE = """<!doctype html>
<html lang="{{ 'zh-CN' if lang == 'zh' else 'en' }}" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<link rel="icon" href="data:,">
<style>{{ leaflet_css | safe }}</style>
<style>{{ fonts | safe }}{{ style | safe }}
{% for day in days %}
.d{{ day.index }} { --c: {{ day.colour }}; --t: {{ day.colour }}; }
:root[data-theme="dark"] .d{{ day.index }} { --t: {{ day.light }}; }
{% endfor %}</style>
</head>
<body>
<aside id="panel" class="" aria-label="{{ t.stops }}">
<button id="handle" type="button" aria-label="{{ t.panel }}" aria-expanded="true"></button>
<header>
<h1>{{ title }}</h1>
<p class="lede">{{ lede }}</p>
{% if days | length > 1 %}<div class="chips" role="group" aria-label="{{ t.days }}">
<button class="chip" type="button" data-day="all" aria-pressed="true">{{ t.all }}</button>
{% for day in days %}<button class="chip d{{ day.index }}" type="button"
 data-day="{{ day.index }}" aria-pressed="false">{{ day.short }}</button>
{% endfor %}</div>{% endif %}
</header>
{% for day in days %}<section class="day d{{ day.index }}" data-day="{{ day.index }}">
{% if day.label %}<h2>{{ day.label }}</h2>{% endif %}
{% if day.sum %}<p class="sum">{{ day.sum }}</p>{% endif %}
<ol>{% for stop in day.stops %}
<li><button class="stop" type="button" data-stop="{{ stop.index }}">
<span class="num">{{ stop.number }}</span><b>{{ stop.name }}</b>
<span class="ref">{{ stop.ref }}</span>
{% if stop.time %}<span class="note when">{{ stop.time }}</span>{% endif %}
{% if stop.note %}<span class="note">{{ stop.note }}</span>{% endif %}</button>
{% if stop.leg and not loop.last %}<div class="leg">{{ stop.leg }}</div>{% endif %}</li>
{% endfor %}</ol></section>
{% endfor %}
{% if missing %}<section class="aside"><h3>{{ t.missing }}</h3>
<ul>{% for name in missing %}<li>{{ name }}</li>{% endfor %}</ul>
<p>{{ t.missing_how.format(missing[0]) }}</p></section>{% endif %}
{% if remarks %}<section class="aside"><h3>{{ t.remarks }}</h3>
<ul>{% for remark in remarks %}<li>{{ remark }}</li>{% endfor %}</ul></section>{% endif %}
<p class="fine">{{ t.note_city if city else t.note }}</p>
</aside>
<main id="map" aria-label="{{ t.map }}"></main>
<template id="furniture">
<div id="tools">
<button type="button" data-act="in" aria-label="{{ t.in }}" title="{{ t.in }}">+</button>
<button type="button" data-act="out" aria-label="{{ t.out }}" title="{{ t.out }}">−</button>
<button type="button" data-act="fit" aria-label="{{ t.fit }}" title="{{ t.fit }}">
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"/></svg>
</button>
<button type="button" data-act="theme" aria-label="{{ t.theme }}" title="{{ t.theme }}">
<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8"/>
<path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/></svg></button>
</div>
<div id="legend">
{% for day in days if day.legend %}<div><svg viewBox="0 0 28 8" aria-hidden="true">
<path d="M1 4h26" stroke="{{ day.colour }}" stroke-width="3.4" stroke-dasharray="8 5"
 stroke-linecap="round"/></svg>{{ day.legend }}</div>
{% endfor %}{% for line in legend %}<div>{{ line }}</div>
{% endfor %}</div>
</template>
<script>{{ leaflet_js | safe }}</script>
<script type="application/json" id="data">{{ data | safe }}</script>
<script>
for (const part of [...document.getElementById('furniture').content.children]) {
  L.DomEvent.disableClickPropagation(part);
  document.getElementById('map').append(part);
}
{{ script | safe }}</script>
</body>
</html>
"""


def page(**values):
    """The HTML; `values` fill the template, everything in it escaped but libraries and data."""
    template = Environment(autoescape=True, trim_blocks=True).from_string(PAGE)
    return template.render(style=values.pop("css"), script=SCRIPT, **values)
