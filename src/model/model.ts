// The compiled form of a resource: defaults filled, traits applied, links resolved, frozen.
import type { RefusalCodes } from './trait.js';
import type { Additions } from './registered.js';
import type { Adoption, Faces, TaskModel } from './faces.js';
import type { Predicate } from './query.js';
import type { Context, OperationKind, ResourceSchema, Scalar } from './schema/schema.js';
import type { QueryModel, SavedView } from './query-language.js';
import type { RightsModel, RuleModel, PolicyStep } from './permissions.js';
import type { ActionModel, OwnActionModel, Audit, Hooks, Phase } from './hooks.js';
import type { ParamModel, ListModel, FoundModel } from './list.js';
import type { LinkModel } from './shown.js';
import type { TableModel } from './table.js';
import type { FieldModel, UniqueModel, Derive } from './field.js';

/** Id of the only item of a singleton. */
export const SINGLE_ID = 1;

/** A compiled resource. */
export interface ResourceModel {
  name: string;
  /** Beginning of the names of its types in documents and code: `BookLoan` of `book-loan`; unique. */
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
  /** Background tasks of its traits, by name. */
  tasks: ReadonlyMap<string, TaskModel>;
  /** Parameters that may open an item to a caller; requests for what lies below it pass them on. */
  openings: readonly string[];
  /** The field with the permalink of an item. */
  permalink?: FieldModel;
  hooks: Readonly<{ [P in Phase]: readonly { trait: string; run: Hooks[P]; kinds?: readonly OperationKind[] }[] }>;
  /** Audits contributed by its traits. */
  audits: readonly Audit[];
  /** What its traits do to items that existed before them, in the order of the traits. */
  adoptions: ReadonlyMap<string, Adoption>;
  /** Whether creations and updates may run concurrently: all of its traits lock what they decide about. */
  sideBySide: boolean;
  /** Codes of the refusals that its traits add, by operation. */
  codes: Readonly<RefusalCodes>;
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
  /** Those of them without texts of any length, which suffice to decide permissions. */
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
