python3 -c "
import bs4, jinja2, markdown, lxml.etree
html = jinja2.Template('<h1>{{ x }}</h1>').render(x='一') + markdown.markdown('**b**')
soup = bs4.BeautifulSoup(html, 'lxml')
assert soup.h1.text == '一' and soup.strong.text == 'b'"
