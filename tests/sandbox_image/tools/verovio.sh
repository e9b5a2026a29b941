python3 -c "
import verovio
score = verovio.toolkit(); score.setOptions({'pageWidth': 1200, 'pageHeight': 600})
assert score.loadData('X:1\nL:1/4\nK:G\nGABc|d2z2|]')
open('v.svg', 'w').write(score.renderToSVG(1))"
rsvg-convert v.svg -o v.png
