// Writes files that a command makes.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderAtOnce } from '../disk/folders.js';

/** Writes a new file and its folder. Throws with the path and the reason; of a file that cannot be written whole nothing stays. */
export function writeNew(file: string, text: string): void {
  const folder = dirname(file);
  try {
    makeFolderAtOnce(folder);
  } catch (cause) {
    throw new Error(`${folder}: the folder cannot be made: ${(cause as Error).message}`, { cause });
  }
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    // A run after this one would keep it.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(file, { force: true });
    throw new Error(`${file}: the file cannot be written: ${(cause as Error).message}`, { cause });
  }
}
