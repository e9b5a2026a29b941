// A MIDI file as a piano roll: its notes are read here and drawn, nothing is played.

import { clock, fill, number } from "./words.js";

const PIXELS_PER_SECOND = 36;
const ROW = 6;
const WIDEST = 16_000;

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

export function showMidi(panel, bytes) {
  const { notes, tracks, tempo } = readMidi(bytes);
  const end = Math.max(0, ...notes.map((note) => note.to));
  const words = panel.dataset;
  panel.querySelector("[data-facts]").textContent = [
    clock(end), fill(words.notes, { count: number(notes.length) }),
    fill(words.tracks, { count: number(tracks) }), fill(words.tempo, { count: number(tempo) }),
  ].join(" · ");
  const canvas = panel.querySelector("canvas");
  if (!notes.length) return;
  const [low, high] = [Math.min(...notes.map((n) => n.pitch)) - 2, Math.max(...notes.map((n) => n.pitch)) + 2];
  const shown = panel.querySelector(".roll").clientWidth;
  const width = Math.min(WIDEST, Math.max(shown, end * PIXELS_PER_SECOND));
  const height = (high - low + 1) * ROW;
  const scale = Math.min(2, WIDEST / width);
  Object.assign(canvas, { width: width * scale, height: height * scale });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px`, maxWidth: "none" });
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  pen.fillStyle = getComputedStyle(canvas).color;
  for (const { pitch, from, to, velocity } of notes) {
    pen.globalAlpha = 0.35 + (0.65 * velocity) / 127;
    pen.beginPath();
    pen.roundRect((from / end) * width, (high - pitch) * ROW, Math.max(2, ((to - from) / end) * width - 1), ROW - 1, 2);
    pen.fill();
  }
}
