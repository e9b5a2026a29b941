"""How the map's page looks: on screens in both themes, on phones, and on paper."""

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
