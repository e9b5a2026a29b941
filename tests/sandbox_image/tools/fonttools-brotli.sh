pyftsubset /usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc --font-number=2 --text=小雨 \
  --flavor=woff2 --output-file=f.woff2
python3 -c "
from fontTools.ttLib import TTFont
assert set(map(chr, TTFont('f.woff2').getBestCmap())) == set('小雨')"
