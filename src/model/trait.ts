// Interface of traits. Each implementation is one file or folder in traits/, listed in a registry.
import type { ResourceModel } from './model.js';
import type { ActionModel, Audit, Hooks } from './hooks.js';
import type { Adoption, Faces, TaskModel } from './faces.js';
import type { OperationKind, ResourceSchema, Scalar } from './schema/schema.js';
import type { ValueSchema } from './schema/value-schema.js';
import type { Refusal } from './permissions.js';
import type { OptionCheck } from './option-check.js';

/** Codes of refusals, by the operations that are refused with them. */
export type RefusalCodes = Partial<Record<OperationKind, readonly Refusal[]>>;

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
  /** Rules that it evaluates for the items that its resource refers to. */
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
  /** Its background tasks, by name; of several traits with a task of the same name, one runs it. */
  tasks?(model: ResourceModel, options: Options): Record<string, TaskModel>;
  /** Columns that its present hook reads. */
  reads?(model: ResourceModel, options: Options): string[];
  /** Members beginning with `#` that its present hook adds to rows, for the condition `when` of links. */
  rowMembers?: readonly string[];
  /** Adjusts compiled models once all are linked (indexes, links). */
  link?(model: ResourceModel, options: Options): void;
  /** Actions on an item, bound as POST <item>/<name>. */
  actions?(model: ResourceModel, options: Options): Record<string, ActionModel>;
  /** Its work on items that existed before the trait was added; absent: there is none. */
  adopt?(model: ResourceModel, options: Options): Adoption;
  /** Finds stored data that contradicts the trait. */
  audit?(model: ResourceModel, options: Options): Audit;
  /**
   * Creations and updates of its resources may run concurrently with other transactions: its hooks lock what they
   * decide about, beyond the item itself and what it refers to, with `tx.lock` or `tx.alone`.
   */
  sideBySide?: true;
  /** Singletons may have it: it does not depend on the creation of an item. */
  singletons?: true;
  /** Operations that its hook of `authorize` looks at; absent: all. */
  authorizes?: readonly OperationKind[];
  /** Codes of the refusals that it adds to operations, for their description. */
  codes?: RefusalCodes | ((model: ResourceModel, options: Options) => RefusalCodes);
  /** Hooks that it runs in the phases of an operation. */
  hooks?(model: ResourceModel, options: Options): Partial<Hooks>;
}
