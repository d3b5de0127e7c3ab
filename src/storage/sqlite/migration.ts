// Migration statements of SQLite: a column is changed by rebuilding its table, inside the transaction that runs the
// plan.
import * as ddl from './ddl.js';
import { columnText, decimalText, ftsName, literal, quote, typeText } from './ddl.js';
import type { ColumnChange, LiveField, LiveShape, MigrationDialect, Read } from '../sql/migration-dialect.js';

/** See `MigrationDialect`. */
export const sqliteMigration: MigrationDialect = {
  tables: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND name NOT IN (SELECT s.name FROM sqlite_master v JOIN sqlite_master s ON s.name = v.name
      OR s.name IN (v.name || '_data', v.name || '_idx', v.name || '_docsize', v.name || '_config', v.name || '_content')
      WHERE v.sql LIKE 'CREATE VIRTUAL%') ORDER BY name`,
  complete,
  typeText: (_table, column) => typeText(column),
  literal,
  characters: (column) => `length(${column})`,
  commits: false,
  textOf: (column) => `CAST(${column} AS TEXT)`,
  whole: (column) =>
    `(CAST(CAST(${column} AS INTEGER) AS TEXT) = ${column} AND ABS(CAST(${column} AS INTEGER)) <= 9007199254740991)`,
  dated: (column, what) =>
    what === 'date'
      ? `(length(${column}) = 10 AND strftime('%Y-%m-%d', ${column}) IS ${column})`
      : `(length(${column}) = 19 AND strftime('%Y-%m-%dT%H:%M:%S', ${column}) IS ${column})`,
  numeric: (column) =>
    `(CAST(CAST(${column} AS INTEGER) AS TEXT) = ${column} OR CAST(CAST(${column} AS REAL) AS TEXT) = ${column})`,
  decimal: (column, { from, to }) => {
    const most = `1${'0'.repeat(to.most - (to.scale ?? 0))}`;
    const step = `1${'0'.repeat(Math.abs((to.scale ?? 0) - (from.scale ?? 0)))}`;
    if (from.family === 'text') return decimalSpelling(column, to.most - (to.scale ?? 0), to.scale ?? 0);
    if (from.family === 'integer' || from.family === 'boolean') return `ABS(${column}) < ${most}`;
    if (from.family === 'double')
      return `(ABS(${column}) < ${most} AND ABS(${column}) < 1e15 AND ROUND(${column}, ${to.scale ?? 0}) = ${column})`;
    const large = `1${'0'.repeat(to.most - (to.scale ?? 0) + (from.scale ?? 0))}`;
    const fine = (to.scale ?? 0) < (from.scale ?? 0) ? `${column} % ${step} = 0` : '1 = 1';
    return large.length > 19 ? fine : `(ABS(${column}) < ${large} AND ${fine})`;
  },
  change(_table, live, changes) {
    // One rebuild applies all changes of a table.
    const last = changes.length - 1;
    return changes.map((_, at) => (at === last ? rebuild(live, changes) : []));
  },
  unchangeable({ made }) {
    const own = made!.sql.replace(/'(?:[^']|'')*'/g, '');
    const found = /\b(CHECK|REFERENCES|COLLATE|GENERATED|UNIQUE)\b/i.exec(own)?.[1];
    return found && `the table was given ${found.toUpperCase()} by hand, which making it again would lose`;
  },
  beforeRename: dropFulltext,
  dropColumn: (live, column) => [
    ...dropFulltext(live, column),
    ...indexesOver(live, column).map((name) => `DROP INDEX ${quote(name)}`),
    `ALTER TABLE ${quote(live.name)} DROP COLUMN ${quote(column)}`,
  ],
  dropTable: (live) => [
    ...(live.made?.fulltext ?? []).flatMap((column) => dropFulltext(live, column)),
    `DROP TABLE ${quote(live.name)}`,
  ],
  staleFulltext(table, live) {
    const wanted = new Set(
      [...table.indexes.values()].filter((index) => index.fulltext).flatMap(({ columns }) => columns),
    );
    return live
      .made!.fulltext.filter((column) => !wanted.has(column))
      .map((column) => ({ name: ftsName(live.name, column), sql: dropFulltext(live, column) }));
  },
};

function textLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

async function complete(shape: LiveShape, read: Read): Promise<void> {
  const name = textLiteral(shape.name);
  for (const [column, fallback, key] of await read(`SELECT name, dflt_value, pk FROM pragma_table_info(${name})`)) {
    const field = shape.columns.get(String(column))!;
    field.fallback = fallback === null ? null : String(fallback);
    field.key = Number(key);
  }
  const parts = await read(`SELECT type, name, sql FROM sqlite_master WHERE tbl_name = ${name} AND sql IS NOT NULL`);
  const extras = parts
    .filter(([kind]) => kind === 'index' || kind === 'trigger')
    .map(([kind, part, sql]) => ({ kind: String(kind), name: String(part), sql: String(sql) }));
  const sql = String(parts.find(([kind, part]) => kind === 'table' && part === shape.name)?.[2] ?? '');
  const inserts = new Set(extras.map((extra) => extra.name));
  const fulltext = [...shape.columns.keys()].filter((column) => inserts.has(`${ftsName(shape.name, column)}_insert`));
  shape.made = { sql, extras, fulltext };
}

function indexesOver(live: LiveShape, column: string): string[] {
  const made = new Set(live.made!.extras.filter(({ kind }) => kind === 'index').map(({ name }) => name));
  return [...live.indexes]
    .filter(([name, { columns }]) => made.has(name) && columns.includes(column))
    .map(([name]) => name);
}

function dropFulltext(live: LiveShape, column: string): string[] {
  return live.made!.fulltext.includes(column) ? ddl.dropFulltext(live.name, column) : [];
}

/**
 * Rebuilds a table: creates a copy under another name, copies the rows, and replaces the old table. Triggers, indexes
 * and the last generated id are carried over; full-text tables are refilled, because the indexed texts may have
 * changed.
 */
function rebuild(live: LiveShape, changes: readonly ColumnChange[]): string[] {
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
    `ALTER TABLE ${fresh} RENAME TO ${old}`,
    ...live.made!.extras.map(({ sql }) => sql),
    ...live.made!.fulltext.flatMap((column) => {
      const trigger = live.made!.extras.find(({ name }) => name === `${ftsName(live.name, column)}_insert`);
      return ddl.refillFulltext(live.name, column, trigger?.sql ?? '');
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

/** A value that becomes a decimal, is one of other digits, or no longer is one. */
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

/** True where a text is a decimal of so many digits before and behind the point. */
function decimalSpelling(name: string, whole: number, fraction: number): string {
  const bare = `ltrim(${name}, '-')`;
  const point = `instr(${bare}, '.')`;
  const before = `CASE WHEN ${point} = 0 THEN ${bare} ELSE substr(${bare}, 1, ${point} - 1) END`;
  const behind = `CASE WHEN ${point} = 0 THEN '0' ELSE substr(${bare}, ${point} + 1) END`;
  const digits = (part: string, most: number) =>
    `(length(${part}) BETWEEN 1 AND ${most} AND ${part} NOT GLOB '*[^0-9]*')`;
  return `(length(${name}) - length(${bare}) <= 1 AND ${digits(`(${before})`, whole || 1)} AND ${digits(`(${behind})`, fraction || 1)})`;
}

/** The shortest text that parses to this number, without a fraction for integers. */
function shortest(name: string): string {
  const tries = [15, 16].map((digits) => {
    const text = `printf('%!.${digits}g', ${name})`;
    return `WHEN CAST(${text} AS REAL) = ${name} THEN ${trimmed(text)}`;
  });
  const whole = `WHEN ${name} = CAST(${name} AS INTEGER) AND ABS(${name}) < 1e15 THEN CAST(CAST(${name} AS INTEGER) AS TEXT)`;
  return `CASE WHEN ${name} IS NULL THEN NULL ${whole} ${tries.join(' ')} ELSE printf('%!.17g', ${name}) END`;
}

function trimmed(text: string): string {
  return `CASE WHEN ${text} LIKE '%.0' THEN substr(${text}, 1, length(${text}) - 2) ELSE ${text} END`;
}
