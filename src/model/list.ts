// Compiled lists: their options and parameters, the plan of a query, and where found items come from.
import type { Refusal } from './permissions.js';
import type { Operation } from './operation.js';
import type { OrderKey, Predicate } from './query.js';
import type { ParamSchema, Scalar } from './schema/schema.js';
import type { Rule as ValueRule } from './value.js';
import type { RuleModel } from './permissions.js';
import type { ResourceModel } from './model.js';
import type { ValueSchema } from './schema/value-schema.js';
import type { FieldModel } from './field.js';

/** A compiled list, item or delete parameter. */
export interface ParamModel {
  name: string;
  schema: ParamSchema;
  rule: ValueRule;
  arg: ValueSchema;
  /**
   * Rows in which the caller may read the field that is filtered by; absent when unrestricted. Parameters whose
   * permission the schema declares itself have none.
   */
  guard?: RuleModel;
  /** Its values have a format of their own, for which there is no sample. */
  opaque?: boolean;
  /** Maximum length of a search text, where the schema of the parameter does not set one. */
  longest?: number;
  /** Narrows the query. */
  filter?(value: any, plan: ListPlan, op: Operation): Promise<void> | void;
  /** Codes of what it refuses, besides values of the wrong type. */
  codes?: readonly Refusal[];
  /** How the lists of several ids are read together; absent: each by itself. */
  groups?: GroupModel;
}

/** The lists that a parameter makes for several ids, read together. */
export type GroupModel =
  /** Each row belongs to the id in its column; the parameter takes a list of ids. */
  | { column: string }
  /** Rows belong to the ids that a table of pairs assigns to theirs. */
  | {
      table: string;
      /** Column of the pairs with the id of the row. */
      inner: string;
      /** Errors of the ids whose list the caller may not have. */
      refusals(ids: readonly number[], op: Operation): Promise<Map<number, Error>>;
    };

/** A list query under construction. */
export interface ListPlan {
  where: Predicate[];
  /** Columns restricted to known values, used to simplify rules. */
  known: Map<string, Scalar[]>;
  order: OrderKey[];
  limit?: number;
  offset: number;
  page: number;
  /** Order set by a filter in place of the parameters of the list. */
  ownOrder?: OrderKey[];
  /** Where the page of a cursor begins, in parts that follow one another; does not narrow the total. */
  after?: readonly Predicate[];
  /** A trait has already added the condition of the rule `read` to `where`, so that the rule is not applied again. */
  readDecided?: boolean;
}

/** List options, with defaults filled in. */
export interface ListModel {
  paginated: boolean;
  keyedBy?: string;
  perPage: number;
  maxPerPage: number;
  defaultOrder: 'asc' | 'desc';
  defaultOrderby: string;
  /** Orderings by name with their columns; special ones such as `include` and `relevance` have none. */
  orderings: ReadonlyMap<string, string | undefined>;
  /** Orderings by values that not every reader may read, with the rows in which a caller may read them. */
  orderingGuards: ReadonlyMap<string, RuleModel>;
  pageOutOfRange?: string;
  /** Members of parameters that links to other pages leave out, by parameter. */
  notInLinks?: ReadonlyMap<string, readonly string[]>;
  /** With `offset` the links to other pages start from it; else from `page`. */
  linksFromOffset: boolean;
}

/** Where results come from. */
export interface FoundModel {
  name: string;
  /** Groups of resources, by name, the default first. */
  types: ReadonlyMap<string, FoundType>;
  /** Link relations of an item that its result has, too. */
  links: readonly string[];
}

/** Resources that are searched together. */
export interface FoundType {
  /** Results show the subtype as their type. */
  subtypeAsType: boolean;
  sources: readonly FoundSource[];
}

/** A resource whose items are found. */
export interface FoundSource {
  model: ResourceModel;
  subtype: string;
  /** Field shown as the title. */
  title?: FieldModel;
  /** Field shown as the URL; without one it is the URL of the item in the API. */
  url?: FieldModel;
}
