// Problems that compiling schemas without files reports.
import type { Problem } from '../../src/errors/problem.js';
import type { Report } from '../../src/model/option-check.js';

/** A `report` for a schema source, and the problems that it receives. */
export function collectProblems(file: string): { report: Report; problems: Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (path, message, hint) => {
    const problem: Problem = { file, path: path.join('.'), message };
    if (hint) problem.hint = hint;
    problems.push(problem);
  };
  return { report, problems };
}
