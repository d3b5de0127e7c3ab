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

/** A place below the options that are checked. */
export type Place = (string | number)[];

/**
 * What traits and computed functions ask about the names in their options, once every trait has extended its schema.
 * Each miss is reported where it stands in the file, with the nearest right name; a name that an option left to its
 * default is reported at the options as a whole.
 */
export interface OptionCheck {
  /** The resource, as its traits left it. */
  readonly schema: ResourceSchema;
  /** Every resource of the site. */
  readonly resources: ReadonlyMap<string, ResourceSchema>;
  /** The field of that name, if it is of one of the types; without types any that keeps one value in a column. */
  field(at: Place, name: string, types?: readonly string[], owner?: ResourceSchema): FieldSchema | undefined;
  /** A field of our own that is read by its name: no other type and no other column will do. */
  own(name: string, types: readonly string[], hint?: string): FieldSchema | undefined;
  /** A reference field that leads to this resource. */
  referenceTo(at: Place, name: string, target: ResourceSchema, owner?: ResourceSchema): void;
  /** A reference field that leads to accounts. */
  referenceToAccounts(at: Place, name: string): void;
  /** A column of the table of a resource. */
  column(at: Place, name: string, owner?: ResourceSchema): void;
  /** The resource of that name, if it has a table. */
  resource(at: Place, name: string): ResourceSchema | undefined;
  /** A rule of this resource. */
  rule(at: Place, name: string): void;
  /** Words that a field of our own must know, where it has an `enum`. */
  words(at: Place, words: readonly string[], field: string): void;
  /** Another trait that this one relies on. */
  needs(trait: string, reason: string): void;
  /** Traits that must stand before this one, where they are used. */
  follows(traits: readonly string[], reason: string): void;
  /** Resources that a reference field leads to. */
  targets(field: FieldSchema | undefined): ResourceSchema[];
  /** Whether two resources keep their rows in one table. */
  sameTable(one: ResourceSchema, other: ResourceSchema): boolean;
  fail(at: Place, message: string, hint?: string): void;
}

/** A kind of value: one file in fields/. */
export interface FieldType {
  name: string;
  description: string;
  /** Keys of FieldSchema it takes beyond the common ones, as JSON Schema, for the published grammar. */
  keys: Record<string, ValueSchema>;
  /** JSON Schema of a value of this field, contexts of members included. */
  value(field: FieldSchema): ValueSchema;
  /** Fills the parts of the model that belong to the type: columns, in and out. */
  compile(field: FieldModel, owner: { table: string; resource: string }): void;
  /** After all resources are compiled: resolve targets. */
  link?(field: FieldModel, model: ResourceModel): void;
}

/** A behaviour: one file in traits/. */
export interface Trait<Options = any> {
  name: string;
  description: string;
  /** JSON Schema properties of its options. The formats `rule`, `code`, `capability` and `ending` (of capabilities) stand for definitions of the grammar. */
  options: Record<string, ValueSchema>;
  /** Whether the names in the options exist, and what else must be there. */
  check?(check: OptionCheck, options: Options): void;
  /** Parameters of lists that it reads. */
  params?(options: Options): string[];
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
  /** The same where it depends on the field. */
  valueFor?(field: FieldSchema): ValueSchema;
  /** JSON Schema properties of `options`; none are taken without. */
  options?: Record<string, ValueSchema>;
  /** Keys of a parameter that only some filters take. */
  keys?: readonly ('resource' | 'function')[];
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
  /** JSON Schema properties of its options. */
  options: Record<string, ValueSchema>;
  /** Whether the names in the options exist. */
  check?(check: OptionCheck, options: Record<string, unknown>): void;
  /** Columns it reads of the own row. */
  reads(options: Record<string, unknown>, model: ResourceModel): string[];
  /** Rows of other tables it needs. */
  related?(options: Record<string, unknown>, model: ResourceModel): RelatedModel[];
  compile(options: Record<string, unknown>, model: ResourceModel): (row: Row, scope: ViewScope) => unknown;
}
