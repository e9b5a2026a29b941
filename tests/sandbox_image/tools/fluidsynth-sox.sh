python3 -c "
import mido
file = mido.MidiFile(); track = mido.MidiTrack(); file.tracks.append(track)
for note in (60, 64, 67):
    track.append(mido.Message('note_on', note=note, velocity=100))
    track.append(mido.Message('note_off', note=note, time=480))
file.save('f.mid')"
fluidsynth -niq -g 1 -F f.wav -r 48000 /usr/share/sounds/sf2/FluidR3_GM.sf2 f.mid
sox f.wav f2.wav gain -n -1 trim 0 1
sox f2.wav f2.mp3; sox f2.wav f2.ogg
sox f2.wav -n stat 2>&1 | grep -E 'Maximum amplitude: +0.8'
