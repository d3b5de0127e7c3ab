// Creates private files and folders, accessible to their owner only. SQLite creates a database's side files with the
// mode of the database.
import { closeSync, openSync, statSync } from 'node:fs';
import { makeFolderAtOnce, OWNER_FOLDER } from './folders.js';

const OWNER_FILE = 0o600;
const OTHERS = 0o077;

/** Creates a folder and its parents for the owner only; an existing one is unchanged. */
export function makePrivateFolder(path: string): void {
  makeFolderAtOnce(path, OWNER_FOLDER);
}

/**
 * Creates an empty file for the owner only; an existing one is unchanged. Does not create its folder: a folder that is
 * missing while a server runs was moved, and a new one in its place would prevent moving it back. Errors surface when
 * the file is opened.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_FILE));
  } catch {
    // It exists, or cannot be created.
  }
}

/** The files among these that other users of this machine may access. */
export function exposedFiles(paths: readonly string[]): string[] {
  // On Windows the POSIX mode bits that Node reports do not reflect the permissions.
  if (process.platform === 'win32') return [];
  return paths.filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0);
}
