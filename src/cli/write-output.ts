// Where a command puts its output: standard output, or the file of `--out`.
import { writeFileSync } from 'node:fs';

const WHY: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'this is a folder',
  EACCES: 'this user may not write it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
};

/**
 * Prints a text, or writes it to a file.
 * @throws Error that names the file and says why it cannot be written
 */
export function writeOutput(text: string, file?: string): void {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw new Error(`${file}: cannot be written: ${WHY[code] ?? message}`, { cause });
  }
}
