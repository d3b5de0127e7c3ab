// The tables of resources: columns, indexes and counts of rows.
import type { Predicate } from './query.js';
import type { UniqueIgnore } from './schema/field-schema.js';
import type { Scalar } from './schema/schema.js';

/** Column of a table. Lengths are characters. */
export interface ColumnModel {
  name: string;
  kind: 'integer' | 'varchar' | 'text' | 'boolean' | 'datetime' | 'json' | 'double' | 'decimal';
  length?: number;
  /** Digits of a decimal, whose values are texts with all digits of the scale. */
  precision?: number;
  scale?: number;
  nullable?: boolean;
  default?: Scalar;
  primary?: boolean;
  renamedFrom?: string;
  /** Declared by a schema that does not give its former name: a leftover column may be its former one. */
  mayBeRenamed?: boolean;
  /** Value that existing rows get when the column is added. */
  backfill?: Scalar;
  /** The default is the empty value of the type and was not declared by a schema: it must not replace NULLs. */
  implied?: boolean;
  /**
   * Content of a text column beyond plain text; when it changes, stored values are converted or the change is rejected.
   */
  contentType?: 'date' | 'datetime' | 'time' | 'uuid' | 'json' | 'object' | 'array' | 'hash';
  /** Computed from other columns: can be recomputed. */
  derived?: boolean;
  /**
   * Discriminators of resources for whose existing rows the type's empty value is not valid: they need a default or
   * `backfill`.
   */
  demanded?: Readonly<Record<string, Scalar>>;
  /** The engine writes it whenever the row is used: an item with another value is the same item. */
  ofUse?: boolean;
  /** Column holds keys compared byte by byte (slugs, usernames). */
  binary?: boolean;
  /** Table whose ids it holds; 0 for none. */
  references?: string;
}

/** A column that a digest is made of. */
export interface DigestSource {
  column: string;
  reference: boolean;
  /** Values that count as missing: the statuses of items in the trash, and of those that are hidden with another one. */
  absent: readonly Scalar[];
}

/** Which columns a digest is made of, and how they are compared. */
export interface DigestModel {
  sources: readonly DigestSource[];
  ignore: readonly UniqueIgnore[];
}

/** An index over columns, in order. */
export interface IndexModel {
  name: string;
  columns: string[];
  unique?: boolean;
  /** Of a unique index over digests: what they are made of, in the rows with the values of `where`. */
  digests?: readonly (DigestModel & { where: Readonly<Record<string, Scalar>> })[];
  /** Full-text index over folded text. */
  fulltext?: boolean;
  /**
   * Of a full-text index, where the store has `lowersTexts`: in rows with the values of `where`, an empty text in the
   * indexed column stands for the lower-cased texts of `columns`, joined by line breaks.
   */
  joins?: { where: Readonly<Record<string, Scalar>>; columns: readonly string[] }[];
}

/** Rows of a table that a row of another one refers to are counted in a column of that row: exactly, at every commit. */
export interface StoredCount {
  /** Join table of both: `owner_id` is the id of a counted row, `target_id` that of the row that counts. */
  pairs: string;
  /** Which rows count. */
  where: Predicate;
  table: string;
  /** Which rows of `table` store a count: it may hold other resources too. */
  scope: Predicate;
  column: string;
  /** Whether nothing else is counted there: then it is the number of these rows. */
  isAlone(): boolean;
}

/** A table, with the columns of every resource that shares it. */
export interface TableModel {
  name: string;
  columns: Map<string, ColumnModel>;
  indexes: Map<string, IndexModel>;
  /** Groups of columns for whose value combinations row counts are maintained. */
  counted: string[];
  /** Counts of rows that are stored in rows of other tables. */
  countedBy?: StoredCount[];
  /**
   * Previous tables of resources that moved here, with the discriminator of their rows; `from` selects the rows in a
   * table that remains in use.
   */
  movedFrom?: {
    table: string;
    where: Readonly<Record<string, Scalar>>;
    from?: Readonly<Record<string, Scalar>>;
  }[];
  /** A resource declares it and does not say where its rows were before. */
  mayBeRenamed?: boolean;
  /** Rows record how far values were computed; deleted when a migration moves values. */
  progress?: boolean;
  /** Has at most one row per resource: all of it is read at once. */
  small?: boolean;
  /** Previous name of a join table whose field was renamed. */
  renamedFrom?: string;
  /**
   * Set on a join table: the table of the owning items, the column that a single-valued field would have there, and the
   * one that it had before it was renamed.
   */
  pairsOf?: { table: string; column: string; renamedFrom?: string; where: Readonly<Record<string, Scalar>> };
}
