magick -background white -fill black -font Noto-Sans-CJK-SC -pointsize 40 label:'Welcome 欢迎光临' -bordercolor white -border 20 words.png
tesseract words.png words -l eng+chi_sim --psm 7 2>/dev/null
tr -d ' ' < words.txt | grep 'Welcome欢迎光临'
