// Cleans up after crashes: removes partial files and abandoned uploads. Reservations are handled by the engine.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const LEFTOVER = /(^|[\\/])\.[^\\/]+\.(part|upload)$/;

/**
 * Removes the hidden working files under `directory` last modified before `before`, and returns their number.
 * Pass a date at least as old as the longest upload (24 h). A missing directory counts 0.
 */
export async function sweepLeftovers(directory: string, before: Date): Promise<number> {
  const entries = await readdir(directory, { recursive: true }).catch(() => []);
  let removed = 0;
  for (const entry of entries.filter((name) => LEFTOVER.test(name))) {
    const path = join(directory, entry);
    const touched = await stat(path).catch(() => undefined);
    if (!touched?.isFile() || touched.mtime >= before) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
