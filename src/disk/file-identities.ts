// Identities (device and inode) of open files, to detect that they were removed, moved or replaced: writes to such a
// file succeed, but are lost when the process ends.
import { statSync } from 'node:fs';

/** The identities of files that must not be replaced. */
export class FileIdentities {
  private readonly known = new Map<string, string>();
  private checkedAt = -Infinity;
  private found: string | undefined;

  constructor(private readonly paths: readonly string[]) {}

  /** The first path whose file is not the one first seen there, if any. Files that never existed are ignored. */
  changed(): string | undefined {
    this.checkedAt = performance.now();
    return (this.found = this.paths.find((path) => this.isChanged(path)));
  }

  /** The same, from a check at most `ms` milliseconds ago. */
  changedLately(ms: number): string | undefined {
    return performance.now() - this.checkedAt > ms ? this.changed() : this.found;
  }

  private isChanged(path: string): boolean {
    const known = this.known.get(path);
    const now = identityOf(path);
    if (known !== undefined) return now !== known && now !== UNKNOWN;
    if (now !== undefined && now !== UNKNOWN) this.known.set(path, now);
    return false;
  }
}

/** The folder could not be read: its files may be unchanged. */
const UNKNOWN = '?';

function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  } catch {
    return UNKNOWN;
  }
}
