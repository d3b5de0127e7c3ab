// Writes new files of commands.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderAtOnce } from '../disk/folders.js';

/** Writes a new file, and creates its folder. Throws with the path and the reason; removes a partial file. */
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
    // The next run would keep a partial file.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(file, { force: true });
    throw new Error(`${file}: the file cannot be written: ${(cause as Error).message}`, { cause });
  }
}
