// Migration statements of PostgreSQL; DDL is transactional.
import { toBound } from '../sql/bind-value.js';
import { literal, quote, typeText } from './ddl.js';
import { isDate, isNumber, FORMATS } from '../migrations/date-sql.js';
import type { ColumnChange, ColumnType, LiveShape, MigrationDialect } from '../sql/migration-dialect.js';
import type { ColumnModel } from '../../model/table.js';

/** True where a whole text has a pattern. */
const matches = (column: string, pattern: string): string => `${column} ~ '^(?:${pattern})$'`;

/** True where a text is an integer that a number holds exactly. */
const isInteger = (column: string): string =>
  `CASE WHEN ${matches(column, '0|-?[1-9][0-9]{0,15}')} THEN ABS(CAST(${column} AS bigint)) <= 9007199254740991 ELSE false END`;

/** See `MigrationDialect`. */
export const postgresMigration: MigrationDialect = {
  tables: `SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace ORDER BY relname`,
  longestName: 63,
  // Catalog tables would take precedence over tables of these names; these columns exist in every table.
  reserved: { tables: /^pg_/, columns: /^(?:tableoid|xmin|cmin|xmax|cmax|ctid)$/ },
  typeText: (_table, column) => typeText(column),
  literal: (column, value) => literalOf(column, value),
  characters: (column) => `char_length(${column}::text)`,
  sharesIndexNames: true,
  commits: false,
  textOf: (column) => `CAST(${column} AS text)`,
  isInteger,
  numeric: (column) => `(${isInteger(column)} OR ${isNumber(column, matches)})`,
  // make_date would fail the whole statement on an invalid value.
  isDate: (column, what) => isDate(column, what, matches, 'integer'),
  hasFormat: (column, what) => matches(column, FORMATS[what]),
  fitsDecimal: (column, { from, to }) => {
    const integerDigits = to.capacity - (to.scale ?? 0);
    const fraction = to.scale ? `([.][0-9]{1,${to.scale}})?` : '';
    if (from.family === 'text')
      return matches(column, `-?${integerDigits ? `[0-9]{1,${integerDigits}}` : '0'}${fraction}`);
    const large = `ABS(${column}) < 1${'0'.repeat(integerDigits)}`;
    const exact = numericOf(column, from);
    return `(${large} AND round(${exact}, ${to.scale ?? 0}) = ${exact})`;
  },
  change: (_table, live, changes) => changes.map((change) => changeColumn(live, change)),
  lockTable: (table) => [`LOCK TABLE ${quote(table)} IN ACCESS EXCLUSIVE MODE`],
  lockProbe: {
    indexesBlockReads: false,
    lock: (tables) => [
      `SAVEPOINT turn; SET LOCAL lock_timeout = '1s'`,
      `LOCK TABLE ${tables.map(quote).join(', ')} IN ACCESS EXCLUSIVE MODE`,
    ],
    unlock: ['ROLLBACK TO SAVEPOINT turn; RELEASE SAVEPOINT turn'],
  },
  dropColumn: (live, column) => [`ALTER TABLE ${quote(live.name)} DROP COLUMN ${quote(column)}`],
  advance: (table, from) => {
    const [own, other] = [table, from].map((name) => `pg_get_serial_sequence(${literal(quote(name))}, 'id')`);
    const last = [own, other].map((sequence) => `pg_sequence_last_value(${sequence}::regclass)`).join(', ');
    return [`SELECT setval(${own}, GREATEST((SELECT MAX(id) FROM ${quote(table)}), ${last}, 1))`];
  },
  dropTable: (live) => [`DROP TABLE ${quote(live.name)}`],
};

function literalOf(column: ColumnModel, value: unknown): string {
  const bound = toBound(value, column);
  return typeof bound === 'string' && column.kind !== 'decimal' ? literal(bound) : String(bound);
}

function changeColumn(live: LiveShape, { column, live: field, form, nullable, fill }: ColumnChange): string[] {
  const [table, name] = [quote(live.name), quote(column.name)];
  const alter = `ALTER TABLE ${table} ALTER COLUMN ${name}`;
  const { default: said } = column;
  const defaults = said === undefined || said === null ? [] : [`${alter} SET DEFAULT ${literalOf(column, said)}`];
  if (!field) {
    const add = `ALTER TABLE ${table} ADD COLUMN ${name} ${typeText(column)}${nullable ? '' : ' NOT NULL'}`;
    return fill === undefined
      ? [add]
      : [`${add} DEFAULT ${fill}`, ...(defaults.length > 0 ? defaults : [`${alter} DROP DEFAULT`])];
  }
  // A default of the old type prevents the type change: drop it first.
  const steps = form?.from.family !== form?.to.family && field.hasDefault ? [`${alter} DROP DEFAULT`] : [];
  if (form) steps.push(`${alter} TYPE ${typeText(column)}${conversion(name, form)}`);
  if (form || fill !== undefined) steps.push(...defaults);
  if (fill !== undefined) steps.push(`UPDATE ${table} SET ${name} = ${fill} WHERE ${name} IS NULL`);
  if (nullable !== field.nullable) steps.push(`${alter} ${nullable ? 'DROP' : 'SET'} NOT NULL`);
  return steps;
}

/** A number as a numeric. The direct cast of a double keeps 15 digits. */
function numericOf(column: string, { family }: ColumnType): string {
  return family === 'double' ? `${column}::text::numeric` : `${column}::numeric`;
}

// A cast to varchar truncates; an assignment rejects values that are too long.
function conversion(name: string, { from, to }: NonNullable<ColumnChange['form']>): string {
  if (from.family === to.family) return '';
  if (to.family === 'decimal') return ` USING ${numericOf(name, from)}`;
  const type = {
    text: 'text',
    integer: 'bigint',
    boolean: 'smallint',
    double: 'double precision',
    decimal: '',
    other: '',
  }[to.family];
  return ` USING ${name}::${type}`;
}
