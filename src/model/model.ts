// The compiled form of a resource: defaults filled, traits applied, links resolved, frozen.
import type { Operation } from './operation.js';
import type { Additions } from './registered.js';
import type { Adoption, Faces, TaskModel } from './faces.js';
import type { Predicate, Row } from './query.js';
import type { Context, FieldSchema, OperationKind, ResourceSchema, Scalar, ValueSchema } from './schema.js';
import type { QueryModel, SavedView } from './query-language.js';
import type { SiteSettings } from './site.js';
import type { TextWork } from './runtime/texts.js';
import type { Rule as ValueRule } from './value.js';
import type { RightsModel, RuleModel, PolicyStep } from './permissions.js';
import type { ActionModel, OwnActionModel, Audit, Hooks, Phase } from './hooks.js';
import type { ParamModel, ListModel, FoundModel } from './list.js';
import type { ViewScope, AggregateModel, RelatedModel, LinkModel, MetaKeyModel } from './shown.js';

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
  /** A schema declares it and does not say what it was before: a column that is left over may be its former one. */
  asks?: boolean;
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
  /** Column holds keys compared byte by byte (slugs, logins). */
  binary?: boolean;
  /** Table whose ids it holds; 0 for none. */
  references?: string;
}

/** An index over columns, in order. */
export interface IndexModel {
  name: string;
  columns: string[];
  unique?: boolean;
  /** Full-text index over folded text. */
  fulltext?: boolean;
  /**
   * Of a full-text index, for the rows that have the values of `where`: columns whose lower-cased texts, joined by line
   * breaks, an empty text of the indexed column stands for, where the store has `lowersTexts`.
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
  column: string;
}

/** A table, with the columns of every resource that shares it. */
export interface TableModel {
  name: string;
  columns: Map<string, ColumnModel>;
  indexes: Map<string, IndexModel>;
  /** Groups of columns for whose value combinations row counts are maintained. */
  counted: string[];
  /** Numbers of rows that rows of other tables keep. */
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
  asks?: boolean;
  /** Rows say how far values were worked out; deleted when values are moved by a migration. */
  progress?: boolean;
  /** Has at most one row per resource: all of it is read at once. */
  small?: boolean;
  /** Previous name of a join table whose field was renamed. */
  renamedFrom?: string;
  /** Set on a join table: the table of the owning items, and the column that a single-valued field would have there. */
  pairsOf?: { table: string; column: string; where: Readonly<Record<string, Scalar>> };
}

/** Makes a value in the form that a client would send. */
export type Generator = (op: Operation) => Scalar;

/** Fields whose values no two items share, and the column that keeps them apart. */
export interface UniqueModel {
  column: string;
  fields: readonly FieldModel[];
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
  /** Rules for reading the field or a member of it: whoever asks about its value must satisfy all of them. */
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
  /** Worked out of rows of other tables for `toView`, each by one statement per response. */
  aggregates?: readonly AggregateModel[];
  /** Its value has all capabilities of an account, as an object of true. */
  grants?: boolean;
  /** Some items do not have it. */
  sometimes?: boolean;
  /** Its value is the public address of the item. */
  address?: boolean;
  /** Column to sort by. */
  sortColumn?: string;
  /** Folded column that `search` matches. */
  searchColumn?: string;
  /** Validation and coercion of a value from a client. */
  rule: ValueRule;
  /** The same for new items, which have no stored value that could permit the value sent. */
  createRule?: ValueRule;
  /** Rows in which a condition may look at its value, where that is fewer than those that show the field. */
  opened?: RuleModel;
  /** JSON Schema of the value, contexts of members included. */
  json: ValueSchema & { context?: Context[]; readonly?: boolean };
  /** JSON Schema as a body argument. */
  arg: ValueSchema;
  /** What fills it on create when nothing is sent, and at every update. */
  generates?: { create?: Generator; update?: Generator };
  /** Value on create when none was sent; undefined: the default of the column. */
  defaultValue?: unknown;
  /** Setting that is the default, where a resource changes it while the site runs. */
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
  /** To-many relation: its join table with `owner_id` and a value column. */
  many?: { table: string; value: 'target_id' | 'value'; target?: ResourceModel };
  /** Targets of a `reference`. */
  targets?: ResourceModel[];
  /** Registered meta keys. */
  meta?: { table: string; keys: MetaKeyModel[] };
}

/** A pending change: the values sent, the columns to write, the relations to replace. */
export interface Draft {
  /** Coerced values sent by the client, by field name. */
  values: Record<string, unknown>;
  /** Columns to write. */
  row: Row;
  /** To-many relations to replace, by field name. */
  many: Record<string, Scalar[]>;
  /** Meta keys to write, by field name. */
  meta: Record<string, Record<string, unknown>>;
}

/** Computes columns of a draft from others of it; of the operation it knows how large texts are processed. */
export type Derive = (draft: Draft, texts: TextWork, current?: Row) => void;

/** Id of the only item of a singleton. */
export const SINGLE_ID = 1;

/** A compiled resource. */
export interface ResourceModel {
  name: string;
  /** Beginning of the names of its types in documents and code: `BookLoan` of `book-loan`; no two resources have one. */
  typeName: string;
  description: string;
  labels: { singular: string; plural: string };
  schema: ResourceSchema;
  /** Path segments below the namespace: `/posts`, `/posts/:parent_id/revisions`. */
  route: string;
  /** Last path segment. */
  path: string;
  parent?: {
    model: ResourceModel;
    param: string;
    field: FieldModel;
    notFound: string;
    mismatch?: string;
    /**
     * Hides items from callers who may not retrieve the parent: the parent is checked before (`first`) or after
     * (`last`) the resource's own rules.
     */
    hides?: 'first' | 'last';
  };
  /** Nested resources whose items can be created together with one of this, by the member of its body. */
  owned?: ReadonlyMap<string, ResourceModel>;
  /** The list of its items across all parents: this model without a parent, for a route of its own. */
  across?: ResourceModel;
  /** Its saved queries, each this model with a list of its own. */
  views?: readonly ResourceModel[];
  /** The saved query that this list is. */
  view?: SavedView;
  /** The resource whose items such a list has: across all parents, or of a saved query. */
  listOf?: ResourceModel;
  operations: ReadonlySet<OperationKind>;
  /** It has one item, with the id `SINGLE_ID`, at the path of the resource. */
  singleton: boolean;
  /** Field that identifies an item in its path. */
  key: FieldModel;
  integerKey: boolean;
  table?: TableModel;
  static?: { name: string; rows: readonly Record<string, unknown>[] };
  /** Its items are results: items of other resources that were found. */
  found?: FoundModel;
  /** Constant columns that mark the resource's rows in a shared table. */
  discriminator: Readonly<Record<string, Scalar>>;
  /** Rows with these constants. */
  rowScope: Predicate;
  fields: ReadonlyMap<string, FieldModel>;
  uniques: readonly UniqueModel[];
  /** Rules between fields, checked on every row that a client writes. */
  checks: readonly { rule: RuleModel; message: string; fields: readonly string[] }[];
  contexts: readonly Context[];
  defaultContext: Context;
  list: ListModel;
  listParams: ReadonlyMap<string, ParamModel>;
  /** The query language of its lists; absent where there is none. */
  query?: QueryModel;
  /** Those of them that filter, in the order in which they are applied. */
  filterParams: readonly ParamModel[];
  itemParams: ReadonlyMap<string, ParamModel>;
  deleteParams: ReadonlyMap<string, ParamModel>;
  search?: {
    columns: readonly string[];
    mode: 'terms' | 'phrase';
    /** Columns with values that are readable only in the context `edit`. */
    editors: readonly string[];
    /** Fields whose texts are combined in a column. */
    sources: ReadonlyMap<string, readonly FieldModel[]>;
    privileged?: { columns: readonly string[]; needs: RuleModel };
    /** Columns with values that only some callers may read, in some rows. */
    ruled?: readonly { column: string; guard: RuleModel }[];
  };
  traits: ReadonlyMap<string, Record<string, unknown>>;
  /** Completes a draft after values and input hooks: rendered texts, sort keys, search texts. */
  derive: readonly Derive[];
  /** What its traits offer to the engine and to other traits. */
  faces: Readonly<Faces>;
  /** Work of its traits beside requests, by name. */
  tasks: ReadonlyMap<string, TaskModel>;
  /** Parameters that may open an item to a caller; requests for what lies below it pass them on. */
  openings: readonly string[];
  /** The field with the public address of an item. */
  address?: FieldModel;
  hooks: Readonly<{ [P in Phase]: readonly { trait: string; run: Hooks[P]; kinds?: readonly OperationKind[] }[] }>;
  /** Audits contributed by its traits. */
  audits: readonly Audit[];
  /** What its traits do to items that were there before them, in the order of the traits. */
  adoptions: ReadonlyMap<string, Adoption>;
  /** Whether creations and updates may run side by side with others: all of its traits lock what they decide about. */
  sideBySide: boolean;
  /** Actions contributed by its traits, by name. */
  actions: ReadonlyMap<string, ActionModel>;
  /** Those of extensions. */
  ownActions: ReadonlyMap<string, OwnActionModel>;
  rules: ReadonlyMap<string, RuleModel>;
  /** Rights on single fields; absent where no field has any. */
  rights?: RightsModel;
  /** Rows of a list that the caller may read in the context `edit`. */
  editors: RuleModel;
  /** Whether the rule `edit` narrows lists in the context `edit`; not needed where it equals the rule `read`. */
  editNarrows: boolean;
  policy: Readonly<Record<OperationKind, readonly PolicyStep[]>>;
  links: readonly LinkModel[];
  listsItselfIn: Readonly<Record<string, Record<string, unknown>>>;
  seeds: readonly Record<string, unknown>[];
  errors: Readonly<Record<'notFound' | 'exists' | 'create' | 'update' | 'delete' | 'read' | 'context', string>>;
  batch: boolean;
  /** Columns to read per context: those of its fields, links and present hooks. */
  columns: Readonly<Record<Context, readonly string[]>>;
  /** All columns of the resource: what a write loads of the current row. */
  allColumns: readonly string[];
  /** Those of them that hold no text of any length: what permissions are decided by. */
  lightColumns: readonly string[];
  /** Columns that present hooks read, whichever fields were requested. */
  traitColumns: readonly string[];
  /** Columns by which most lists are narrowed. */
  partition: readonly string[];
  /** Models of the whole site, by name. */
  site: ModelSet;
}

/** Every compiled resource of a site. */
export interface ModelSet {
  /** Time zone of the site; follows its settings. */
  timezone?: string;
  /** What extensions have added to the registries that the models were compiled with. */
  additions?: Additions;
  readonly byName: ReadonlyMap<string, ResourceModel>;
  readonly tables: ReadonlyMap<string, TableModel>;
  /** Models that share a table, by table name. */
  readonly ofTable: ReadonlyMap<string, readonly ResourceModel[]>;
}
