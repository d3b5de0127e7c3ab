// Inlines the values of statements into their SQL, so that several can be sent together.
import type { Bound } from '../sql/connection.js';
import type { MysqlFlavour } from './flavour.js';

/** A statement and its values. */
export interface SentStatement {
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
export function inlineValues(statement: SentStatement, { several }: Pick<MysqlFlavour, 'several'>): string | undefined {
  return several ? withLiterals(statement, literal) : undefined;
}

/** The SQL of a statement with all its values inlined, however long, for a server that is not to prepare it. */
export function asText(statement: SentStatement): string | undefined {
  return withLiterals(statement, (value) => literal(value, Infinity) ?? otherLiteral(value));
}

function withLiterals(
  { sql, params }: SentStatement,
  literalOf: (value: Bound) => string | undefined,
): string | undefined {
  const values = params.map((value) => literalOf(value));
  if (values.includes(undefined)) return undefined;
  let at = 0;
  const text = sql.replace(PLACES, (found) => (found === '?' ? (values[at++] ?? '?') : found));
  return at === params.length ? text : undefined;
}

function literal(value: Bound, maxCharacters = MAX_CHARACTERS): string | undefined {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  // Whether a backslash escapes depends on the SQL mode (NO_BACKSLASH_ESCAPES); a doubled quote works in every mode.
  if (value.length > maxCharacters || value.includes('\\') || value.includes('\0') || !value.isWellFormed())
    return undefined;
  return `'${value.replaceAll("'", "''")}'`;
}

/** Without an exponent a fraction would be a decimal. The bytes of a text mean the same in every SQL mode. */
function otherLiteral(value: Bound): string {
  if (typeof value === 'string') return `_utf8mb4 x'${Buffer.from(value).toString('hex')}'`;
  const text = String(value);
  return text.includes('e') ? text : `${text}e0`;
}
