python3 -c "
import docx, pptx
document = docx.Document(); document.add_heading('标题'); document.save('d.docx')
assert docx.Document('d.docx').paragraphs[0].text == '标题'
slides = pptx.Presentation(); slides.slides.add_slide(slides.slide_layouts[0]).shapes.title.text = '标题'
slides.save('p.pptx'); assert pptx.Presentation('p.pptx').slides[0].shapes.title.text == '标题'"
