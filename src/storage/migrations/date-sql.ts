// SQL conditions for the spellings of numbers, dates, times and UUIDs, shared by PostgreSQL and MySQL.

const DAY = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
/** Regular expressions for entire texts, without `^` and `$`. */
export const FORMATS = {
  time: '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]',
  uuid: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
};

const TIME = `T${FORMATS.time}`;

/** True where a text is the spelling of a number that a double holds exactly, with its at most 15 digits. */
export function isNumber(column: string, matches: (column: string, pattern: string) => string): string {
  const digits = `CHAR_LENGTH(REPLACE(REPLACE(${column}, '-', ''), '.', '')) <= 15`;
  return `(${matches(column, '-?(0|[1-9][0-9]*)([.][0-9]*[1-9])?')} AND ${column} <> '-0' AND ${digits})`;
}

/** True where a text is a valid date or date-time; `matches` makes the condition that a whole text has a pattern. */
export function isDate(
  column: string,
  what: 'date' | 'datetime',
  matches: (column: string, pattern: string) => string,
  integer: string,
): string {
  const part = (from: number, length: number) => `CAST(substr(${column}, ${from}, ${length}) AS ${integer})`;
  const [year, day, month] = [part(1, 4), part(9, 2), `substr(${column}, 6, 2)`];
  const leap = `(${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0))`;
  const short = `${month} IN ('04', '06', '09', '11')`;
  const last = `CASE WHEN ${short} THEN 30 WHEN ${month} <> '02' THEN 31 WHEN ${leap} THEN 29 ELSE 28 END`;
  // Cast only texts that match the pattern: others would raise an error.
  return `(CASE WHEN ${matches(column, `${DAY}${what === 'date' ? '' : TIME}`)} THEN ${day} <= ${last} AND ${year} > 0 ELSE 1 = 0 END)`;
}
