// Why a file cannot be imported at all. Thrown by the readers of this room, printed by the command line.

/** A file that is broken or of another kind. `line` counts from 1; 0 when the file could not be read at all. */
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
