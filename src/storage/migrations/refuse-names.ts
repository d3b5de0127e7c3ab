// Refuses steps that would make something whose name is longer than the database allows (PostgreSQL would cut it short, and
// the next plan would not find it), or that the database keeps to itself.
import type { MigrationDialect } from '../sql/migration-dialect.js';
import type { Step } from './step.js';

const MADE: ReadonlySet<Step['kind']> = new Set(['create table', 'rename table']);

/** Refuses the steps that are the first with such a name. */
export function refuseNames(steps: readonly Step[], { longestName = Infinity, reserved }: MigrationDialect): void {
  const isTooLong = (step: Step) => step.sql.flatMap(namesIn).filter((name) => name.length > longestName);
  refuse(steps, isTooLong, `this database allows no names of more than ${longestName} characters`, 'a shorter');
  if (!reserved) return;
  const isReserved = ({ kind, table, sql }: Step) => [
    ...(MADE.has(kind) && reserved.tables.test(table) ? [table] : []),
    ...sql.flatMap(namesIn).filter((name) => reserved.columns?.test(name)),
  ];
  refuse(steps, isReserved, 'this database reserves such names', 'another');
}

function refuse(steps: readonly Step[], unfit: (step: Step) => string[], reason: string, other: string): void {
  const told = new Set<string>();
  for (const step of steps) {
    const names = new Set(unfit(step).filter((name) => !told.has(name)));
    if (names.size === 0) continue;
    for (const name of names) told.add(name);
    const why = `${reason}: ${[...names].join(', ')}`;
    const hint = `Give the field ${other} "column", or the resource ${other} "table" in its "storage".`;
    Object.assign(step, { risk: 'refused', sql: [], why, hint });
  }
}

/** The quoted names in a statement, texts left out. */
function namesIn(sql: string): string[] {
  return [...sql.replaceAll(/'(?:[^']|'')*'/g, '').matchAll(/(["`])(\w+)\1/g)].map(([, , name]) => name!);
}
