// What a load did, and what is worth knowing of it. Filled by load-site and its parts, printed by the command line.
import { formatSummary, type ImportSummary } from './import-summary.js';

/** Counts per resource; remarks with the number of times they are true. */
export interface LoadOutcome {
  summary: ImportSummary;
  remarks: Map<string, number>;
}

/** Remembers a remark. */
export function note({ remarks }: LoadOutcome, remark: string): void {
  remarks.set(remark, (remarks.get(remark) ?? 0) + 1);
}

/** The counts as a table, the remarks below. */
export function formatOutcome({ summary, remarks }: LoadOutcome): string {
  const lines = [...remarks].map(([remark, times]) => `  ${times} × ${remark}`);
  return [formatSummary(summary), ...(lines.length > 0 ? ['', 'Noted:', ...lines] : []), ''].join('\n');
}
