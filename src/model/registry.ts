// Interfaces of field types, traits, filters and functions. Each implementation is one file in its folder, listed in a
// registry.
import type { FieldModel, ResourceModel } from './model.js';
import type { AggregateModel, RelatedModel, ViewScope } from './shown.js';
import type { GroupModel, ListPlan } from './list.js';
import type { ActionModel, Audit, Hooks } from './hooks.js';
import type { Adoption, Faces, TaskModel } from './faces.js';
import type { Operation } from './operation.js';
import type { Row } from './query.js';
import type { FieldSchema, OperationKind, ParamSchema, ResourceSchema, Scalar, ValueSchema } from './schema.js';

/** Reports a problem to the compiler: the path inside the schema file, the message, a hint. */
export type Report = (path: (string | number)[], message: string, hint?: string) => void;

/** A path inside the options that are checked. */
export type Place = (string | number)[];

/**
 * Checks of the names that traits and computed functions find in their options, made once every trait has extended its
 * schema. Each unknown name is reported at its place in the file, with the nearest known name; a name that comes from a
 * default of an option is reported at the options as a whole.
 */
export interface OptionCheck {
  /** The resource, as extended by its traits. */
  readonly schema: ResourceSchema;
  /** Every resource of the site. */
  readonly resources: ReadonlyMap<string, ResourceSchema>;
  /** The field of that name if it has one of the types; without types, any field that stores one value in a column. */
  field(at: Place, name: string, types?: readonly string[], owner?: ResourceSchema): FieldSchema | undefined;
  /** A field of this resource that the trait accesses by a fixed name: type and column must match. */
  own(name: string, types: readonly string[], hint?: string): FieldSchema | undefined;
  /** A reference field whose target is this resource. */
  referenceTo(at: Place, name: string, target: ResourceSchema, owner?: ResourceSchema): void;
  /** A reference field whose target is accounts. */
  referenceToAccounts(at: Place, name: string): void;
  /** A column of the table of a resource. */
  column(at: Place, name: string, owner?: ResourceSchema): void;
  /** The resource of that name, if it has a table. */
  resource(at: Place, name: string): ResourceSchema | undefined;
  /** A rule of this resource. */
  rule(at: Place, name: string): void;
  /** A value that a column of a table is compared with, which must be one that some resource of the table can have. */
  compared(at: Place, column: string, value: Scalar, owner?: ResourceSchema): void;
  /** Values that a field of this resource must allow, where it has an `enum`. */
  words(at: Place, words: readonly string[], field: string): void;
  /** The resource with the accounts of the site. */
  accounts(): ResourceSchema | undefined;
  /** Another trait that this one requires. */
  needs(trait: string, reason: string): void;
  /** Target resources of a reference field. */
  targets(field: FieldSchema | undefined): ResourceSchema[];
  /** Whether two resources are stored in the same table. */
  sameTable(one: ResourceSchema, other: ResourceSchema): boolean;
  fail(at: Place, message: string, hint?: string): void;
}

/** A field type: one file in fields/. */
export interface FieldType {
  name: string;
  description: string;
  /** Keys of FieldSchema it takes beyond the common ones, as JSON Schema, for the published grammar. */
  keys: Record<string, ValueSchema>;
  /** It takes no keywords of JSON Schema but the common ones and those in `keys`. */
  ownKeywords?: true;
  /** JSON Schema of a value of this field, contexts of members included. */
  value(field: FieldSchema): ValueSchema;
  /** Fills the parts of the model that depend on the type: columns, conversion on read and write. */
  compile(field: FieldModel, owner: { table: string; resource: string }): void;
  /** Resolves targets, after all resources are compiled. */
  link?(field: FieldModel, model: ResourceModel): void;
}

/** A behaviour: one file in traits/. */
export interface Trait<Options = any> {
  name: string;
  description: string;
  /**
   * JSON Schema properties of its options. The formats `rule`, `code`, `capability` and `ending` (suffix of
   * capabilities) stand for definitions of the grammar.
   */
  options: Record<string, ValueSchema>;
  /**
   * Traits that extend the schema and whose hooks run before those of this one, where a resource has both. Other traits
   * keep the order of the schema file: nothing may depend on it.
   */
  after?: readonly string[];
  /** Checks the names in the options and other requirements. */
  check?(check: OptionCheck, options: Options): void;
  /** List parameters that it reads. */
  params?(options: Options): string[];
  /** Every value that it gives to a field, or understands in a list parameter, where no `enum` names them. */
  values?(options: Options): { fields?: Record<string, readonly Scalar[]>; params?: Record<string, readonly Scalar[]> };
  /** Rules that it asks of the items which references of its resource lead to. */
  asks?: readonly string[];
  /** Adds fields, params, rules and links to the written schema; `settled` has the fields that other traits settle. */
  extend?(schema: ResourceSchema, options: Options, settled: ReadonlySet<string>): void;
  /**
   * Its resources hold the accounts of the site: no preset opens them, and they are not seeded. `standIn` makes the
   * resource of that name for a site without one.
   */
  accounts?: { standIn(name: string): ResourceSchema };
  /** Fields whose definition is complete as this trait gives it: other traits add no values to them. */
  settles?: readonly string[];
  /** Parameters that may open an item to a caller, such as its password. */
  opens?: readonly string[];
  /** What it offers to the engine and to other traits. */
  faces?(model: ResourceModel, options: Options): Faces;
  /** Work that it does beside requests, by name; of traits that name the same work one does it. */
  tasks?(model: ResourceModel, options: Options): Record<string, TaskModel>;
  /** Columns that its present hook reads. */
  reads?(model: ResourceModel, options: Options): string[];
  /** Members beginning with `#` that its present hook adds to rows, for the condition `when` of links. */
  rowMembers?: readonly string[];
  /** Adjusts compiled models once all are linked (indexes, links). */
  link?(model: ResourceModel, options: Options): void;
  /** Actions on an item, bound as POST <item>/<name>. */
  actions?(model: ResourceModel, options: Options): Record<string, ActionModel>;
  /** Its work on items that were there before the resource had it; without it there is nothing to work out. */
  adopt?(model: ResourceModel, options: Options): Adoption;
  /** Finds stored data that contradicts the trait. */
  audit?(model: ResourceModel, options: Options): Audit;
  /**
   * Creations and updates of its resources may run side by side with other transactions: its hooks lock what they decide
   * about, beyond the item itself and what it refers to, with `tx.lock` or `tx.alone`.
   */
  sideBySide?: true;
  /** Singletons may have it: it needs no item that is created. */
  singletons?: true;
  /** Operations that its hook of `authorize` looks at; absent: all. */
  authorizes?: readonly OperationKind[];
  /** Hooks that it runs in the phases of an operation. */
  hooks?(model: ResourceModel, options: Options): Partial<Hooks>;
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
  /** Its values have a form of their own, which no sample stands for. */
  opaque?: boolean;
  /** How the lists of several ids are read together. */
  groups?(param: ParamSchema & { name: string }, model: ResourceModel): GroupModel | undefined;
  /** Called at boot; the result runs per request. */
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
  /** The public address of the item. */
  address?: boolean;
  /** Whether it shows all capabilities of an account, as an object of true. */
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
