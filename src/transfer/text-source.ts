// Streams the text of an export file: decompressed when gzipped, validated as UTF-8.
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportProblem } from './import-problem.js';
import { openPlain, UnsafeFile } from './plain-file.js';

/** Called with the number of bytes of the file that have been read. */
export type OnBytes = (read: number) => void;

const WHY: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'the file may not be read',
};

/**
 * Chunks of the text of a regular file, not a symbolic link. Throws ImportProblem; `line` returns the caller's current
 * line.
 */
export async function* textOf(file: string, line: () => number, onBytes?: OnBytes): AsyncGenerator<string> {
  const raw = await opened(file);
  const bytes = await unpacked(raw, onBytes);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let first = true;
  try {
    for await (const chunk of bytes) {
      if (first) checkEncoding(chunk);
      first = false;
      yield decode(decoder, chunk, line());
    }
    const rest = decode(decoder, undefined, line());
    if (rest) yield rest;
  } catch (error) {
    throw problemOf(error, line());
  } finally {
    raw.destroy();
  }
}

/** Throws ImportProblem when a file cannot be opened. */
export async function checkReadable(file: string): Promise<void> {
  (await opened(file)).destroy();
}

async function opened(file: string): Promise<Readable> {
  try {
    return (await openPlain(file)).handle.createReadStream({ highWaterMark: 128 * 1024 });
  } catch (error) {
    throw problemOf(error, 0);
  }
}

async function unpacked(raw: Readable, onBytes?: OnBytes): Promise<AsyncIterable<Buffer>> {
  const counted = counting(raw, onBytes);
  let head: IteratorResult<Buffer>;
  try {
    head = await counted.next();
  } catch (error) {
    throw problemOf(error, 0);
  }
  const allChunks = async function* () {
    if (!head.done) yield head.value;
    yield* counted;
  };
  if (head.done || head.value[0] !== 0x1f || head.value[1] !== 0x8b) return allChunks();
  return unzip(allChunks());
}

function unzip(packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip();
  // An error of either stream is emitted by the decompressed one.
  pipeline(packed, gunzip, () => {});
  return gunzip;
}

async function* counting(raw: Readable, onBytes?: OnBytes): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    read += chunk.length;
    onBytes?.(read);
    yield chunk;
  }
}

/**
 * Rejects other encodings by their byte order mark or by the XML declaration, which is at the beginning of a file: lines
 * may contain texts with one.
 */
function checkEncoding(chunk: Buffer): void {
  const [a, b] = chunk;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || a === 0 || b === 0) {
    throw new ImportProblem(1, 'the file is UTF-16 or UTF-32 text; save it as UTF-8');
  }
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/.exec(
    chunk.toString('latin1', 0, 1024),
  )?.[1];
  if (declared !== undefined && !/^(utf-?8|us-ascii|ascii)$/i.test(declared)) {
    throw new ImportProblem(1, `the file says its encoding is ${declared.slice(0, 40)}; save it as UTF-8`);
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined, line: number): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    const readable = chunk ? new TextDecoder().decode(chunk) : '';
    const before = readable.slice(0, Math.max(0, readable.indexOf('\uFFFD')));
    throw new ImportProblem(line + before.split('\n').length - 1, 'the file has bytes that are not UTF-8');
  }
}

function problemOf(error: unknown, line: number): unknown {
  if (error instanceof ImportProblem) return error;
  if (error instanceof UnsafeFile) return new ImportProblem(0, `cannot be read: this ${error.message}`);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_')) return new ImportProblem(line, `the gzip data is damaged or cut off (${message})`);
  return code ? new ImportProblem(0, `cannot be read: ${WHY[code] ?? message}`) : error;
}
