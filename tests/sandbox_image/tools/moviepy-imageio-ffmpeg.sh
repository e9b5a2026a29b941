python3 -c "
import numpy, imageio.v3
from moviepy import VideoClip
VideoClip(lambda t: numpy.full((120, 160, 3), int(200 * t), 'uint8'), duration=1).write_videofile(
    'm.mp4', fps=10, logger=None)
assert imageio.v3.imread('m.mp4', plugin='FFMPEG').shape == (10, 120, 160, 3)"
test "$(ffprobe -v error -select_streams v -show_entries stream=codec_name -of csv=p=0 m.mp4)" = h264
