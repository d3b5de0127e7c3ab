// A mistake found at boot in a schema file, the environment or the database. All are collected and printed together.
/** `schemas/post.json:31:17 fields.status.default: "pub" is not one of … (did you mean "publish"?)`. */
export function formatProblem(problem) {
    const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}:${problem.column ?? 1}`;
    const path = problem.path ? ` ${problem.path}:` : ':';
    const hint = problem.hint ? ` (${problem.hint})` : '';
    return `${place}${path} ${problem.message}${hint}`;
}
/** Stops the boot; carries every problem found. */
export class BootError extends Error {
    problems;
    constructor(problems) {
        super(problems.map(formatProblem).join('\n'));
        this.problems = problems;
    }
}
