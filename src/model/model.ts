// The compiled form of a resource: defaults filled, traits applied, links resolved, frozen. Made by schema/, looked up by everything else.
import type { Operation, View } from './operation.js';
import type { Actor } from './actor.js';
import type { OrderKey, Predicate, Row } from './query.js';
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
import type { Site } from './site.js';
import type { Reader, Transaction } from './store.js';
import type { Rule as ValueRule } from './value.js';

/** Column of a table. Lengths are characters. */
export interface ColumnModel {
  name: string;
  kind: 'integer' | 'varchar' | 'text' | 'boolean' | 'datetime' | 'json' | 'double';
  length?: number;
  nullable?: boolean;
  default?: Scalar;
  primary?: boolean;
  renamedFrom?: string;
  /** Value of the rows that are there when the column is added. */
  backfill?: Scalar;
  /** The default is the empty value of the type: no schema has said that it may take the place of nulls. */
  implied?: boolean;
  /** What its texts are beyond texts; a column that comes to hold something else is converted or refused. */
  holds?: 'date' | 'datetime' | 'object' | 'array' | 'hash';
  /** Follows from other columns: can be worked out again. */
  derived?: boolean;
  /** Its empty value will not do for existing rows of this discriminator: they need a default or `backfill`. */
  demanded?: Readonly<Record<string, Scalar>>;
  /** Column holds keys compared byte by byte (slugs, logins). */
  binary?: boolean;
}

/** An index over columns, in order. */
export interface IndexModel {
  name: string;
  columns: string[];
  unique?: boolean;
  /** Full-text index over folded text. */
  fulltext?: boolean;
}

/** A table, with the columns of every resource that shares it. */
export interface TableModel {
  name: string;
  columns: Map<string, ColumnModel>;
  indexes: Map<string, IndexModel>;
  /** Columns whose combinations have maintained row counts. */
  counted: string[];
  /** Former tables of resources that moved here, with the discriminator of their rows; `from` marks them in a table that stays. */
  movedFrom?: {
    table: string;
    where: Readonly<Record<string, Scalar>>;
    from?: Readonly<Record<string, Scalar>>;
  }[];
  /** Former name, of a table of pairs whose field was renamed. */
  renamedFrom?: string;
  /** A table of pairs: the items it belongs to, and the column that a field of one value would have there. */
  pairsOf?: { table: string; column: string; where: Readonly<Record<string, Scalar>> };
}

/** What a field type needs to know when it shows a value. */
export interface ViewScope {
  op: Operation;
  context: Context;
  site: Site;
}

/** A compiled field. */
export interface FieldModel {
  name: string;
  schema: FieldSchema;
  type: string;
  readOnly: boolean;
  internal: boolean;
  required: boolean;
  contexts: ReadonlySet<Context>;
  /** Columns it keeps its value in; none for links and computed values. */
  columns: ColumnModel[];
  /** Main column, for filters and orderings. */
  column?: string;
  /** Columns that `toView` reads. */
  reads: readonly string[];
  /** Contexts in which it reads fewer of them. */
  readsIn?: Partial<Record<Context, readonly string[]>>;
  /** Rows of other tables that `toView` reads, loaded once per answer. */
  related?: readonly RelatedModel[];
  /** Column to sort by. */
  sortColumn?: string;
  /** Folded column that `search` looks into. */
  searchColumn?: string;
  /** Validation and coercion of a value from a client. */
  rule: ValueRule;
  /** The same for new items, where no stored value can justify what is sent. */
  createRule?: ValueRule;
  /** JSON Schema of the value, contexts of members included. */
  json: ValueSchema & { context?: Context[]; readonly?: boolean };
  /** JSON Schema as a body argument. */
  arg: ValueSchema;
  /** Value on create when nothing was sent; undefined: the column's default. */
  defaultValue?: unknown;
  /** Writes a client's value into the draft. */
  toStore?(value: unknown, draft: Draft, op: Operation, current?: Row): void;
  /** Completes the draft after all values and input hooks. */
  derive?(draft: Draft, op: Operation, current?: Row): void;
  /** Work that is slow and not SQL (hashing), before the transaction. Returns the value to store. */
  prepare?(value: unknown, op: Operation): Promise<unknown>;
  toView?(row: Row, scope: ViewScope): unknown;
  /** To-many relation: its table with `owner_id` and a value column. */
  many?: { table: string; value: 'target_id' | 'value'; target?: ResourceModel };
  /** Targets of a `reference`. */
  targets?: ResourceModel[];
  /** Registered meta keys. */
  meta?: { table: string; keys: MetaKeyModel[] };
}

/** Rows to load for the ids found in `column`; `onward` loads further ones for those rows. */
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

/** A change in the making: what was sent, the columns to write, the relations to set. */
export interface Draft {
  /** Values of the client, coerced, by field name. */
  values: Record<string, unknown>;
  /** Columns to write. */
  row: Row;
  /** To-many relations to replace, by field name. */
  many: Record<string, Scalar[]>;
  /** Meta keys to write, by field name. */
  meta: Record<string, Record<string, unknown>>;
}

/** Turns a caller into the predicate of the rows he may use. */
export type RuleModel = (actor: Actor) => Predicate;

/** A compiled check of an operation. */
export interface PolicyStep {
  given?: readonly string[];
  param?: string;
  in?: readonly Scalar[];
  notIn?: readonly Scalar[];
  notMe?: boolean;
  changed?: boolean;
  needs: RuleModel;
  error: string;
  late: boolean;
  detail: boolean;
}

