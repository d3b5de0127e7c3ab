// Collects the problems of the lines to load, so that all of them can be fixed at once.

/** Position of a problem. */
export interface Place {
  file: string;
  line: number;
}

/** Problems reported in full; further ones are only counted. */
const MAX_REPORTED = 20;

/** The problems of a rejected load. Nothing has been written. */
export class LoadError extends Error {
  constructor(
    readonly problems: readonly string[],
    count: number,
  ) {
    const more = count > problems.length ? [`and ${count - problems.length} more`] : [];
    super([...problems, ...more, 'Nothing was loaded.'].join('\n'));
    this.name = 'LoadRefused';
  }
}

/** The error of a line that cannot be loaded, with the reason. */
export class BrokenLine extends Error {}

/** Collects problems up to a limit. */
export class LoadProblems {
  private readonly reported: string[] = [];
  private count = 0;

  add({ file, line }: Place, reason: string): void {
    this.count += 1;
    if (this.reported.length < MAX_REPORTED) this.reported.push(`${file}${line > 0 ? `:${line}` : ''}: ${reason}`);
  }

  /** Whether the limit of reported problems is exceeded. */
  get enough(): boolean {
    return this.count >= 100 * MAX_REPORTED;
  }

  throwIfAny(): void {
    if (this.count > 0) throw new LoadError(this.reported, this.count);
  }
}
