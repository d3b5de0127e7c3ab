// Clears what a crash left behind: half-written files and uploads nobody took (reliability D17). Claims are the engine's to judge.
// Called by the housekeeping of the site for the directory of stored files and for that of received ones.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const LEFTOVER = /(^|[\\/])\.[^\\/]+\.(part|upload)$/;

/**
 * Removes the hidden working files under `directory` last touched before `before`, and returns how many.
 * Give it a date at least as old as the longest upload (24 h in the published guarantees). A missing directory counts 0.
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
