// The query language of lists: compiled models, and parsed requests. Described in docs/query-language.md.
import type { ResourceModel } from './model.js';
import type { RuleModel } from './permissions.js';
import type { Operation } from './operation.js';
import type { Predicate } from './query.js';
import type { Checked } from './value.js';
import type { ValueSchema } from './schema/value-schema.js';
import type { FieldModel } from './field.js';

/** Limits of one request. */
export const QUERY_LIMITS = Object.freeze({
  /** Conditions, those within groups and behind references included. */
  conditions: 20,
  /** Nesting depth of groups (`or`, `and`). */
  groups: 3,
  /** References on the way to a field. */
  references: 2,
  /** Values of one list (`in`, `nin`). */
  values: 100,
  /** Keys of one order. */
  sortKeys: 4,
  /** Paths of `expand`, and references on the way of one. */
  expandPaths: 10,
  expandDepth: 2,
  /** Items put in the place of ids, in the whole response. */
  expandedItems: 2_000,
  /** Aggregates, fields that they are grouped by, and groups. */
  aggregates: 10,
  groupFields: 2,
  groupRows: 1_000,
  /** Readable rows of a resource up to which conditions need no index. */
  unindexedRows: 10_000,
});

/** The language of one resource. */
export interface QueryModel {
  /** Fields that conditions may be about, by name. */
  readonly fields: ReadonlyMap<string, QueryField>;
  /** Words of the language that the resource uses as names of its own parameters. */
  readonly taken: ReadonlySet<string>;
}

/** A field in the language. */
export interface QueryField {
  readonly field: FieldModel;
  readonly operators: ReadonlyMap<string, QueryOperator>;
  /** Operators that fit the type and that the schema does not prepare, with the key to add. */
  readonly missing: ReadonlyMap<string, string>;
  /** Rows in which a caller may query it; absent: wherever the row can be read. */
  readonly guard?: RuleModel;
  /** Whether an index serves its conditions, or the schema allows them without one. */
  readonly indexed: boolean;
  /** A moment, in milliseconds since the epoch, as its operators take it; absent for values that are no times. */
  moment?(time: number, op: Operation): string;
  /** The resources that it refers to: conditions may be about their fields. */
  readonly targets?: readonly ResourceModel[];
}

/** An operator on one field. */
export interface QueryOperator {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its value. */
  readonly arg: ValueSchema;
  /** The schema prepares a column for it: no index of the field is needed. */
  readonly prepared?: boolean;
  /** Coerces and checks its value. */
  readonly rule: (value: unknown, param: string) => Checked;
  /** The condition for a value that the rule has accepted. Throws ResourceError for a text that is too long. */
  condition(value: any, op: Operation, name: string): Predicate;
}

/** A parsed request in the language, without the parameters of its resource. */
export interface QueryRequest {
  /** Conditions as sent, by name of a field or `or`, `and`. */
  readonly conditions?: Readonly<Record<string, unknown>>;
  readonly order?: readonly SortKey[];
  /** Paths of references, each as its names. */
  readonly expand?: readonly (readonly string[])[];
  readonly aggregate?: AggregateRequest;
  /** The cursor as sent; empty for the first page. */
  readonly cursor?: string;
  /** The total is not needed. */
  readonly uncounted?: boolean;
}

/** One key of an order. */
export interface SortKey {
  readonly name: string;
  readonly direction: 'asc' | 'desc';
}

/** What is computed from the rows of a list. */
export interface AggregateRequest {
  readonly values: readonly { readonly name: AggregateFunction; readonly field?: string }[];
  readonly group: readonly string[];
}

/** A saved query. */
export interface SavedView {
  readonly name: string;
  /** Conditions as a request would send them; `$me` is the caller, `{now: '-7d'}` seven days ago. */
  readonly where: Readonly<Record<string, unknown>>;
  readonly order?: readonly SortKey[];
  /** Members of its items; absent: all. */
  readonly fields?: ReadonlySet<string>;
  /** Who may use it, and for which rows, besides the permissions of the list. */
  readonly needs?: RuleModel;
}

/** Default operators of a text and of a list, inside groups. */
export const SHORTHANDS = ['eq', 'in'] as const;

export const AGGREGATE_FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max'] as const;
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number];

/** Names of the language among the parameters of a list. */
export const QUERY_WORDS = ['or', 'and', 'expand', 'aggregate', 'group', 'cursor'] as const;
export type QueryWord = (typeof QUERY_WORDS)[number];

/** The only one that single items take too. */
export const EXPAND: QueryWord = 'expand';
/** The parameter that names a page by what comes before it. */
export const CURSOR: QueryWord = 'cursor';

const WORDS: ReadonlySet<string> = new Set(QUERY_WORDS);

/** Whether a parameter belongs to the language of a resource. */
export function isQueryParameter(model: ResourceModel, name: string, value: unknown): boolean {
  const { query } = model;
  if (!query) return false;
  if (WORDS.has(name)) return !query.taken.has(name);
  const field = query.fields.get(name);
  if (!field || !isConditions(value) || takesObjects(model, name)) return false;
  if (!model.listParams.has(name)) return true;
  // A parameter of the resource itself still rejects objects without an operator.
  const isMeant = (key: string) => field.operators.has(key) || field.missing.has(key) || isConditions(value[key]);
  return Object.keys(value).some(isMeant);
}

/** The parameter of orders, which takes more in lists with the language. */
export const ORDER = 'orderby';

/** Several sort keys, or one with a sign. */
export function isSortList(value: unknown): value is string {
  return typeof value === 'string' && /^[+ -]|,/.test(value);
}

/** Whether a value has members that are not positions of a list: `price[gte]=5`. */
export function isConditions(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).some((key) => !/^\d*$/.test(key));
}

/** Whether a parameter of the resource itself has objects as values. */
export function takesObjects(model: ResourceModel, name: string): boolean {
  const type = model.listParams.get(name)?.arg.type;
  return type !== undefined && [type].flat().includes('object');
}
