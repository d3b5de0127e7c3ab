// Inlines the values of statements into their SQL, so that several can be sent together.
import type { Bound } from '../sql/connection.js';
import type { MysqlFlavour } from './flavour.js';

/** A statement and its values. */
export interface Sent {
  sql: string;
  params: readonly Bound[];
}

/** Longest text value that is inlined; longer ones are sent as parameters, which need no escaping. */
const MAX_CHARACTERS = 32_000;
const PLACES = /'[^']*'|\?/g;

/**
 * The SQL of a statement with its values inlined; undefined where it has to be sent alone: for a value whose literal
 * depends on the SQL mode, or to a server that takes one statement at a time.
 */
export function inlined({ sql, params }: Sent, { several }: Pick<MysqlFlavour, 'several'>): string | undefined {
  if (!several) return undefined;
  const values = params.map(literal);
  if (values.includes(undefined)) return undefined;
  let at = 0;
  const text = sql.replace(PLACES, (found) => (found === '?' ? (values[at++] ?? '?') : found));
  return at === params.length ? text : undefined;
}

function literal(value: Bound): string | undefined {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  // Whether a backslash escapes depends on the SQL mode (NO_BACKSLASH_ESCAPES); a doubled quote works in every mode.
  if (value.length > MAX_CHARACTERS || value.includes('\\') || value.includes('\0') || !value.isWellFormed())
    return undefined;
  return `'${value.replaceAll("'", "''")}'`;
}
