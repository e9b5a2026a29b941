python3 -c "
import mido, pretty_midi, fluidsynth
from midiutil import MIDIFile
music = MIDIFile(1); music.addTempo(0, 0, 120); music.addNote(0, 0, 60, 0, 2, 100)
with open('n.mid', 'wb') as file: music.writeFile(file)
assert mido.MidiFile('n.mid').length == 1
wave = pretty_midi.PrettyMIDI('n.mid').fluidsynth(fs=44100)
assert abs(wave).max() > 0.01
synth = fluidsynth.Synth(); assert synth.sfload('/usr/share/sounds/sf2/default-GM.sf2') >= 0"
