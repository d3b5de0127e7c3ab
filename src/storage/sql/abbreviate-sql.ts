// Abbreviates a statement for the log: repeated placeholders and rows are shown once.

const MARK = String.raw`(?:\?|\$\d+)`;
const MARKS = new RegExp(String.raw`(${MARK})(?:, ${MARK}){3,}`, 'g');
const ROW = String.raw`\(${MARK}(?:, ${MARK})*(?:, …)?\)`;
const ROWS = new RegExp(String.raw`(${ROW})(?:, ${ROW})+`, 'g');
const MAX_CHARACTERS = 2_000;

/** `IN (?, …)` for `IN (?, ?, ?, ?, ?)`; at most 2,000 characters. The statement contains no values. */
export function shapeOf(sql: string): string {
  const shape = sql.replace(MARKS, '$1, …').replace(ROWS, '$1, …');
  return shape.length > MAX_CHARACTERS ? `${shape.slice(0, MAX_CHARACTERS)} …` : shape;
}
