// The error of a file that cannot be imported at all.

/** A broken or unsupported file. `line` counts from 1; 0 when the file could not be read at all. */
export class ImportProblem extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
    readonly file = '',
  ) {
    super(`${[file, line || ''].filter(Boolean).join(':')}${file || line ? ': ' : ''}${reason}`);
    this.name = 'ImportProblem';
  }
}
