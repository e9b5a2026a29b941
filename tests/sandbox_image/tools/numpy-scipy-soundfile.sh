python3 -c "
import numpy, scipy.signal, soundfile
wave = 0.3 * scipy.signal.chirp(numpy.linspace(0, 1, 44100), 200, 1, 2000)
soundfile.write('chirp.flac', wave, 44100)"
test "$(soxi -r chirp.flac)" = 44100
