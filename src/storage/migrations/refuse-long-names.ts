// Refuses steps that would make something whose name is longer than the database allows: PostgreSQL would cut it short, and
// the next plan would not find it.
import type { MigrationDialect } from '../sql/migration-dialect.js';
import type { Step } from './step.js';

/** Refuses the steps that are the first with a name that is too long. */
export function refuseLongNames(steps: readonly Step[], { longestName }: MigrationDialect): void {
  if (longestName === undefined) return;
  const told = new Set<string>();
  for (const step of steps) {
    const names = new Set(step.sql.flatMap(namesIn).filter((each) => each.length > longestName && !told.has(each)));
    if (names.size === 0) continue;
    for (const name of names) told.add(name);
    const why = `this database allows no names of more than ${longestName} characters: ${[...names].join(', ')}`;
    const hint = 'Give the field a shorter "column", or the resource a shorter "table" in its "storage".';
    Object.assign(step, { risk: 'refused', sql: [], why, hint });
  }
}

/** The quoted names in a statement, texts left out. */
function namesIn(sql: string): string[] {
  return [...sql.replaceAll(/'(?:[^']|'')*'/g, '').matchAll(/(["`])(\w+)\1/g)].map(([, , name]) => name!);
}
