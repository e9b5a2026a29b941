python3 -c "
from PIL import Image, ImageCms
profiles = [ImageCms.getOpenProfile('/usr/share/color/icc/' + name) for name in ('sRGB.icc', 'ISOcoated_v2_300_bas.ICC')]
cmyk = ImageCms.profileToProfile(Image.new('RGB', (9, 9), 'red'), *profiles, outputMode='CMYK')
cmyk.save('cmyk.tif', icc_profile=profiles[1].tobytes())
assert Image.open('cmyk.tif').mode == 'CMYK'"
