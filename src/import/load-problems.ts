// What is wrong with the lines to load, collected so that all of it can be mended at once. Filled by the first pass of load.

/** Where something stands. */
export interface Place {
  file: string;
  line: number;
}

/** Problems told in full; of more, only the number is known. */
const KEPT = 20;

/** Why a load was refused. Nothing has been written. */
export class LoadRefused extends Error {
  constructor(
    readonly problems: readonly string[],
    count: number,
  ) {
    const more = count > problems.length ? [`and ${count - problems.length} more`] : [];
    super([...problems, ...more, 'Nothing was loaded.'].join('\n'));
    this.name = 'LoadRefused';
  }
}

/** A line that cannot be loaded, with the reason. */
export class BrokenLine extends Error {}

export class LoadProblems {
  private readonly kept: string[] = [];
  private count = 0;

  add({ file, line }: Place, reason: string): void {
    this.count += 1;
    if (this.kept.length < KEPT) this.kept.push(`${file}${line > 0 ? `:${line}` : ''}: ${reason}`);
  }

  /** Nobody reads on after so many. */
  get enough(): boolean {
    return this.count >= 100 * KEPT;
  }

  throwIfAny(): void {
    if (this.count > 0) throw new LoadRefused(this.kept, this.count);
  }
}
