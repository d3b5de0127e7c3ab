// Where a command puts its output: standard output, or the file of `--out`.
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

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
    writeWhole(file, text);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw new Error(`${file}: cannot be written: ${WHY[code] ?? message}`, { cause });
  }
}

/** Writes a file whole or not at all: what was there stays until all of the new text is on the disk. */
function writeWhole(file: string, text: string): void {
  const former = statSync(file, { throwIfNoEntry: false });
  // Nothing can take the place of a pipe or a device.
  if (former && !former.isFile()) return writeFileSync(file, text);
  const target = former ? realpathSync(file) : file;
  const part = `${target}.${process.pid}.part`;
  try {
    writeFileSync(part, text, { flag: 'wx', ...(former && { mode: former.mode }) });
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    // A file that may be written, in a folder that may not.
    if (former && /^E(ACCES|PERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) return writeFileSync(file, text);
    throw error;
  }
}
