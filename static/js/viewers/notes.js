// Reads a MIDI file.

class Reader {
  constructor(bytes) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  byte() {
    return this.view.getUint8(this.at++);
  }

  number(length) {
    let value = 0;
    for (let i = 0; i < length; i += 1) value = value * 256 + this.byte();
    return value;
  }

  /** Seven bits a byte, as MIDI writes times and lengths. */
  variable() {
    let value = 0;
    for (let i = 0; i < 4; i += 1) {
      const byte = this.byte();
      value = value * 128 + (byte & 127);
      if (byte < 128) break;
    }
    return value;
  }

  name() {
    return String.fromCharCode(this.byte(), this.byte(), this.byte(), this.byte());
  }
}

function readTrack(reader, end, track, notes, tempos) {
  const sounding = new Map();
  let [tick, status] = [0, 0];
  while (reader.at < end) {
    tick += reader.variable();
    const byte = reader.byte();
    if (byte < 128) reader.at -= 1;
    else status = byte;
    const type = status >> 4;
    if (status === 0xff) {
      const meta = reader.byte();
      const length = reader.variable();
      const next = reader.at + length;
      if (meta === 0x51) tempos.push({ tick, tempo: reader.number(3) });
      reader.at = next;
    } else if (status === 0xf0 || status === 0xf7) {
      const length = reader.variable();
      reader.at += length;
    } else {
      const pitch = reader.byte();
      const second = type === 0xc || type === 0xd ? 0 : reader.byte();
      const voice = (status & 15) * 128 + pitch;
      if (type === 9 && second) {
        sounding.set(voice, { track, pitch, velocity: second, from: tick });
      } else if ((type === 8 || type === 9) && sounding.has(voice)) {
        notes.push({ ...sounding.get(voice), to: tick });
        sounding.delete(voice);
      }
    }
  }
}

/** Notes with their times in seconds, the number of tracks and the first tempo. Throws on what is no MIDI file. */
export function readMidi(bytes) {
  const reader = new Reader(bytes);
  if (reader.name() !== "MThd") throw new Error("This is not a MIDI file");
  const length = reader.number(4);
  reader.at += 2;
  const tracks = reader.number(2);
  const division = reader.number(2);
  reader.at = 8 + length;
  const [notes, tempos] = [[], []];
  for (let track = 0; track < tracks && reader.at + 8 <= bytes.length; track += 1) {
    const name = reader.name();
    const end = reader.number(4) + reader.at;
    if (name === "MTrk") readTrack(reader, Math.min(end, bytes.length), track, notes, tempos);
    reader.at = end;
  }
  tempos.sort((a, b) => a.tick - b.tick);
  const seconds = (tick) => {
    let [time, last, tempo] = [0, 0, 500_000];
    for (const change of tempos) {
      if (change.tick >= tick) break;
      time += ((change.tick - last) * tempo) / division;
      [last, tempo] = [change.tick, change.tempo];
    }
    return (time + ((tick - last) * tempo) / division) / 1e6;
  };
  for (const note of notes) [note.from, note.to] = [seconds(note.from), seconds(note.to)];
  return { notes, tracks, tempo: Math.round(6e7 / (tempos[0]?.tempo ?? 500_000)) };
}
