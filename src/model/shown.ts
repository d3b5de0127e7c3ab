// What items show beyond their own columns: links, meta, rows of other tables, values computed from such rows.
import type { Operation, View } from './operation.js';
import type { Aggregate, Row } from './query.js';
import type { Context, LinkSchema, Scalar } from './schema/schema.js';
import type { Rule as ValueRule } from './value.js';
import type { Site } from './site/site.js';
import type { RuleModel } from './permissions.js';
import type { ValueSchema } from './schema/value-schema.js';
import type { FieldModel } from './field.js';

/** What a field needs to present a value. */
export interface ViewScope {
  op: Operation;
  context: Context;
  site: Site;
  /** What the caller may not see of the rows; absent: nothing is left out. */
  withheld?: Withheld | undefined;
}

/** What is computed from the rows of another table that refer to an item, as far as a caller may read them. */
export interface AggregateModel {
  /** Member of a row that receives the value: a number of rows, or what `Reader.aggregateBy` gives; absent without rows. */
  slot: string;
  /** Path of the resource of these rows. */
  path: string;
  table: string;
  /** Column with the id of the item. */
  column: string;
  where: RuleModel;
  /** Absent: the rows are counted. */
  of?: Aggregate;
}

/** Column of related rows that are `judged`: whether the caller may read the item and its permalink. */
export const READABLE = '#readable';

/** Rows to load for the ids found in `column`; `onward` loads further rows for those. */
export interface RelatedModel {
  column: string;
  table: string;
  columns: readonly string[];
  /** What is made of the rows tells of the items: the rows have the column `READABLE`. */
  judged?: boolean;
  onward?: readonly RelatedModel[];
}

/** A compiled link relation. */
export interface LinkModel {
  rel: string;
  schema: LinkSchema;
  reads: readonly string[];
  /** Who may read the values it is made of; others do not see it. */
  readers: FieldModel['readers'];
  /** Fields with rights of their own that it is made of. */
  fields?: readonly string[];
  href(view: View, row: Row, scope: ViewScope): string | undefined;
  needs?: RuleModel;
  /** Rows of other tables it reads. */
  related?: readonly RelatedModel[];
  /** Attributes that depend on the row. */
  attributes?(row: Row, scope: ViewScope): Record<string, Scalar> | undefined;
}

/** A compiled meta key. */
export interface MetaKeyModel {
  key: string;
  name: string;
  single: boolean;
  hidden: boolean;
  default: unknown;
  rule: ValueRule;
  /** Codes of values that the rule refuses. */
  codes: readonly string[];
  json: ValueSchema;
  needs?: RuleModel;
  structured: boolean;
}

/** What a caller may not see of the rows of a response. */
export interface Withheld {
  /** Whether the caller may not see the field of the row, or the member with this dotted name. */
  has(row: Row, name: string): boolean;
}

/** A parsed `_fields` parameter. */
export interface FieldSelection {
  /** Cache key: equal for the same fields in the same order. */
  readonly key: string;
  has(name: string): boolean;
  /** Whether it selects what is at a path, or a part of it. */
  reaches(path: readonly string[]): boolean;
  /** Copies the selected members only. */
  pick(view: View): View;
}
