// Opens files in untrusted folders: regular files only, no symbolic links, nothing outside the folder.
import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';

/** The reason why a file is not read. */
export class UnsafeFile extends Error {}

const LINK = 'is a symbolic link, and those are not followed: put the file itself there';
const OUTSIDE = 'does not lie in the folder itself: symbolic links are not followed';
// Without O_NONBLOCK, opening a named pipe would block until another process writes to it.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** An open file and its length. */
export interface PlainFile {
  handle: FileHandle;
  bytes: number;
}

/**
 * Opens the regular file at `path`; the last segment must not be a link. The caller closes the handle. Throws
 * UnsafeFile for links, folders, devices, pipes and sockets, otherwise the system's error.
 */
export async function openPlain(path: string): Promise<PlainFile> {
  const handle = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ELOOP' || error.code === 'EMLINK') throw new UnsafeFile(LINK);
    throw error.code === 'ENXIO' ? new UnsafeFile('is not an ordinary file') : error;
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new UnsafeFile(found.isDirectory() ? 'is a folder' : 'is not an ordinary file');
    return { handle, bytes: found.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens the regular file `relative` below `folder`, which may itself be reached through links, but nothing below it.
 * Throws UnsafeFile for absolute paths, `..`, hidden segments and links.
 */
export async function openBelow(folder: string, relative: string): Promise<PlainFile> {
  checkSegments(relative);
  const path = join(await realpath(folder), relative);
  if ((await realpath(dirname(path))) !== dirname(path)) throw new UnsafeFile(OUTSIDE);
  const file = await openPlain(path);
  try {
    // A folder in the path may have been replaced by a link since.
    if ((await realpath(path)) !== path) throw new UnsafeFile(OUTSIDE);
    return file;
  } catch (error) {
    await file.handle.close();
    throw error;
  }
}

/** The content of an open file, up to the length it had when it was opened. The stream closes the handle. */
export function contentOf({ handle, bytes }: PlainFile): Readable {
  if (bytes > 0) return handle.createReadStream({ start: 0, end: bytes - 1 });
  void handle.close();
  return Readable.from([]);
}

/** The text of a regular file of at most `most` bytes. Throws UnsafeFile when it is longer. */
export async function readPlain(path: string, most: number): Promise<string> {
  const file = await openPlain(path);
  try {
    if (file.bytes > most) throw new UnsafeFile(`has more than ${most} bytes`);
    const { buffer, bytesRead } = await file.handle.read(Buffer.alloc(file.bytes), 0, file.bytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.handle.close();
  }
}

function checkSegments(relative: string): void {
  const plain = (segment: string) => segment !== '' && !segment.startsWith('.') && !/[\\:\p{Cc}]/u.test(segment);
  if (!relative.split('/').every(plain)) throw new UnsafeFile('is not a path of plain names below the folder');
}
