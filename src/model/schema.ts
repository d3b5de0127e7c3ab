// The written form of a resource: what a person puts into one JSON file. Read by schema/, extended by traits/.

/** Scopes of a response (spec, Conventions). A field is shown in the contexts it lists. */
export type Context = 'view' | 'embed' | 'edit';

/** A JSON scalar. */
export type Scalar = string | number | boolean | null;

/** The five operations every resource may offer (spec, What the service does). */
export type OperationKind = 'list' | 'retrieve' | 'create' | 'update' | 'delete';

/** JSON Schema keywords a field, parameter or member may carry (decisions 4.2). */
export interface ValueSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  format?: string;
  enum?: Scalar[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  exclusiveMaximum?: boolean;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: ValueSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, MemberSchema>;
  patternProperties?: Record<string, ValueSchema>;
  additionalProperties?: boolean | ValueSchema;
  minProperties?: number;
  maxProperties?: number;
  anyOf?: ValueSchema[];
  oneOf?: ValueSchema[];
  required?: boolean | string[];
}

/** A member of an object: a value with its own contexts. */
export interface MemberSchema extends ValueSchema {
  contexts?: Context[];
  readOnly?: boolean;
}

/** One field as written. Keys beyond the common ones belong to the field type named by `type`. */
export interface FieldSchema extends Omit<ValueSchema, 'type' | 'required'> {
  type: string;
  /** Must be sent on create. */
  required?: boolean;
  /** Returned, never accepted. */
  readOnly?: boolean;
  /** Where it is shown; `[]` never. Default: every context. */
  contexts?: Context[];
  /** Known to the engine alone: in no answer, no body, no OPTIONS. */
  internal?: boolean;
  /** Switch of the site's settings; while it is off there is no such field. */
  setting?: string;
  /** Setting of the site that is the default. */
  defaultSetting?: string;
  /** Setting of the site that lists the allowed values. */
  enumSetting?: string;
  /** Follows from other rows and is made anew by the audit of the trait that adds it; dumps leave it out. */
  derived?: boolean;
  /** Column that keeps the value; default the field's name. */
  column?: string;
  /** Former column name, so that its data moves along (evolution of schemas). */
  renamedFrom?: string;
  /** Value of the rows that are there when the column is added. */
  backfill?: Scalar;
  /** `null` may be sent and stored. */
  nullable?: boolean;
  /** No two rows of the resource share the value. */
  unique?: boolean;
  /** Keep an index for filters and orderings of our own. */
  index?: boolean;
  /** Resource name(s) of a `reference` or `references`. */
  to?: string | string[];
  /** Value shown for an empty reference: 0 (default) or null. */
  empty?: 0 | null;
  /** Refuse ids that name nothing (default), drop them, or store them unchecked. */
  unknown?: 'refuse' | 'drop' | 'keep';
  /** Longest value the column holds, in characters; refused beyond, not published. */
  length?: number;
  /** Values beyond `enum` that may be sent back while they are what is stored: `trash`; `*` for any. */
  keeps?: Scalar[];
  /** Error code for a refused value. */
  error?: string;
  /** What happens to our item when the referenced one is deleted for good: the reference is emptied (default), the item goes too, or nothing. */
  onDelete?: 'clear' | 'remove' | 'keep';
  /** Registered meta keys of a `meta` field (decisions 17B). */
  keys?: Record<string, MetaKeySchema>;
  /** Registered function of a `computed` field, with its options. */
  function?: string;
  options?: Record<string, unknown>;
  /** JSON type of a `computed` field. */
  returns?: ValueSchema;
  /** Text pipeline of a `rendered` field. */
  pipeline?: string;
  /** Field whose text fills an empty `rendered` field. */
  from?: string;
  /** Clock of a `datetime`: site wall time, UTC, or UTC written with its offset. */
  clock?: 'site' | 'utc' | 'offset';
  /** How a plain string is cleaned before storing. */
  clean?: 'plain' | 'description' | 'name' | 'uri' | 'none';
}

