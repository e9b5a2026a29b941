python3 -c "
from PIL import Image, ImageCms
folder = '/usr/share/color/icc/colord/'
screen, press = (ImageCms.getOpenProfile(folder + name) for name in ('sRGB.icc', 'FOGRA39L_coated.icc'))
sheet = ImageCms.profileToProfile(Image.new('RGB', (9, 9), 'red'), screen, press, outputMode='CMYK')
sheet.save('cmyk.tif', icc_profile=press.tobytes())
cyan, magenta, yellow, black = Image.open('cmyk.tif').getpixel((4, 4))
assert magenta > 200 and yellow > 200 and cyan < 60"
