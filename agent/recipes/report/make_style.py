"""How the report's page looks: on screens in both themes, on phones, on paper, as a picture."""

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
