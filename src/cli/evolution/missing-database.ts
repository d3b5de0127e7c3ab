// Substitute for a missing SQLite file. Opening the file would create it, so commands that change nothing, or that may
// refuse their input, use an empty database in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lacksFile } from '../../config/folders.js';
import type { Config } from '../../config/settings.js';

/** An empty database; `drop` removes it once it is closed. */
export interface EmptyDatabase {
  url: string;
  drop(): void;
}

/** An empty database in place of a missing file; undefined where the file exists, and for a database server. */
export function emptyInstead(config: Pick<Config, 'database'>): EmptyDatabase | undefined {
  if (!lacksFile(config)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'typecase-'));
  return {
    url: `sqlite:${join(folder, 'empty.sqlite')}`,
    drop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
