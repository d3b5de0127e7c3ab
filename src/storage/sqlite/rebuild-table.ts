// Rebuilds a table whose columns change.
import type { ColumnChange, LiveField, LiveShape } from '../sql/migration-dialect.js';
import { columnText, decimalText, literal, quote, typeText } from './column-ddl.js';
import { ftsName, refillFulltext } from './fulltext-ddl.js';

/** A text as a literal. */
export function textLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/**
 * Rebuilds a table: creates a copy under another name, copies the rows, and replaces the old table. Triggers, indexes
 * and the last generated id are carried over; full-text tables are refilled, because the indexed texts may have
 * changed.
 */
export function rebuild(live: LiveShape, changes: readonly ColumnChange[]): string[] {
  const byName = new Map<string, ColumnChange>();
  for (const change of changes) {
    const form = byName.get(change.column.name)?.form;
    byName.set(change.column.name, form ? { ...change, form } : change);
  }
  const fields = [...live.columns.values()];
  const added = changes.filter((change) => !change.live);
  const [old, fresh] = [quote(live.name), quote(`${live.name}__new`)];
  const hasId = fields.some(({ name }) => name === 'id');
  const lines = [
    ...fields.map((field) => fieldText(field, byName.get(field.name))),
    ...added.map(({ column }) => columnText(column)),
  ];
  if (!hasId) lines.push(`PRIMARY KEY (${keyOf(fields).map(quote).join(', ')})`);
  const names = [...fields.map(({ name }) => name), ...added.map(({ column }) => column.name)].map(quote);
  const sources = [
    ...fields.map((field) => sourceOf(field, byName.get(field.name))),
    ...added.map(({ fill }) => fill ?? 'NULL'),
  ];
  const from = textLiteral(live.name);
  const to = textLiteral(`${live.name}__new`);
  const sequence = [
    `DELETE FROM sqlite_sequence WHERE name = ${to}`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${to}, seq FROM sqlite_sequence WHERE name = ${from}`,
  ];
  return [
    `CREATE TABLE ${fresh} (${lines.join(', ')})${hasId ? '' : ' WITHOUT ROWID'}`,
    `INSERT INTO ${fresh} (${names.join(', ')}) SELECT ${sources.join(', ')} FROM ${old}`,
    ...(hasId ? sequence : []),
    `DROP TABLE ${old}`,
    // Views and triggers that were created by hand may refer to the table, which is missing at this moment.
    'PRAGMA legacy_alter_table = ON',
    `ALTER TABLE ${fresh} RENAME TO ${old}`,
    'PRAGMA legacy_alter_table = OFF',
    ...live.definition!.extras.map(({ sql }) => sql),
    ...live.definition!.fulltext.flatMap((column) => {
      const trigger = live.definition!.extras.find(({ name }) => name === `${ftsName(live.name, column)}_insert`);
      return refillFulltext(live.name, column, trigger?.sql ?? '');
    }),
  ];
}

function keyOf(fields: readonly LiveField[]): string[] {
  return fields
    .filter(({ key }) => key)
    .sort((a, b) => a.key! - b.key!)
    .map(({ name }) => name);
}

function fieldText(field: LiveField, change: ColumnChange | undefined): string {
  if (field.name === 'id') return '"id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL';
  const type = change?.form ? typeText(change.column) : field.type;
  const { column } = change ?? {};
  const said = column?.default;
  const own = field.fallback === null || field.fallback === undefined ? '' : ` DEFAULT ${field.fallback}`;
  const fallback = column ? (said === undefined || said === null ? '' : ` DEFAULT ${literal(column, said)}`) : own;
  return `${quote(field.name)} ${type}${(change?.nullable ?? field.nullable) ? '' : ' NOT NULL'}${fallback}`;
}

function sourceOf(field: LiveField, change: ColumnChange | undefined): string {
  const name = quote(field.name);
  const kind = change?.form?.to.family;
  const decimal = change?.form && decimalSource(name, change.form);
  const cast = { text: 'TEXT', integer: 'INTEGER', boolean: 'INTEGER', double: 'REAL', decimal: '', other: '' }[
    kind ?? 'other'
  ];
  const plain = kind === change?.form?.from.family || !cast ? name : `CAST(${name} AS ${cast})`;
  const value = decimal ?? (kind === 'text' && change?.form?.from.family === 'double' ? shortest(name) : plain);
  return change?.fill === undefined || !change.live ? value : `COALESCE(${value}, ${change.fill})`;
}

/** Converts a value to a decimal, between decimals of different scales, or from a decimal; undefined for others. */
function decimalSource(name: string, { from, to }: NonNullable<ColumnChange['form']>): string | undefined {
  const [before, after] = [from.scale ?? 0, to.scale ?? 0];
  const step = `1${'0'.repeat(Math.abs(after - before))}`;
  if (to.family === 'decimal') {
    if (from.family === 'text')
      return `CASE WHEN instr(${name}, '.') = 0 THEN CAST(${name} AS INTEGER) * ${step} ELSE CAST(REPLACE(${name}, '.', '') || substr('${'0'.repeat(after)}', 1, ${after} - (length(${name}) - instr(${name}, '.'))) AS INTEGER) END`;
    if (from.family === 'double') return `CAST(ROUND(${name} * ${step}) AS INTEGER)`;
    return after < before ? `${name} / ${step}` : `${name} * ${step}`;
  }
  if (from.family !== 'decimal') return undefined;
  if (to.family === 'text') return decimalText(name, before);
  return to.family === 'double' ? `CAST(${name} AS REAL) / ${step}` : `${name} / ${step}`;
}

/** The shortest text that parses to this number, without a fraction for integers. */
export function shortest(name: string): string {
  const attempts = [15, 16].map((digits) => {
    const text = `printf('%!.${digits}g', ${name})`;
    return `WHEN CAST(${text} AS REAL) = ${name} THEN ${trimmed(text)}`;
  });
  const asInteger = `WHEN ${name} = CAST(${name} AS INTEGER) AND ABS(${name}) < 1e15 THEN CAST(CAST(${name} AS INTEGER) AS TEXT)`;
  return `CASE WHEN ${name} IS NULL THEN NULL ${asInteger} ${attempts.join(' ')} ELSE printf('%!.17g', ${name}) END`;
}

function trimmed(text: string): string {
  return `CASE WHEN ${text} LIKE '%.0' THEN substr(${text}, 1, length(${text}) - 2) ELSE ${text} END`;
}
