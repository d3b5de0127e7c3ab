// What field types, traits, filters and functions are made of. One file each in their rooms; the registries list them.
import type {
  ActionModel,
  Audit,
  FieldModel,
  Hooks,
  ListPlan,
  RelatedModel,
  ResourceModel,
  ViewScope,
} from './model.js';
import type { Operation } from './operation.js';
import type { Row } from './query.js';
import type { FieldSchema, ParamSchema, ResourceSchema, ValueSchema } from './schema.js';

/** Tells the compiler what is wrong: a path below the schema file, the message, a hint. */
export type Report = (path: (string | number)[], message: string, hint?: string) => void;

/** A kind of value: one file in fields/. */
export interface FieldType {
  name: string;
  description: string;
  /** Keys of FieldSchema it takes beyond the common ones, as JSON Schema, for the published grammar. */
  keys: Record<string, ValueSchema>;
  /** JSON Schema of a value of this field, contexts of members included. */
  value(field: FieldSchema): ValueSchema;
  /** Problems that only this type can see. */
  check?(field: FieldSchema, path: (string | number)[], report: Report): void;
  /** Fills the parts of the model that belong to the type: columns, in and out. */
  compile(field: FieldModel, owner: { table: string; resource: string }): void;
  /** After all resources are compiled: resolve targets. */
  link?(field: FieldModel, model: ResourceModel): void;
}

/** A behaviour: one file in traits/. */
export interface Trait<Options = any> {
  name: string;
  description: string;
  /** JSON Schema properties of its options. */
  options: Record<string, ValueSchema>;
  /** Adds fields, params, rules and links to the written schema. */
  extend?(schema: ResourceSchema, options: Options, report: Report): void;
  /** Columns its present hook reads. */
  reads?(model: ResourceModel, options: Options): string[];
  /** Adjusts compiled models once all are linked (indexes, links of its own). */
  link?(model: ResourceModel, options: Options): void;
  /** Further things to do with an item, bound as POST <item>/<name>. */
  actions?(model: ResourceModel, options: Options): Record<string, ActionModel>;
  /** Looks for stored data that contradicts the trait. */
  audit?(model: ResourceModel, options: Options): Audit;
  /** What it does at run time. */
  hooks?(model: ResourceModel, options: Options): Partial<Hooks>;
}

/** A way a list parameter narrows a list: one file in filters/. */
export interface Filter {
  name: string;
  description: string;
  /** JSON type of the parameter unless the schema says otherwise. */
  value: ValueSchema;
  /** Made at boot; the result runs per request. */
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
  /** Columns it reads of the own row. */
  reads(options: Record<string, unknown>, model: ResourceModel): string[];
  /** Rows of other tables it needs. */
  related?(options: Record<string, unknown>, model: ResourceModel): RelatedModel[];
  compile(options: Record<string, unknown>, model: ResourceModel): (row: Row, scope: ViewScope) => unknown;
}
