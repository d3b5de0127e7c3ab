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
 * @throws Error with the name of the file and the reason why it cannot be written
 */
export function writeOutput(text: string, file?: string): void {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeAtomically(file, text);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw new Error(`${file}: cannot be written: ${WHY[code] ?? message}`, { cause });
  }
}

/** Replaces a file atomically: the former content stays until the new text is written completely. */
function writeAtomically(file: string, text: string): void {
  const former = statSync(file, { throwIfNoEntry: false });
  // Pipes and devices cannot be replaced.
  if (former && !former.isFile()) return writeFileSync(file, text);
  const target = former ? realpathSync(file) : file;
  const part = `${target}.${process.pid}.part`;
  try {
    writeFileSync(part, text, { flag: 'wx', ...(former && { mode: former.mode }) });
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    // The file is writable, but its folder is not.
    if (former && /^E(ACCES|PERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) return writeFileSync(file, text);
    throw error;
  }
}
