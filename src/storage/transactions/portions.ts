// Divides rows among statements.
import type { Row } from '../../model/query.js';
import type { Connection } from '../sql/connection.js';
import { MAX_BYTES_PER_UNIT } from '../sql/statement-size.js';

/** Parameters of one INSERT that every database accepts. */
export const MAX_PARAMS = 8_000;
/** Characters of one INSERT of several rows, unless the database has a lower limit. */
const MAX_CHARACTERS = 2 * 1024 ** 2;

/** Batches of at most `size` rows and `maxCharacters` characters; a larger row gets a batch of its own. */
export function* portions(rows: readonly Row[], size: number, maxCharacters: number): Generator<Row[]> {
  let some: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    const more = charactersOf(row);
    if (some.length > 0 && (some.length === size || characters + more > maxCharacters)) {
      yield some;
      [some, characters] = [[], 0];
    }
    some.push(row);
    characters += more;
  }
  yield some;
}

function charactersOf(row: Row): number {
  let sum = 0;
  for (const name in row) if (typeof row[name] === 'string') sum += row[name].length;
  return sum;
}

/** Characters of one INSERT of several rows that a connection takes. */
export function maxCharactersOf({ statementBytes = Infinity }: Connection): number {
  return Math.min(MAX_CHARACTERS, statementBytes / MAX_BYTES_PER_UNIT);
}
