python3 -c "
import pypdf
from reportlab.pdfgen.canvas import Canvas
canvas = Canvas('r.pdf', pagesize=(300, 200)); canvas.drawString(20, 100, 'Hello'); canvas.save()
assert 'Hello' in pypdf.PdfReader('r.pdf').pages[0].extract_text()"
pdftoppm -png -r 72 r.pdf r; test "$(identify -format %wx%h r-1.png)" = 300x200
