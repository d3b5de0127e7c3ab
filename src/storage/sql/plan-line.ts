// Formats a step of a query plan, in the same format for every database.

/** A plan step that reads rows of a table. */
export interface PlanStep {
  /** Table or alias. */
  table: string;
  /** Name of the index, if one is used. */
  index?: string | undefined;
  /** Whether the index is searched by key; otherwise all of it, or the whole table, is scanned. */
  entered: boolean;
  /** Estimated number of rows. */
  rows?: number | undefined;
}

/** `SEARCH t USING INDEX i (about 7 rows)`; a full table scan is flagged: `! SCAN t`. */
export function planLine({ table, index, entered, rows }: PlanStep): string {
  const how = entered ? 'SEARCH' : index === undefined ? '! SCAN' : 'SCAN';
  const by = index === undefined ? '' : ` USING INDEX ${index}`;
  return `${how} ${table}${by}${rows === undefined ? '' : ` (about ${rows} rows)`}`;
}
