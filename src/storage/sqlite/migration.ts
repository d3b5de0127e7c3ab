// Migration statements of SQLite: a column is changed by rebuilding its table, inside the transaction that runs the
// plan.
import type { LiveShape, MigrationDialect, Read } from '../sql/migration-dialect.js';
import { literal, quote, typeText } from './column-ddl.js';
import { dropFulltext as dropTrigramTable, ftsName } from './fulltext-ddl.js';
import { rebuild, shortest, textLiteral } from './rebuild-table.js';

/** True where a text is an integer that a number holds exactly. */
const isInteger = (column: string): string =>
  `(CAST(CAST(${column} AS INTEGER) AS TEXT) = ${column} AND ABS(CAST(${column} AS INTEGER)) <= 9007199254740991)`;

/** See `MigrationDialect`. */
export const sqliteMigration: MigrationDialect = {
  tables: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND name NOT IN (SELECT s.name FROM sqlite_master v JOIN sqlite_master s ON s.name = v.name
      OR s.name IN (v.name || '_data', v.name || '_idx', v.name || '_docsize', v.name || '_config', v.name || '_content')
      WHERE v.sql LIKE 'CREATE VIRTUAL%') ORDER BY name`,
  reserved: { tables: /^sqlite_/ },
  complete,
  typeText: (_table, column) => typeText(column),
  literal,
  characters: (column) => `length(${column})`,
  sharesIndexNames: true,
  commits: false,
  textOf: (column, family) => (family === 'double' ? shortest(column) : `CAST(${column} AS TEXT)`),
  isInteger,
  isDate: (column, what) =>
    what === 'date'
      ? `(length(${column}) = 10 AND ${column} > '0001' AND strftime('%Y-%m-%d', ${column}) IS ${column})`
      : `(length(${column}) = 19 AND ${column} > '0001' AND strftime('%Y-%m-%dT%H:%M:%S', ${column}) IS ${column})`,
  hasFormat: (column, what) =>
    what === 'time'
      ? `(${column} GLOB '[0-2][0-9]:[0-5][0-9]:[0-5][0-9]' AND ${column} < '24')`
      : `${column} GLOB '${[8, 4, 4, 4, 12].map((length) => '[0-9a-f]'.repeat(length)).join('-')}'`,
  numeric: (column) =>
    // A REAL has at most 15 digits in its text form.
    `(${isInteger(column)} OR CAST(CAST(${column} AS REAL) AS TEXT) = ${column} OR ltrim(${column}, '-') GLOB '0.0*[1-9]' AND ${decimalSpelling(column, 1, 14)})`,
  fitsDecimal: (column, { from, to }) => {
    const most = `1${'0'.repeat(to.capacity - (to.scale ?? 0))}`;
    const step = `1${'0'.repeat(Math.abs((to.scale ?? 0) - (from.scale ?? 0)))}`;
    if (from.family === 'text') return decimalSpelling(column, to.capacity - (to.scale ?? 0), to.scale ?? 0);
    if (from.family === 'integer' || from.family === 'boolean') return `ABS(${column}) < ${most}`;
    if (from.family === 'double')
      return `(ABS(${column}) < ${most} AND ABS(${column}) < 1e15 AND ROUND(${column}, ${to.scale ?? 0}) = ${column})`;
    const large = `1${'0'.repeat(to.capacity - (to.scale ?? 0) + (from.scale ?? 0))}`;
    const fine = (to.scale ?? 0) < (from.scale ?? 0) ? `${column} % ${step} = 0` : '1 = 1';
    return large.length > 19 ? fine : `(ABS(${column}) < ${large} AND ${fine})`;
  },
  change(_table, live, changes) {
    // One rebuild applies all changes of a table.
    const last = changes.length - 1;
    return changes.map((_, at) => (at === last ? rebuild(live, changes) : []));
  },
  unchangeable({ definition }) {
    // Without texts and names: a column may be called `unique`.
    const own = definition!.sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '');
    const found = /\b(CHECK|REFERENCES|COLLATE|GENERATED|UNIQUE)\b/i.exec(own)?.[1];
    return found && `the table was given ${found.toUpperCase()} by hand, which making it again would lose`;
  },
  beforeRename: dropFulltext,
  dropColumn: (live, column) => [
    ...dropFulltext(live, column),
    ...indexesOver(live, column).map((name) => `DROP INDEX ${quote(name)}`),
    `ALTER TABLE ${quote(live.name)} DROP COLUMN ${quote(column)}`,
  ],
  advance(table, from) {
    const [own, both] = [textLiteral(table), `${textLiteral(table)}, ${textLiteral(from)}`];
    return [
      `INSERT INTO sqlite_sequence (name, seq) SELECT ${own}, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${own})`,
      `UPDATE sqlite_sequence SET seq = (SELECT MAX(seq) FROM sqlite_sequence WHERE name IN (${both})) WHERE name = ${own}`,
    ];
  },
  dropTable: (live) => [
    ...(live.definition?.fulltext ?? []).flatMap((column) => dropFulltext(live, column)),
    `DROP TABLE ${quote(live.name)}`,
  ],
  staleFulltext(table, live) {
    const wanted = new Set(
      [...table.indexes.values()].filter((index) => index.fulltext).flatMap(({ columns }) => columns),
    );
    return live
      .definition!.fulltext.filter((column) => !wanted.has(column))
      .map((column) => ({ name: ftsName(live.name, column), sql: dropFulltext(live, column) }));
  },
};

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
  shape.definition = { sql, extras, fulltext };
}

function indexesOver(live: LiveShape, column: string): string[] {
  const made = new Set(live.definition!.extras.filter(({ kind }) => kind === 'index').map(({ name }) => name));
  return [...live.indexes]
    .filter(([name, { columns }]) => made.has(name) && columns.includes(column))
    .map(([name]) => name);
}

function dropFulltext(live: LiveShape, column: string): string[] {
  return live.definition!.fulltext.includes(column) ? dropTrigramTable(live.name, column) : [];
}

/** True where a text is a decimal with at most this many digits before and after the point. */
function decimalSpelling(name: string, whole: number, fraction: number): string {
  const bare = `ltrim(${name}, '-')`;
  const point = `instr(${bare}, '.')`;
  const before = `CASE WHEN ${point} = 0 THEN ${bare} ELSE substr(${bare}, 1, ${point} - 1) END`;
  const behind = `CASE WHEN ${point} = 0 THEN '0' ELSE substr(${bare}, ${point} + 1) END`;
  // Without digits on one side of the point there is a zero before it, or no point.
  const digits = (part: string, most: number) =>
    most === 0 ? `${part} = '0'` : `(length(${part}) BETWEEN 1 AND ${most} AND ${part} NOT GLOB '*[^0-9]*')`;
  const ends = fraction === 0 ? `${point} = 0` : digits(`(${behind})`, fraction);
  return `(length(${name}) - length(${bare}) <= 1 AND ${digits(`(${before})`, whole)} AND ${ends})`;
}
