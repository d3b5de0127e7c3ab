// Refuses steps that the database would reject or carry out differently without a useful error: names that are reserved
// or too long (PostgreSQL would truncate them, and the next plan would not find them), and rows that are too large.
import type { MigrationDialect } from '../sql/migration-dialect.js';
import type { TableModel } from '../../model/table.js';
import type { LiveSchema } from './live-schema.js';
import { isMadeByHand } from './plan-indexes.js';
import type { Step } from './step.js';

const MADE: ReadonlySet<Step['kind']> = new Set(['create table', 'rename table']);
/** Steps that give a table indexes. */
const ADDING: ReadonlySet<Step['kind']> = new Set(['create table', 'create index']);

/** Refuses the first step with each such name. */
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
  const reported = new Set<string>();
  for (const step of steps) {
    const names = new Set(unfit(step).filter((name) => !reported.has(name)));
    if (names.size === 0) continue;
    for (const name of names) reported.add(name);
    const why = `${reason}: ${[...names].join(', ')}`;
    const hint = `Give the field ${other} "column", or the resource ${other} "table" in its "storage".`;
    Object.assign(step, { risk: 'refused', sql: [], why, hint });
  }
}

/** The quoted names in a statement; text literals are skipped. */
function namesIn(sql: string): string[] {
  return [...sql.replaceAll(/'(?:[^']|'')*'/g, '').matchAll(/(["`])(\w+)\1/g)].map(([, , name]) => name!);
}

/** Refuses the first step by which a table would get more indexes than the database allows. */
export function refuseIndexes(
  steps: readonly Step[],
  models: readonly TableModel[],
  live: LiveSchema,
  { mostIndexes: most = Infinity }: MigrationDialect,
): void {
  for (const { name: table, indexes } of models) {
    const byHand = [...(live.tables.get(table)?.indexes.keys() ?? [])].filter(
      (name) => name !== 'PRIMARY' && isMadeByHand(name, live.created),
    );
    const own = [...indexes.values()].filter(({ fulltext }) => !fulltext).map(({ name }) => name);
    const { size } = new Set([...own, ...byHand]);
    const step = size > most ? steps.find((each) => each.table === table && ADDING.has(each.kind)) : undefined;
    if (!step) continue;
    const why = `the table would have ${size} indexes, and this database allows ${most}`;
    const hint = 'Take fields out of "index", "unique", "filterable" and "orderby".';
    Object.assign(step, { risk: 'refused', sql: [], why, hint });
  }
}

/** Maximum number of columns that a message names. */
const MAX_NAMED = 10;

const FEWER = 'Give the resource fewer fields: put some of them into an object, or into another resource.';

/** Steps that make the rows of a table larger. */
const GROWING: ReadonlySet<Step['kind']> = new Set(['create table', 'add column', 'widen column']);

/** Refuses the first step by which the rows of a table would become too large. */
export function refuseRows(
  steps: readonly Step[],
  models: readonly TableModel[],
  live: LiveSchema,
  { rowExcess }: MigrationDialect,
): void {
  if (!rowExcess) return;
  for (const table of models) {
    const step = steps.find(({ kind, table: name, sql }) => name === table.name && GROWING.has(kind) && sql.length > 0);
    const excess = step && rowExcess(table, live.tables.get(table.name));
    if (!excess) continue;
    const named = excess.columns.slice(0, MAX_NAMED).join(', ');
    const rest = excess.columns.length > MAX_NAMED ? ` and ${excess.columns.length - MAX_NAMED} more` : '';
    const size = `a row would have ${excess.bytes} bytes, and this database allows ${excess.limit}`;
    const indexed = `${size}; most are of the texts that lists order or filter by: ${named}${rest}`;
    const shorter = `Give some of these fields a smaller "maxLength", or take them out of "index", "unique", "filterable" and "orderby".`;
    const [why, hint] = named ? [indexed, shorter] : [size, FEWER];
    Object.assign(step, { risk: 'refused', sql: [], why, hint });
  }
}
