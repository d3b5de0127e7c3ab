// Result of a load: counts and warnings.
import { formatSummary, type ImportSummary } from '../import-summary.js';

/** Counts per resource; warnings with their number. */
export interface LoadOutcome {
  summary: ImportSummary;
  warnings: Map<string, number>;
  /** Number of files that could not be put in place. */
  missingFiles: number;
}

/** Counts a warning. */
export function note({ warnings: remarks }: LoadOutcome, warning: string): void {
  remarks.set(warning, (remarks.get(warning) ?? 0) + 1);
}

/** Formats the counts as a table, followed by the warnings. */
export function formatOutcome({ summary, warnings: remarks }: LoadOutcome): string {
  const lines = [...remarks].map(([warning, times]) => `  ${times} × ${warning}`);
  return [formatSummary(summary), ...(lines.length > 0 ? ['', 'Noted:', ...lines] : []), ''].join('\n');
}
