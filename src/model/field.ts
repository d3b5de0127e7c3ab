// A compiled field.
import type { Operation, Draft } from './operation.js';
import type { Row } from './query.js';
import type { Context, Scalar } from './schema/schema.js';
import type { TextWork } from './runtime/texts.js';
import type { Rule as ValueRule } from './value.js';
import type { RuleModel } from './permissions.js';
import type { ViewScope, AggregateModel, RelatedModel, MetaKeyModel } from './shown.js';
import type { ValueSchema } from './schema/value-schema.js';
import type { FieldSchema } from './schema/field-schema.js';
import type { ColumnModel } from './table.js';
import type { ResourceModel } from './model.js';
import type { SiteSettings } from './site/site-settings.js';

/** Makes a value in the form that a client would send. */
export type Generator = (op: Operation) => Scalar;

/** Fields whose values no two items share, and the column that keeps them apart. */
export interface UniqueModel {
  column: string;
  fields: readonly FieldModel[];
  /** Makes the column, where it is a digest of the values. */
  digest?: Derive;
}

/** A compiled field. */
export interface FieldModel {
  name: string;
  schema: FieldSchema;
  type: string;
  readOnly: boolean;
  hidden: boolean;
  required: boolean;
  contexts: ReadonlySet<Context>;
  /** Who may read the field: everyone who reads the item, those who may use the context `edit`, or nobody. */
  readers: 'everyone' | 'editors' | 'nobody';
  /** Rules for reading the field or a member of it: a caller who filters by its value must satisfy all of them. */
  readRules?: readonly RuleModel[];
  /** Columns that store its value; none for links and computed values. */
  columns: ColumnModel[];
  /** Main column, for filters and orderings. */
  column?: string;
  /** Columns that `toView` reads. */
  reads: readonly string[];
  /** Rows of other tables that `toView` reads, loaded once per response. */
  related?: readonly RelatedModel[];
  /** To-many fields of the resource that `toView` reads. */
  relations?: readonly string[];
  /** Computed from rows of other tables for `toView`, each by one statement per response. */
  aggregates?: readonly AggregateModel[];
  /** Its value has all capabilities of an account, as members that are true. */
  grants?: boolean;
  /** Some items do not have it. */
  sometimes?: boolean;
  /** Its value is the permalink of the item. */
  permalink?: boolean;
  /** An empty text in its column is from before it was nullable, and stands for null. */
  nullForEmpty?: boolean;
  /** Column to sort by. */
  sortColumn?: string;
  /** Folded column that `search` matches. */
  searchColumn?: string;
  /** Validation and coercion of a value from a client. */
  rule: ValueRule;
  /** The same for new items, which have no stored value that could permit the value sent. */
  createRule?: ValueRule;
  /** Rows in which a condition may test its value, where these are fewer than those that show the field. */
  opened?: RuleModel;
  /** JSON Schema of the value, contexts of members included. */
  json: ValueSchema & { context?: Context[]; readonly?: boolean };
  /** JSON Schema as a body argument. */
  arg: ValueSchema;
  /** Further keywords of the argument in OpenAPI, read when the document is made; OPTIONS does not show them. */
  limits?(): Pick<ValueSchema, 'format' | 'minLength' | 'maxLength' | 'pattern'>;
  /** What fills it on create when nothing is sent, and at every update. */
  generates?: { create?: Generator; update?: Generator };
  /** Value on create when none was sent; undefined: the default of the column. */
  defaultValue?: unknown;
  /** Setting that provides the default, where a resource changes it while the site runs. */
  defaultSetting?: keyof SiteSettings;
  /** Setting that it sets while a value is stored; `stored` is that value, undefined where there is none. */
  setting?: { name: keyof SiteSettings; stored(row: Row): unknown };
  /** Writes a value sent by the client into the draft. */
  toStore?(value: unknown, draft: Draft, op: Operation, current?: Row): void;
  /** Completes the draft after all values and input hooks. */
  derive?: Derive;
  /** Slow non-SQL work (hashing), done before the transaction. Returns the value to store. */
  prepare?(value: unknown, op: Operation): Promise<unknown>;
  toView?(row: Row, scope: ViewScope): unknown;
  /** The spelling in which a value is stored, for comparisons with the column. */
  compared?(value: Scalar): Scalar;
  many?: ManyModel;
  /** Targets of a `reference`. */
  targets?: ResourceModel[];
  /** Registered meta keys. */
  meta?: { table: string; keys: MetaKeyModel[] };
}

/** A to-many relation. */
export interface ManyModel {
  /** Its join table. */
  table: string;
  /** The column beside `owner_id`. */
  value: 'target_id' | 'value';
  target?: ResourceModel;
}

/** Computes columns of a draft from others of it; of the operation it knows only how large texts are processed. */
export type Derive = (draft: Draft, texts: TextWork, current?: Row) => void;
