python3 -c "
import qrcode, segno
from PIL import Image
qrcode.make('https://example.com').save('q.png'); segno.make('你好').save('s.svg', scale=4)
assert Image.open('q.png').size[0] > 100"
rsvg-convert s.svg -o s.png
