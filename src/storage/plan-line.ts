// One line per step of a query plan, in the same words for every database. Made by the dialects, printed by `typecase explain --plan`.

/** A step in which rows of a table are found. */
export interface PlanStep {
  /** Table or alias. */
  table: string;
  /** Index that is used. */
  index?: string | undefined;
  /** Whether the index is entered at a key; otherwise all of it, or the whole table, is read. */
  entered: boolean;
  /** What the database expects to read. */
  rows?: number | undefined;
}

/** `SEARCH t USING INDEX i (about 7 rows)`; a table read without an index is flagged: `! SCAN t`. */
export function planLine({ table, index, entered, rows }: PlanStep): string {
  const how = entered ? 'SEARCH' : index === undefined ? '! SCAN' : 'SCAN';
  const by = index === undefined ? '' : ` USING INDEX ${index}`;
  return `${how} ${table}${by}${rows === undefined ? '' : ` (about ${rows} rows)`}`;
}
