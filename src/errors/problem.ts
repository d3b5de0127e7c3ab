// A problem found at start in a schema file, the environment or the database. All are collected and printed together.

/** One problem with its location. Line and column count from 1; path is the dotted path inside the file. */
export interface Problem {
  file: string;
  line?: number;
  column?: number;
  path?: string;
  message: string;
  hint?: string;
}

/** `schemas/post.json:31:17 fields.status.default: "pub" is not one of … (did you mean "publish"?)`. */
export function formatProblem(problem: Problem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}:${problem.column ?? 1}`;
  const path = problem.path ? ` ${problem.path}:` : ':';
  const hint = problem.hint ? ` (${problem.hint})` : '';
  return `${place}${path} ${problem.message}${hint}`;
}

/** Aborts the start; carries every problem found. */
export class StartupError extends Error {
  constructor(
    readonly problems: readonly Problem[],
    options?: ErrorOptions,
  ) {
    super(problems.map(formatProblem).join('\n'), options);
  }
}
