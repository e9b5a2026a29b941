"""What the map's page does: the map, its pins and their cards, and labels where there is room."""

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
