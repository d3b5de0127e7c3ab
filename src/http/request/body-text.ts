// Decodes the bytes of a body as text; a large one in slices, so that other requests are served in between.
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE = 512 * 1024;

/** The text without byte order mark; undefined when the bytes are not valid UTF-8. */
export async function decodeText(bytes: Buffer): Promise<string | undefined> {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = characterEnd(bytes, start + SLICE);
    const slice = bytes.subarray(start, end);
    if (!isUtf8(slice)) return undefined;
    parts.push(slice.toString('utf8'));
    start = end;
    if (start < bytes.length) await nextTurn();
  }
  const text = parts.length === 1 ? parts[0]! : parts.join('');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

// A character has at most three continuation bytes; longer runs are invalid wherever they are cut.
function characterEnd(bytes: Buffer, wanted: number): number {
  if (wanted >= bytes.length) return bytes.length;
  let end = wanted;
  while (end > wanted - 3 && (bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}
