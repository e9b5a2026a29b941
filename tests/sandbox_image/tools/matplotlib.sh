python3 -W error -c "
import matplotlib.pyplot as plt
plt.bar(['东京', 'Paris'], [1, 2]); plt.title('“人口” − population 😀'.replace('😀', ''))
plt.savefig('plot.png'); plt.savefig('plot.pdf'); plt.savefig('plot.svg')"
pdffonts plot.pdf | grep -q NotoSansCJK
pdftotext plot.pdf - | grep -q 东京
