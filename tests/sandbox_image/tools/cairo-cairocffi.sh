python3 -c "
import cairo, cairocffi
surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, 64, 64)
cairo.Context(surface).paint(); surface.write_to_png('c1.png')
other = cairocffi.PDFSurface('c2.pdf', 100, 100)
context = cairocffi.Context(other); context.select_font_face('EB Garamond')
context.move_to(9, 50); context.show_text('Serif'); other.finish()"
identify c1.png; pdftotext c2.pdf - | grep -q Serif
