"""The map's page: one HTML file with Leaflet, the basemap and the fonts inside."""

from jinja2 import Environment
from make_script import SCRIPT

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
    """The HTML; `values` fill the template, all escaped but styles, scripts and data."""
    template = Environment(autoescape=True, trim_blocks=True).from_string(PAGE)
    return template.render(script=SCRIPT, **values)