/** One registered meta key (decisions 17.21). */
export interface MetaKeySchema extends ValueSchema {
  single?: boolean;
  /** Name in answers when it differs from the stored key. */
  as?: string;
  /** Stored, never shown. */
  hidden?: boolean;
  /** Rule that a writer must satisfy; default: whoever may edit the item, protected (`_`) keys nobody. */
  needs?: RuleSchema;
}

/** A list parameter beyond the standard ones. */
export interface ParamSchema extends ValueSchema {
  /** Registered filter. Without one the parameter is read by a trait or function. */
  filter?: string;
  /** Field the filter looks at. */
  field?: string;
  /** Resource of a `through` filter. */
  resource?: string;
  /** Registered function of a `function` filter. */
  function?: string;
  options?: Record<string, unknown>;
  /** How each value is cleaned before comparing. */
  normalize?: 'slug' | 'key';
  /** Accept anything; values that do not fit are ignored. */
  lenient?: boolean;
}

/**
 * A condition on the caller and the row (decisions 9). A string is a capability; `true` and `false` are constants.
 * `is` compares a field with values (`$me` is the caller's id); `through` asks a rule of the referenced item;
 * `dangling` holds when a reference is empty or names nothing; `holds` when the caller has the capability named in a column.
 * `referencedBy` holds when some item of another resource refers to ours: `loan.book`, or several; `where` narrows those
 * items by their fields, `rule` by a rule of theirs.
 */
export type RuleSchema =
  | boolean
  | string
  | { all: RuleSchema[] }
  | { any: RuleSchema[] }
  | { not: RuleSchema }
  | { can: string }
  | { known: boolean }
  | { is: Record<string, Scalar | Scalar[]> }
  | { rule: string }
  | { through: string; rule: string }
  | { dangling: string }
  | { holds: string }
  | { referencedBy: string | string[]; where?: Record<string, Scalar | Scalar[]>; rule?: string };

/** One check of an operation, in the order written. Its conditions say when it applies; then `needs` must hold. */
export interface PolicyStepSchema {
  /** Applies when one of these body fields was sent. */
  given?: string | string[];
  /** Applies when this parameter was sent or has a default. */
  param?: string;
  /** … and has one of these values. */
  in?: Scalar[];
  /** … and has a value that is none of these. */
  notIn?: Scalar[];
  /** … and differs from the caller's id. */
  notMe?: boolean;
  /** … and differs from what is stored. */
  changed?: boolean;
  needs: RuleSchema;
  error: string;
  /** About what was sent, not about the method: `Allow` still offers it. */
  late?: boolean;
  /** Report inside `data.details` of a `rest_invalid_param` (decisions 27.2). */
  detail?: boolean;
}

/** Who may do what with a resource. Default: everyone reads, holders of `manage_options` write. */
export interface PermissionSchema {
  /** Named row rules: `read`, `edit`, `delete` and any of the author's own. */
  rules?: Record<string, RuleSchema>;
  list?: PolicyStepSchema[];
  retrieve?: PolicyStepSchema[];
  create?: PolicyStepSchema[];
  update?: PolicyStepSchema[];
  delete?: PolicyStepSchema[];
}

/** One link relation of an item (decisions 5). Placeholders are columns of the row. */
export interface LinkSchema {
  /** Resource the link leads to; default: the one the reference `id` leads to. */
  to?: string;
  /** Column that must hold something for the link to be shown. */
  when?: string;
  /** Field with the id of the target; omitted when empty. Without it the link leads to the collection. */
  id?: string;
  /** Query of a collection link: parameter to field. */
  query?: Record<string, string>;
  /** Column with the path of the collection the link leads to. */
  path?: string;
  /** Literal last segment: a registry row such as the item's own type. */
  key?: string;
  embeddable?: boolean;
  /** Attributes; `$column` is a column of the referenced row. */
  attributes?: Record<string, Scalar>;
  /** What the link means, for OPTIONS of links to the item itself. */
  title?: string;
  /** What such a link lets a caller send. */
  targetSchema?: Record<string, unknown>;
  /** Only in this context. */
  context?: Context;
  /** Only for callers who satisfy the rule. */
  needs?: RuleSchema;
  /** Points at the item itself. */
  self?: boolean;
}

