// Watches the files that a site is made of: the folders of schemas and extensions, and the file of roles.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/settings.js';

/**
 * Milliseconds between polls. File events may come twice, in the middle of a save, or, on mounted folders, never; a
 * poll takes less than a millisecond.
 */
const INTERVAL_MS = 200;

type Watched = Pick<Config, 'schemasDir' | 'extensionsDir' | 'rolesFile'>;

/** The state of the files, to detect changes: names, sizes, times and inodes. */
export function stateOfFiles({ schemasDir, extensionsDir, rolesFile }: Watched): string {
  return [...schemaFiles(schemasDir), ...codeFiles(extensionsDir), rolesFile].map(stateOf).join('\n');
}

/** Distinguishes complete changes from files that are still being written. */
export class Settling {
  private before: string;

  /** `applied`: the state that needs no change. */
  constructor(private applied: string) {
    this.before = applied;
  }

  /** Whether the state differs from the applied one, and has not changed since the last poll. */
  hasChanged(now: string): boolean {
    const settled = now === this.before;
    this.before = now;
    if (!settled || now === this.applied) return false;
    this.applied = now;
    return true;
  }
}

/** Calls `onChange` once for each change since the state `applied`. The timer keeps no process alive. */
export function watchFiles(read: () => string, onChange: () => void, applied: string): void {
  const settling = new Settling(applied);
  setInterval(() => {
    if (settling.hasChanged(read())) onChange();
  }, INTERVAL_MS).unref();
}

function schemaFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => join(folder, name));
  } catch {
    // The folder is missing, perhaps only for a moment: the start of the next application reports it.
    return [];
  }
}

/** The extension files, and those of subfolders that they may import, `levels` deep. */
function codeFiles(folder: string, levels = 1): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const found = entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return levels > 0 && entry.name !== 'node_modules' ? codeFiles(path, levels - 1) : [];
      return /\.[mc]?[jt]s$|\.json$/.test(entry.name) ? [path] : [];
    });
    return found.sort();
  } catch {
    // The folder is optional.
    return [];
  }
}

function stateOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${file} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : `${file} -`;
}
