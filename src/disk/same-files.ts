// Whether files that are open still have their names. What is written to a file that was removed, moved away or replaced is gone
// with the process, and no write fails.
import { statSync } from 'node:fs';

/** Files that are to stay where they are. */
export class SameFiles {
  private readonly known = new Map<string, string>();
  private asked = -Infinity;
  private found: string | undefined;

  constructor(private readonly paths: readonly string[]) {}

  /** The first that is not what it was when it was first seen; undefined when all are. One that was never there counts as such. */
  changed(): string | undefined {
    this.asked = performance.now();
    return (this.found = this.paths.find((path) => this.isChanged(path)));
  }

  /** The same, as it was at most so many milliseconds ago. */
  changedLately(ms: number): string | undefined {
    return performance.now() - this.asked > ms ? this.changed() : this.found;
  }

  private isChanged(path: string): boolean {
    const known = this.known.get(path);
    const now = identityOf(path);
    if (known !== undefined) return now !== known && now !== UNKNOWN;
    if (now !== undefined && now !== UNKNOWN) this.known.set(path, now);
    return false;
  }
}

/** The folder does not say: its files may be all right. */
const UNKNOWN = '?';

function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev} ${found.ino}`;
  } catch {
    return UNKNOWN;
  }
}