/** How lists behave (decisions 6). */
export interface ListSchema {
  /** `false`: everything at once, no page parameters. */
  paginated?: boolean;
  /** Body is an object keyed by this field. */
  keyedBy?: string;
  /** Standard parameters that the resource leaves out. */
  without?: string[];
  orderby?: string[];
  /** Orderings that are not fields: name to column. */
  orderings?: Record<string, string>;
  defaultOrderby?: string;
  defaultOrder?: 'asc' | 'desc';
  /** Items on a page when nothing is said; 0: all of them. */
  perPage?: number;
  maxPerPage?: number;
  /** Items carry no `self` link; `none`: no `collection` link either. */
  bareLinks?: boolean | 'none';
  /** A page past the end: refuse with this code, or answer `[]` when absent. */
  beyondLastPage?: string;
}

/** Columns that `search` looks into, in order of weight. */
export interface SearchSchema {
  fields: string[];
  /** `terms`: every word must match somewhere (6); `phrase`: one substring. */
  mode?: 'terms' | 'phrase';
  /** Extra fields for callers who satisfy the rule. */
  privileged?: { fields: string[]; needs: RuleSchema };
}

/** Where rows live. */
export type StorageSchema =
  | {
      table?: string;
      /** Constant columns that mark our rows in a shared table. */
      where?: Record<string, Scalar>;
      /** Former table of the resource, so that its rows move along; `where` marks them in one that others keep using. */
      movedFrom?: string | { table: string; where: Record<string, Scalar> };
      /** Columns that most lists narrow by: indexes begin with them, rows per combination are counted. */
      partition?: string[];
    }
  | { registry: string; rows?: Record<string, unknown>[] };

/** A resource schema file. */
export interface ResourceSchema {
  $schema?: string;
  name: string;
  path: string;
  description?: string;
  labels?: { singular: string; plural: string };
  parent?: { resource: string; param?: string; field: string; errors?: { notFound?: string; mismatch?: string } };
  operations?: OperationKind[];
  storage?: StorageSchema;
  /** Field that names an item in its path: `id` (default) or a string field. */
  key?: string;
  fields: Record<string, FieldSchema>;
  list?: ListSchema;
  params?: Record<string, ParamSchema>;
  itemParams?: Record<string, ParamSchema>;
  deleteParams?: Record<string, ParamSchema>;
  search?: SearchSchema;
  traits?: Record<string, Record<string, unknown>>;
  permissions?: PermissionSchema;
  links?: Record<string, LinkSchema | LinkSchema[]>;
  /** Rows that other resources read from a registry (types, taxonomies). */
  registers?: Record<string, Record<string, unknown>>;
  /** Path segment that stands for the caller's own id: `users/me`. */
  selfAlias?: string;
  /** Items made at first boot. */
  seeds?: Record<string, unknown>[];
  /** Error codes of this resource. */
  errors?: Partial<
    Record<'notFound' | 'exists' | 'create' | 'update' | 'delete' | 'read' | 'context' | 'list', string>
  > & {
    /** What is told when the database refuses a write. */
    failed?: Partial<Record<'create' | 'update' | 'delete', string>>;
  };
  /** Default context of answers. */
  defaultContext?: Context;
  /** Context of what a deletion answers; default `edit`. */
  deleteContext?: Context;
  /** Batchable operations are offered to batches (decisions 26.3). */
  batch?: boolean;
}
