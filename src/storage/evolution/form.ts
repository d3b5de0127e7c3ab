// Types of columns as far as evolution tells them apart, read from what a database calls them. Called by plan-columns.ts.

/** A family of values, and how much of it fits: characters of texts, a rank of integers. */
export interface Form {
  family: 'text' | 'boolean' | 'integer' | 'double' | 'other';
  most: number;
  /** Strings that are kept beside the row: how they are kept is the database's business, not the schema's. */
  loose: boolean;
}

const TEXTS: Record<string, number> = { tinytext: 63, mediumtext: 4_194_303, longtext: 1_000_000_000 };

/** The form of a column; `database` is the name of the dialect. */
export function formOf(type: string, database: string): Form {
  const word = type.toLowerCase().trim();
  const length = /char[a-z ]*\((\d+)\)/.exec(word)?.[1];
  if (length !== undefined) return { family: 'text', most: Number(length), loose: false };
  if (/text|char|clob/.test(word)) {
    const most = database === 'mysql' ? (TEXTS[word] ?? 16_383) : 1_000_000_000;
    return { family: 'text', most, loose: database === 'mysql' && word === 'text' };
  }
  if (/^(bool|smallint|tinyint)/.test(word)) return { family: 'boolean', most: 0, loose: false };
  if (/int/.test(word))
    return { family: 'integer', most: database === 'sqlite' || word.startsWith('big') ? 2 : 1, loose: false };
  return { family: /^(doub|real|floa)/.test(word) ? 'double' : 'other', most: 0, loose: false };
}

/** Nothing to do between them. */
export function sameForm(a: Form, b: Form): boolean {
  return a.family === b.family && a.most === b.most;
}
