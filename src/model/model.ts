// The compiled form of a resource: defaults filled, traits applied, links resolved, frozen.
import type { Operation, View, Withheld } from './operation.js';
import type { Actor } from './actor.js';
import type { Additions } from './registered.js';
import type { Adoption, Faces, TaskModel } from './faces.js';
import type { Aggregate, OrderKey, Predicate, Row } from './query.js';
import type {
  Context,
  FieldSchema,
  LinkSchema,
  OperationKind,
  ParamSchema,
  ResourceSchema,
  Scalar,
  ValueSchema,
} from './schema.js';
import type { QueryModel, SavedView } from './query-language.js';
import type { Site, SiteSettings } from './site.js';
import type { Reader, Transaction } from './store.js';
import type { TextWork } from './texts.js';
import type { Rule as ValueRule } from './value.js';

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

/** What a field needs to present a value. */
export interface ViewScope {
  op: Operation;
  context: Context;
  site: Site;
  /** What the caller may not see of the rows; absent: nothing is left out. */
  withheld?: Withheld | undefined;
}

/** Rights on a field, or on a member of one, beside those on the item. */
export interface RightModel {
  /** Names from the field to the member; members of listed objects as if there were one object. */
  path: readonly string[];
  /** The same with dots: `lines.price`. */
  name: string;
  /** Rows in which a caller sees it; absent: all. */
  read?: RuleModel;
  /** Rows in which a caller may set it; absent: all. */
  write?: RuleModel;
  /** Members with rights of their own, or with such members. */
  members?: ReadonlyMap<string, RightModel>;
}

/** Rights on the fields of a resource. */
export interface RightsModel {
  /** By field. */
  fields: ReadonlyMap<string, RightModel>;
  /** Every one with a rule for reading, members included. */
  read: readonly RightModel[];
  /** Every one with a rule for writing, members included. */
  write: readonly RightModel[];
}

/** Makes a value in the form that a client would send. */
export type Generator = (op: Operation) => Scalar;

/** What is worked out of the rows of another table that refer to an item, as far as a caller may read them. */
export interface AggregateModel {
  /** Member of a row that receives the value: a number of rows, or what `Reader.aggregateBy` gives; absent without rows. */
  slot: string;
  table: string;
  /** Column with the id of the item. */
  column: string;
  where: RuleModel;
  /** Absent: the rows are counted. */
  of?: Aggregate;
}

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

/** Rows to load for the ids found in `column`; `onward` loads further rows for those. */
export interface RelatedModel {
  column: string;
  table: string;
  columns: readonly string[];
  onward?: readonly RelatedModel[];
}

/** A compiled meta key. */
export interface MetaKeyModel {
  key: string;
  name: string;
  single: boolean;
  hidden: boolean;
  default: unknown;
  rule: ValueRule;
  json: ValueSchema;
  needs?: RuleModel;
  structured: boolean;
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

/** Maps a caller to the predicate of the rows the caller may access. */
export type RuleModel = (actor: Actor) => Predicate;

/** A compiled check of an operation. */
export interface PolicyStep {
  field?: readonly string[];
  param?: string;
  in?: readonly Scalar[];
  notIn?: readonly Scalar[];
  notSelf?: boolean;
  changed?: boolean;
  needs: RuleModel;
  error: string;
  keepAllow: boolean;
  asParameterError: boolean;
}

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
  /** Its values have a form of their own, which no sample stands for. */
  opaque?: boolean;
  /** Narrows the query. */
  filter?(value: any, plan: ListPlan, op: Operation): Promise<void> | void;
  /** How the lists of several ids are read together; absent: each by itself. */
  groups?: GroupModel;
}

/** The lists that a parameter makes for several ids, read together. */
export type GroupModel =
  /** Each row belongs to the id in its column; the parameter takes a list of ids. */
  | { column: string }
  /** Rows belong to the ids that stand beside theirs in a table of pairs. */
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
  /** Order that a filter asks for in place of the parameters of the list. */
  ownOrder?: OrderKey[];
  /** Where a page begins that a cursor names, in parts that follow one another: not part of the total. */
  after?: readonly Predicate[];
  /** A trait has put the condition of who may read into `where`: the rule `read` is not applied. */
  readDecided?: boolean;
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

/** An action on an item: an update of another item, with that item's permissions and errors. */
export interface ActionModel {
  description: string;
  /** The item to update and the values to write. */
  target(row: Row): { model: ResourceModel; id: number; values: Record<string, unknown> };
}

/** What the code of an action gets. */
export interface OwnActionCall {
  /** The stored row of the item; absent for an action on the collection. */
  row: Row | undefined;
  /** The body, checked. */
  values: Record<string, unknown>;
  op: Operation;
  tx: Transaction;
}

/** An action of an extension: code that runs in one transaction, on an item or on the collection. */
export interface OwnActionModel {
  name: string;
  description: string;
  on: 'item' | 'collection';
  /** Members of its body. */
  params: ReadonlyMap<string, ParamModel>;
  /** Who may do it, beside reading the item. */
  needs: RuleModel;
  /** Code of the error for others. */
  error: string;
  /** JSON Schema of its answer; absent: the item as it is afterwards, or nothing. */
  returns?: ValueSchema;
  /** The answer; undefined for the item as it is afterwards. `call` is what the assembly adds to it. */
  run(call: OwnActionCall): unknown;
}

/** An inconsistency in the stored data, with its repair where that is possible. */
export interface AuditFinding {
  message: string;
  fix?(tx: Transaction): Promise<void>;
}

/** Finds inconsistencies in the data of one resource. */
export type Audit = (reader: Reader) => Promise<AuditFinding[]>;

/** Hooks of the phases, in the order of the traits. */
export interface Hooks {
  /** Slow non-SQL work, done before the transaction of a write. */
  prepare(op: Operation): Promise<void> | void;
  authorize(op: Operation, current?: Row): Promise<void> | void;
  scope(plan: ListPlan, op: Operation): Promise<void> | void;
  input(draft: Draft, op: Operation, current?: Row): Promise<void> | void;
  saved(row: Row, op: Operation, previous?: Row): Promise<void> | void;
  /** The item to delete does not exist: may throw a more specific error than the default. */
  missing(op: Operation): Promise<void> | void;
  remove(row: Row, op: Operation): Promise<boolean | void> | boolean | void;
  removed(row: Row, op: Operation): Promise<void> | void;
  present(views: View[], rows: Row[], op: Operation): Promise<void> | void;
}

export type Phase = keyof Hooks;
export const PHASES: readonly Phase[] = [
  'prepare',
  'authorize',
  'scope',
  'input',
  'saved',
  'missing',
  'remove',
  'removed',
  'present',
];

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
  /** Field shown as the URL; without one it is the address of the item in the API. */
  url?: FieldModel;
}

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
