echo '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60" viewBox="0 0 80 60">
  <rect width="80" height="60" fill="teal"/><text x="5" y="30" font-family="Noto Serif CJK SC">你好</text>
</svg>' > a.svg
python3 -c "import cairosvg; cairosvg.svg2png(url='a.svg', write_to='a1.png')"
rsvg-convert a.svg -o a2.png
resvg a.svg a3.png 2>/dev/null
for n in 1 2 3; do test "$(identify -format %wx%h a$n.png)" = 80x60; done
