// A statement as the log shows it: long runs of placeholders and rows stand for themselves once. Called where slow statements are logged.

const MARK = String.raw`(?:\?|\$\d+)`;
const MARKS = new RegExp(String.raw`(${MARK})(?:, ${MARK}){3,}`, 'g');
const ROW = String.raw`\(${MARK}(?:, ${MARK})*(?:, …)?\)`;
const ROWS = new RegExp(String.raw`(${ROW})(?:, ${ROW})+`, 'g');
const LONGEST = 2_000;

/** `IN (?, …)` for `IN (?, ?, ?, ?, ?)`; at most 2,000 characters. The statement holds no values to begin with. */
export function shapeOf(sql: string): string {
  const shape = sql.replace(MARKS, '$1, …').replace(ROWS, '$1, …');
  return shape.length > LONGEST ? `${shape.slice(0, LONGEST)} …` : shape;
}
