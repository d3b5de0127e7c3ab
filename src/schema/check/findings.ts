// What a check finds in one schema file: problems, and keys that may be intended.
import type { Problem } from '../../errors/problem.js';
import { problemAt, type Path, type SchemaFile } from '../load/load.js';

/** Collects what is found. */
export class Findings {
  readonly problems: Problem[] = [];
  /** Keys that may be intended. */
  readonly warnings: Problem[] = [];

  constructor(readonly file: SchemaFile) {}

  /** Something may be a mistake. */
  warn(path: Path, message: string, hint?: string): void {
    this.warnings.push(problemAt(this.file, path, message, hint));
  }

  /** Something is a mistake. */
  fail(path: Path, message: string, hint?: string, at?: 'key' | 'value'): void {
    this.problems.push(problemAt(this.file, path, message, hint, at));
  }
}
