"""The report's page: one HTML file whose charts are drawn by D3 to the width they get."""

from jinja2 import Environment
from make_script import SCRIPT

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
    """The HTML; `values` fill the template, all escaped but styles, scripts and data."""
    template = Environment(autoescape=True, trim_blocks=True).from_string(PAGE)
    return template.render(script=SCRIPT, **values)
