// A SQLite file that is not there: opening it would create it, so commands that may refuse what they are given, or that change
// nothing, look at an empty one in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lacksFile } from '../../config/folders.js';
import type { Config } from '../../config/settings.js';

/** An empty database, and what removes it once it is closed. */
export interface EmptyDatabase {
  url: string;
  drop(): void;
}

/** An empty database in place of a file that is not there; undefined: it is there, or on a server. */
export function emptyInstead(config: Pick<Config, 'database'>): EmptyDatabase | undefined {
  if (!lacksFile(config)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'typecase-'));
  return {
    url: `sqlite:${join(folder, 'empty.sqlite')}`,
    drop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
