// Text from the artifacts' own origin, never more of it than asked for.

/** The first `most` bytes as text, and whether there is more. Throws when it can't be read. */
export async function readText(url, most) {
  const { bytes, cut } = await readBytes(url, most);
  return { text: new TextDecoder().decode(bytes), cut };
}

export async function readBytes(url, most) {
  const stop = new AbortController();
  const response = await fetch(url, { signal: stop.signal, credentials: "omit" });
  if (!response.ok) throw new Error(`${response.status}`);
  const reader = response.body.getReader();
  const bytes = new Uint8Array(most);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: bytes.subarray(0, length), cut: false };
    const room = most - length;
    bytes.set(value.subarray(0, room), length);
    length += Math.min(room, value.length);
    if (value.length > room) {
      stop.abort();
      return { bytes, cut: true };
    }
  }
}
