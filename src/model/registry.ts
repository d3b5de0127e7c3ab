// Interfaces of field types, filters, functions and pipelines. Each implementation is one file in its folder, listed in a
// registry.
import type { Refusal } from './permissions.js';
import type { ResourceModel } from './model.js';
import type { AggregateModel, RelatedModel, ViewScope } from './shown.js';
import type { GroupModel, ListPlan } from './list.js';
import type { Operation } from './operation.js';
import type { Row } from './query.js';
import type { ParamSchema } from './schema/schema.js';
import type { ValueSchema } from './schema/value-schema.js';
import type { FieldSchema } from './schema/field-schema.js';
import type { FieldModel } from './field.js';
import type { OptionCheck, Report } from './option-check.js';

/** A field type: one file in fields/. */
export interface FieldType {
  name: string;
  description: string;
  /** The built-in type that it behaves like wherever types are told apart: filters, orders, searches, keys, rules. */
  basedOn?: string;
  /** Keys of FieldSchema it takes beyond the common ones, as JSON Schema, for the published grammar. */
  keys: Record<string, ValueSchema>;
  /** It takes no keywords of JSON Schema but the common ones and those in `keys`. */
  ownKeywords?: true;
  /** Its values are never null: `null` counts as not sent, whatever the schema says. */
  neverNull?: true;
  /** JSON Schema of a value of this field, contexts of members included. */
  value(field: FieldSchema): ValueSchema;
  /** Fills the parts of the model that depend on the type: columns, conversion on read and write. */
  compile(field: FieldModel, owner: { table: string; resource: string }): void;
  /** Resolves targets, after all resources are compiled. */
  link?(field: FieldModel, model: ResourceModel): void;
}

/** A way in which a parameter narrows a list: one file in filters/. */
export interface Filter {
  name: string;
  description: string;
  /** JSON type of the parameter, unless the schema declares another. */
  value: ValueSchema;
  /** The same where it depends on the field. */
  valueFor?(field: FieldSchema): ValueSchema;
  /** JSON Schema properties of `options`; without it the filter has none. */
  options?: Record<string, ValueSchema>;
  /** Ending of the name of a parameter that `filterable` of a field makes; default `_<name>`. */
  ending?: string;
  /** Keys of such a parameter, by its field. */
  keysFor?(field: FieldSchema): ParamSchema;
  /** Keys of a parameter that only some filters accept. */
  keys?: readonly ('resource' | 'function')[];
  /** Its value is one of the field, or a list of them. */
  compares?: boolean;
  /** Matches the folded text of its field, which needs a column. */
  folded?: boolean;
  /** Its values have a format of their own, for which there is no sample. */
  opaque?: boolean;
  /** Longest text that it looks for, unless the parameter has a `maxLength`. */
  longest?: number;
  /** Codes of what it refuses, besides values of the wrong type. */
  codes?(param: ParamSchema & { name: string }, model: ResourceModel): Refusal[];
  /** How the lists of several ids are read together. */
  groups?(param: ParamSchema & { name: string }, model: ResourceModel): GroupModel | undefined;
  /** Called at start; the result runs per request. */
  compile(
    param: ParamSchema & { name: string },
    model: ResourceModel,
    report: Report,
  ): ((value: any, plan: ListPlan, op: Operation) => Promise<void> | void) | undefined;
}

/** A registered function of a `computed` field. */
export interface ComputedFunction {
  name: string;
  description: string;
  returns: ValueSchema;
  /** The same where it depends on the options and on the fields that they name. */
  returnsFor?(options: Record<string, unknown>, model: ResourceModel): ValueSchema;
  /** JSON Schema properties of its options. */
  options: Record<string, ValueSchema>;
  /** Checks the names in the options. */
  check?(check: OptionCheck, options: Record<string, unknown>): void;
  /** Columns of the row that it reads. */
  reads(options: Record<string, unknown>, model: ResourceModel): string[];
  /** Those of them whose values can be inferred from the result. */
  shows?(options: Record<string, unknown>): string[];
  /** The permalink of the item: its public URL. */
  permalink?: boolean;
  /** Whether it shows all capabilities of an account, as members that are true. */
  grants?(options: Record<string, unknown>): boolean;
  /** What it needs of the rows that refer to an item. */
  aggregates?(options: Record<string, unknown>, model: ResourceModel): AggregateModel[];
  /** To-many fields of the resource that it reads. */
  relations?(options: Record<string, unknown>): string[];
  /** Rows of other tables that it needs. */
  related?(options: Record<string, unknown>, model: ResourceModel): RelatedModel[];
  compile(options: Record<string, unknown>, model: ResourceModel): (row: Row, scope: ViewScope) => unknown;
}

/** A text pipeline of `rendered` fields: sanitizing and rendering of one kind of text. All functions are pure. */
export interface Pipeline {
  /** Sanitizes text of writers without `unfiltered_html`. */
  readonly filter: (raw: string) => string;
  /** Trims white space at both ends, for all writers. */
  readonly trims?: boolean;
  /** Renders the raw text to HTML; `from` is the text of the field that replaces an empty one. */
  readonly render: (raw: string, from: string) => string;
  /** Whether the text contains block markup; absent for pipelines that do not detect it. */
  blocks?(raw: string): boolean;
}
