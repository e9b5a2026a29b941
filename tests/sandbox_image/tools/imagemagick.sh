magick -size 60x40 gradient:red-blue -font Noto-Sans-CJK-SC -annotate +5+20 你好 g.jpg
convert g.jpg -resize 30x20 -profile /usr/share/color/icc/sRGB.icc g.webp
python3 -c "from PIL import Image; assert Image.open('g.webp').size == (30, 20)"