/** A compiled list, item or delete parameter. */
export interface ParamModel {
  name: string;
  schema: ParamSchema;
  rule: ValueRule;
  arg: ValueSchema;
  /** Narrows the query. */
  filter?(value: any, plan: ListPlan, op: Operation): Promise<void> | void;
}

/** A list query in the making. */
export interface ListPlan {
  where: Predicate[];
  /** Values a column is known to have, for folding rules away. */
  known: Map<string, Scalar[]>;
  order: OrderKey[];
  limit?: number;
  offset: number;
  page: number;
  /** Narrowed to these statuses or other scopes by a trait. */
  notes: Record<string, unknown>;
}

/** A compiled link relation. */
export interface LinkModel {
  rel: string;
  schema: LinkSchema;
  reads: readonly string[];
  href(view: View, row: Row, scope: ViewScope): string | undefined;
  needs?: RuleModel;
  /** Rows of other tables it reads. */
  related?: readonly RelatedModel[];
  /** Attributes that depend on the row. */
  attributes?(row: Row, scope: ViewScope): Record<string, Scalar> | undefined;
}

/** Something to do with an item: an update of another one, with that one's rights and errors. */
export interface ActionModel {
  description: string;
  /** Which item is updated with which values. */
  target(row: Row): { model: ResourceModel; id: number; values: Record<string, unknown> };
}

/** Something wrong in the stored data, and how to mend it where that is possible. */
export interface AuditFinding {
  message: string;
  fix?(tx: Transaction): Promise<void>;
}

/** Looks for what is wrong with the data of one resource. */
export type Audit = (reader: Reader) => Promise<AuditFinding[]>;

/** Hooks of the phases, in the order the schema names the traits. */
export interface Hooks {
  /** Slow work that is not SQL, before the transaction of a write. */
  prepare(op: Operation): Promise<void> | void;
  authorize(op: Operation, current?: Row): Promise<void> | void;
  scope(plan: ListPlan, op: Operation): Promise<void> | void;
  input(draft: Draft, op: Operation, current?: Row): Promise<void> | void;
  saved(row: Row, op: Operation, previous?: Row): Promise<void> | void;
  /** The item to delete is not there: may refuse in other words than those of the resource. */
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

/** How lists behave, defaults filled. */
export interface ListModel {
  paginated: boolean;
  keyedBy?: string;
  perPage: number;
  maxPerPage: number;
  defaultOrder: 'asc' | 'desc';
  defaultOrderby: string;
  /** Name of an ordering to its column; `include`, `relevance` and the like have none. */
  orderings: ReadonlyMap<string, string | undefined>;
  beyondLastPage?: string;
}

/** A compiled resource. */
export interface ResourceModel {
  name: string;
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
  };
  operations: ReadonlySet<OperationKind>;
  /** Field that names an item in its path. */
  key: FieldModel;
  integerKey: boolean;
  table?: TableModel;
  registry?: { name: string; rows: readonly Record<string, unknown>[] };
  /** Constant columns that mark our rows in a shared table. */
  discriminator: Readonly<Record<string, Scalar>>;
  fields: ReadonlyMap<string, FieldModel>;
  contexts: readonly Context[];
  defaultContext: Context;
  list: ListModel;
  listParams: ReadonlyMap<string, ParamModel>;
  itemParams: ReadonlyMap<string, ParamModel>;
  deleteParams: ReadonlyMap<string, ParamModel>;
  search?: {
    columns: readonly string[];
    mode: 'terms' | 'phrase';
    privileged?: { columns: readonly string[]; needs: RuleModel };
  };
  traits: ReadonlyMap<string, Record<string, unknown>>;
  /** Completes a draft after values and input hooks: rendered text, sort keys, search text. */
  derive: readonly ((draft: Draft, op: Operation, current?: Row) => void)[];
  hooks: Readonly<{ [P in Phase]: readonly { trait: string; run: Hooks[P] }[] }>;
  /** What its traits look for in stored data. */
  audits: readonly Audit[];
  /** Keys of the uploaded files that belong to a row. */
  files?(row: Row): string[];
  /** Rows that may name an uploaded file; `files` of each says whether it does. */
  namesFile?(key: string): Predicate;
  /** Actions of its traits, by name. */
  actions: ReadonlyMap<string, ActionModel>;
  rules: ReadonlyMap<string, RuleModel>;
  policy: Readonly<Record<OperationKind, readonly PolicyStep[]>>;
  links: readonly LinkModel[];
  registers: Readonly<Record<string, Record<string, unknown>>>;
  seeds: readonly Record<string, unknown>[];
  errors: Readonly<Record<'notFound' | 'exists' | 'create' | 'update' | 'delete' | 'read' | 'context', string>>;
  batch: boolean;
  /** Columns to read per context: those of its fields, links and present hooks. */
  columns: Readonly<Record<Context, readonly string[]>>;
  /** Every own column: what a write loads of the current row. */
  allColumns: readonly string[];
  /** Columns that present hooks read whatever fields were asked for. */
  traitColumns: readonly string[];
  /** Columns most lists narrow by. */
  partition: readonly string[];
  /** Models of the whole site, by name. */
  site: ModelSet;
}

/** Every compiled resource of a site. */
export interface ModelSet {
  readonly byName: ReadonlyMap<string, ResourceModel>;
  readonly tables: ReadonlyMap<string, TableModel>;
  /** Models sharing a table. */
  readonly ofTable: ReadonlyMap<string, readonly ResourceModel[]>;
}
