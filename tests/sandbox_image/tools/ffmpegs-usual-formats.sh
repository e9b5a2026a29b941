ffmpeg -v error -y -f lavfi -i testsrc=d=1:s=160x120:r=10 -f lavfi -i sine=d=1           -c:v libx264 -pix_fmt yuv420p -c:a aac -movflags +faststart v.mp4
ffmpeg -v error -y -i v.mp4 -c:v libvpx-vp9 -c:a libopus v.webm
ffmpeg -v error -y -i v.mp4 -c:v libaom-av1 -cpu-used 8 -an v1.mp4
ffmpeg -v error -y -i v.mp4 -vf "drawtext=text='你好':font='Noto Sans CJK SC':fontsize=20" v2.mp4
ffmpeg -v error -y -i v.mp4 v.gif; ffmpeg -v error -y -i v.mp4 v.mp3; ffmpeg -v error -y -i v.mp4 v.wav
for f in v.mp4 v.webm v1.mp4 v2.mp4 v.gif v.mp3 v.wav; do ffmpeg -v error -xerror -i $f -f null -; done
